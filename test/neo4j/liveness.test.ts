import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { Neo4jError } from 'neo4j-driver';

import { closeGraph, openGraph } from '../../src/neo4j/driver';
import { NoAnswer } from '../../src/neo4j/failure';
import { Liveness } from '../../src/neo4j/liveness';
import { testNeo4j } from '../support/neo4j';

const never = (): Promise<never> => new Promise(() => undefined);

/** A Neo4j that answers sign-ins as long as it is told to. */
const scripted = () => {
  let answers = true;
  return {
    hang: () => void (answers = false),
    answer: () => void (answers = true),
    pulse: {
      getServerInfo: () => (answers ? Promise.resolve({}) : never()),
      close: () => Promise.resolve(),
    },
  };
};

test('what takes long is waited for as long as Neo4j answers, and given up once it does not', async () => {
  const neo4j = scripted();
  const silences: string[] = [];
  const liveness = new Liveness(neo4j.pulse, 0.1, () => silences.push('silent'));
  let finish = (): void => undefined;
  const work = new Promise<string>((resolve) => {
    finish = () => resolve('done');
  });
  const long = liveness.guard(Infinity, () => work);
  for (let times = 0; times < 5; times += 1) expect(await liveness.answers()).toBe(true);
  finish();
  expect(await long).toBe('done');

  neo4j.hang();
  await expect(liveness.guard(Infinity, never)).rejects.toThrow(NoAnswer);
  expect([silences, liveness.isSilent]).toEqual([['silent'], true]);
  // Nobody is sent to it meanwhile.
  let sent = 0;
  const count = (): Promise<number> => Promise.resolve((sent += 1));
  await expect(liveness.guard(Infinity, count)).rejects.toThrow(NoAnswer);
  expect(sent).toBe(0);

  neo4j.answer();
  while (liveness.isSilent) await new Promise((resolve) => setTimeout(resolve, 10));
  expect(await liveness.guard(Infinity, count)).toBe(1);
  await liveness.end();
});

test('what Neo4j should have ended itself is given up, though it answers', async () => {
  const liveness = new Liveness(scripted().pulse, 60, () => undefined);
  let isToldSo = false;
  const work = (given: AbortSignal): Promise<never> => {
    given.addEventListener('abort', () => (isToldSo = true));
    return never();
  };
  await expect(liveness.guard(0.05, work)).rejects.toThrow(NoAnswer);
  expect(isToldSo).toBe(true);
  expect(liveness.isSilent).toBe(false);
  await liveness.end();
});

test('a refused sign-in is an answer', async () => {
  const code = 'Neo.ClientError.Security.Unauthorized';
  const refused = new Neo4jError('no', code, '42NFF', 'no', undefined);
  const pulse = { ...scripted().pulse, getServerInfo: () => Promise.reject(refused) };
  const liveness = new Liveness(pulse, 60, () => undefined);
  expect(await liveness.answers()).toBe(true);
  await liveness.end();
});

test('Neo4j answers, however often it is asked', async () => {
  const graph = openGraph(testNeo4j());
  for (let times = 0; times < 5; times += 1) expect(await graph.liveness.answers()).toBe(true);
  await closeGraph(graph);
});

test('a Neo4j that is not there is silent', async () => {
  const graph = openGraph({ ...testNeo4j(), uri: 'bolt://127.0.0.1:1', silenceSeconds: 60 });
  expect(await graph.liveness.answers()).toBe(false);
  await closeGraph(graph);
});

test('a Neo4j that takes connections and says nothing is silent, and is asked on one connection', async () => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const uri = `bolt://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const graph = openGraph({ ...testNeo4j(), uri, silenceSeconds: 0.1 });
  for (let times = 0; times < 3; times += 1) expect(await graph.liveness.answers()).toBe(false);
  expect(sockets.size).toBe(1);
  for (const socket of sockets) socket.destroy();
  await closeGraph(graph);
  server.close();
});
