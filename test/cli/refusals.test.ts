import { createServer, type Server } from 'node:net';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { Neo4jError } from 'neo4j-driver';

import { withRefusals } from '../../src/cli/graph/refusals';
import { withGraph } from '../../src/cli/graph/with-graph';
import { GraphRefusal } from '../../src/command/context';

/** What a command says about an error of its work. */
const refusalOf = async (error: unknown): Promise<unknown> =>
  withRefusals(() => Promise.reject(error as Error)).catch((refusal: unknown) => refusal);

test.each([
  ['Neo.ClientError.Security.Unauthorized', 'NEO4J_PASSWORD'],
  ['Neo.ClientError.Security.Forbidden', 'NEO4J_PASSWORD'],
  ['Neo.ClientError.Security.AuthenticationRateLimit', 'NEO4J_PASSWORD'],
  ['Neo.ClientError.Transaction.TransactionTimedOut', 'limit'],
  ['Neo.TransientError.General.MemoryPoolOutOfMemoryError', 'NEO4J_HEAP'],
  ['Neo.ClientError.Database.DatabaseNotFound', 'DatabaseNotFound'],
  ['Neo.DatabaseError.General.UnknownError', 'UnknownError'],
  ['Neo.ClientError.Schema.ConstraintValidationFailed', 'ConstraintValidationFailed'],
  ['ServiceUnavailable', 'does not answer'],
  ['SessionExpired', 'does not answer'],
  ['N/A', 'did not do'],
])('an error of the driver, %s, is a sentence that says what to do', async (code, said) => {
  const error = new Neo4jError('the words of Neo4j', code, '50N42', 'general processing exception');
  const refusal = await refusalOf(error);
  expect(refusal).toBeInstanceOf(GraphRefusal);
  const { message } = refusal as GraphRefusal;
  expect(message).toContain(said);
  expect(message).toMatch(/^[A-Z].*\w/);
  expect(message).not.toMatch(/Neo4jError|\n/);
});

/** A Neo4j, as far as it refuses each who signs in (Bolt 5.4). */
const refusingNeo4j = async (): Promise<Server> => {
  const text = (words: string): Buffer => {
    const bytes = Buffer.from(words);
    return Buffer.concat([Buffer.from([0xd0, bytes.length]), bytes]);
  };
  /** A message of one kind, with a map of two texts. */
  const message = (kind: number, ...words: readonly string[]): Buffer => {
    const body = Buffer.concat([Buffer.from([0xb1, kind, 0xa2]), ...words.map(text)]);
    return Buffer.concat([Buffer.from([0, body.length]), body, Buffer.from([0, 0])]);
  };
  const hello = message(0x70, 'server', 'Neo4j/5.26.0', 'connection_id', 'bolt-1');
  const code = 'Neo.ClientError.Security.Unauthorized';
  const refused = message(0x7f, 'code', code, 'message', 'Unauthorized.');
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => {
      socket.write(Buffer.from([0, 0, 4, 5]));
      // The driver sends its sign-in behind its greeting.
      socket.once('data', () => socket.write(Buffer.concat([hello, refused])));
    });
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
};

test('a command that meets the Neo4j of another service says so, and which folder to name', async () => {
  const server = await refusingNeo4j();
  const folder = await mkdtemp(join(tmpdir(), 'grantgraph-refused-'));
  const { env } = process;
  try {
    await writeFile(join(folder, 'neo4j-password'), 'another one');
    const { port } = server.address() as { readonly port: number };
    process.env = { ...env, DATA_DIR: folder, NEO4J_BOLT_PORT: String(port) };
    delete process.env.NEO4J_URI;
    const refusal = await withRefusals(() => withGraph(() => Promise.resolve())).catch(
      (error: unknown) => error,
    );
    expect(refusal).toBeInstanceOf(GraphRefusal);
    const { message, exitCode } = refusal as GraphRefusal;
    expect(message).toContain(`bolt://127.0.0.1:${port}`);
    expect(message).toMatch(/such as the demo.*DATA_DIR.*demo-data/);
    expect(exitCode).toBe(1);
  } finally {
    process.env = env;
    server.close();
    await rm(folder, { recursive: true });
  }
});
