/** @more pages */

import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import supertest from 'supertest';

import { listenLocally } from '../http/service-under-test';
import { idleApp } from '../support/idle-app';

const SCRIPT = join(__dirname, '../../scripts/open-api-page.mjs');

// Before, it was light in a dark browser, and had neither a heading nor a way back.
test('/docs shows the interface under its policy, asks no other host, and has the frame of the other pages', async () => {
  const { port, close } = await listenLocally(idleApp());
  const { stdout } = await promisify(execFile)(process.execPath, [
    SCRIPT,
    `http://127.0.0.1:${port}/docs`,
    'Who should review a principal or a resource, with the reasons.',
  ]);
  await close();
  const [light, dark] = ['rgb(255, 255, 255)', 'rgb(20, 25, 31)'];
  expect(JSON.parse(stdout)).toEqual({
    hosts: [`127.0.0.1:${port}`],
    errors: [],
    violations: [],
    grounds: { light: [light, light], dark: [dark, dark] },
  });
});

test('the policy of /docs names no host', async () => {
  const { headers, text } = await supertest(idleApp()).get('/docs');
  expect(headers['content-security-policy']).toMatch(
    /^default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; connect-src 'self';/,
  );
  expect(text).toContain('<nav aria-label="Pages"><a href="/">Grantgraph</a></nav>');
  expect(text).not.toMatch(/https?:/);
  expect(text).not.toMatch(/<script(?! type="module" src="\/docs\/rapidoc.js">)/);
});
