import { once } from 'node:events';
import { type AddressInfo, createServer, type Socket } from 'node:net';

import { Liveness, NoAnswer } from '../../../src/graph/connection/liveness';

const never = (): Promise<never> => new Promise(() => undefined);

/** Something that takes connections, and answers as long as it is told to. */
const listener = async () => {
  const sockets = new Set<Socket>();
  let answers = true;
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    socket.on('data', () => answers && socket.write('any answer will do'));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    uri: `bolt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hang: () => void (answers = false),
    answer: () => void (answers = true),
    connections: () => sockets.size,
    close: () => server.close(),
  };
};

test('what takes long is waited for as long as Neo4j greets, and given up once it does not', async () => {
  const neo4j = await listener();
  const silences: string[] = [];
  const liveness = new Liveness(neo4j.uri, 0.1, () => silences.push('silent'));
  let finish = (): void => undefined;
  const work = new Promise<string>((resolve) => {
    finish = () => resolve('done');
  });
  const long = liveness.guard(Infinity, () => work);
  // Several times as long as it may be silent.
  for (let times = 0; times < 5; times += 1) expect(await liveness.greets()).toBe(true);
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
  while (neo4j.connections() > 0) await new Promise((resolve) => setTimeout(resolve, 10));
  liveness.end();
  neo4j.close();
});

test('what Neo4j should have ended itself is given up, though it greets', async () => {
  const neo4j = await listener();
  const liveness = new Liveness(neo4j.uri, 60, () => undefined);
  let isToldSo = false;
  const work = (given: AbortSignal): Promise<never> => {
    given.addEventListener('abort', () => (isToldSo = true));
    return never();
  };
  await expect(liveness.guard(0.05, work)).rejects.toThrow(NoAnswer);
  expect(isToldSo).toBe(true);
  expect(liveness.isSilent).toBe(false);
  liveness.end();
  neo4j.close();
});

test('a Neo4j that is not there is silent', async () => {
  const neo4j = await listener();
  neo4j.close();
  const liveness = new Liveness(neo4j.uri, 0.1, () => undefined);
  expect(await liveness.greets()).toBe(false);
  liveness.end();
});
