import express from 'express';
import supertest from 'supertest';

import { readConfig } from '../src/config';
import { findRoute } from '../src/web/routing/find-route';
import { shareWithPages } from '../src/web/share-with-pages';
import { idleApp } from './support/idle-app';

const PAGE = 'https://access.example.org';
const OTHER = 'https://elsewhere.example.org';

const sharing = (...origins: readonly string[]) =>
  express()
    .use(findRoute([]))
    .use(shareWithPages(origins))
    .get('/', (_req, res) => void res.json({}));

test('the origins that are named may ask, others may not', async () => {
  const app = sharing(PAGE, 'http://localhost:3000');
  const asked = async (origin: string) =>
    (await supertest(app).get('/').set('origin', origin)).headers['access-control-allow-origin'];
  expect(await asked(PAGE)).toBe(PAGE);
  expect(await asked('http://localhost:3000')).toBe('http://localhost:3000');
  expect(await asked(OTHER)).toBeUndefined();
});

test('a browser that asks beforehand is told what it may send', async () => {
  const { status, headers } = await supertest(sharing(PAGE)).options('/').set({
    origin: PAGE,
    'access-control-request-method': 'POST',
    'access-control-request-headers': 'authorization, content-type',
  });
  expect(status).toBe(204);
  expect(headers['access-control-allow-headers']).toBe('authorization, content-type');
  expect(headers['access-control-allow-methods']).toContain('POST');
  expect(headers['access-control-allow-credentials']).toBeUndefined();
});

test('without the setting no page may ask', async () => {
  const { headers } = await supertest(idleApp()).get('/healthz').set('origin', PAGE);
  expect(headers['access-control-allow-origin']).toBeUndefined();
  const shared = await supertest(idleApp([PAGE]))
    .get('/healthz')
    .set('origin', PAGE);
  expect(shared.headers['access-control-allow-origin']).toBe(PAGE);
});

test.each(['access.example.org', 'https://access.example.org/', 'https://a.example.org,', 'null'])(
  'CORS_ORIGINS=%s is refused',
  (text) => {
    expect(readConfig({ CORS_ORIGINS: text })._tag).toBe('Left');
  },
);

test('CORS_ORIGINS is a list', () => {
  expect(readConfig({ CORS_ORIGINS: `${PAGE}, http://localhost:3000` })).toMatchObject({
    right: { http: { corsOrigins: [PAGE, 'http://localhost:3000'] } },
  });
});
