import neo4j, { type Driver, Neo4jError, type ResultObserver } from 'neo4j-driver';

import type { Graph } from '../../src/neo4j/driver';
import { toFailure } from '../../src/neo4j/failure';
import { Liveness } from '../../src/neo4j/liveness';
import { runTransaction } from '../../src/neo4j/transaction';

const errorOf = (code: string): Neo4jError =>
  new Neo4jError(`an error ${code}`, code, '50N42', 'error', undefined);

const TRANSIENT = 'Neo.TransientError.Transaction.DeadlockDetected';
const LOST = 'ServiceUnavailable';
const WRONG = 'Neo.ClientError.Statement.SyntaxError';

/** As the driver gives it: one to wait for, and one to use at once. */
const begun = <Tx extends object>(tx: Tx) => Object.assign(Promise.resolve(tx), tx);

/** A result that fails as the promise does. */
const resultOf = (answered: Promise<void>, writes = false) => ({
  subscribe: (observer: ResultObserver): void => {
    answered.then(
      () => observer.onCompleted?.({ counters: { containsUpdates: () => writes } } as never),
      (error: Error) => observer.onError?.(error),
    );
  },
});

/** A graph that fails as scripted: one entry an attempt, at its work or at its commit; null passes. */
type Script = readonly (readonly ['work' | 'commit', string, 'written'?] | null)[];
const scripted = (...script: Script) => {
  const attempts: string[] = [];
  const driver = {
    session: () => ({
      beginTransaction: () => {
        const failure = script[attempts.length] ?? null;
        attempts.push('begun');
        const fail = (at: string) =>
          failure?.[0] === at ? Promise.reject(errorOf(failure[1])) : Promise.resolve();
        const writes = failure?.[2] === 'written';
        return begun({ run: () => resultOf(fail('work'), writes), commit: () => fail('commit') });
      },
      close: () => Promise.resolve(),
    }),
  };
  const graph: Graph = {
    driver: driver as unknown as Driver,
    database: 'neo4j',
    bookmarks: neo4j.bookmarkManager(),
    isForQuestions: false,
    liveness: new Liveness(
      { getServerInfo: () => Promise.resolve({}), close: () => Promise.resolve() },
      30,
      () => undefined,
    ),
    onOutage: () => undefined,
  };
  return { graph, attempts };
};

const run = (graph: Graph): Promise<string> =>
  runTransaction(graph, { mode: 'write' }, async (tx) => {
    await tx.run('RETURN 1');
    return 'done';
  });

test.each([
  ['passes at once', [null], 1],
  ['is tried again after a deadlock', [['work', TRANSIENT], null], 2],
  ['is tried again when the server undid it at commit', [['commit', TRANSIENT], null], 2],
  ['is tried again once after a lost connection', [['work', LOST], null], 2],
  ['is tried again when nothing was written and its commit is lost', [['commit', LOST], null], 2],
  [
    'is tried again when what it found was removed',
    [['work', 'Neo.ClientError.Statement.EntityNotFound'], null],
    2,
  ],
] as const)('a transaction %s', async (_name, script, attempts) => {
  const scene = scripted(...script);
  expect(await run(scene.graph)).toBe('done');
  expect(scene.attempts).toHaveLength(attempts);
});

test.each([
  ['its own fault', [['work', WRONG], null], 1, WRONG],
  ['a second lost connection', [['work', LOST], ['work', LOST], null], 2, LOST],
  // It may have been done: twice would be wrong.
  [
    'a connection lost when what was written is committed',
    [['commit', LOST, 'written'], null],
    1,
    LOST,
  ],
  [
    'too little memory',
    [['work', 'Neo.TransientError.General.MemoryPoolOutOfMemoryError'], null],
    1,
    'Neo.TransientError.General.MemoryPoolOutOfMemoryError',
  ],
] as const)('a transaction is given up for %s', async (_name, script, attempts, code) => {
  const scene = scripted(...script);
  await expect(run(scene.graph)).rejects.toMatchObject({ code });
  expect(scene.attempts).toHaveLength(attempts);
});

test('a transaction is given up after eight transient errors', async () => {
  const scene = scripted(...Array.from({ length: 20 }, () => ['work', TRANSIENT] as const));
  await expect(run(scene.graph)).rejects.toMatchObject({ code: TRANSIENT });
  expect(scene.attempts).toHaveLength(8);
});

test.each(['read', 'write'] as const)(
  'a %s transaction does not wait for its beginning',
  async (mode) => {
    const sent: string[] = [];
    const { graph } = scripted();
    const tx = {
      run: () => {
        sent.push('sent');
        return resultOf(Promise.resolve());
      },
      commit: () => Promise.resolve(),
    };
    let begin = (): void => undefined;
    const beginning = new Promise<typeof tx>((resolve) => {
      begin = () => resolve(tx);
    });
    const driver = {
      session: () => ({
        beginTransaction: () => Object.assign(beginning, tx),
        close: () => Promise.resolve(),
      }),
    } as unknown as Driver;
    const ran = runTransaction({ ...graph, driver }, { mode }, (tx) => tx.run('RETURN 1'));
    await new Promise((resolve) => void setImmediate(resolve));
    expect(sent).toEqual(['sent']);
    begin();
    await ran;
  },
);

test('what gets no connection says why, not that its statement cannot run', async () => {
  const refused = errorOf('Neo.ClientError.Security.Unauthorized');
  const tx = {
    _connectionHolder: { getConnection: () => Promise.reject(refused) },
    run: () => resultOf(Promise.reject(errorOf('N/A'))),
    commit: () => Promise.resolve(),
  };
  const driver = {
    session: () => ({ beginTransaction: () => begun(tx), close: () => Promise.resolve() }),
  } as unknown as Driver;
  const asked = runTransaction({ ...scripted().graph, driver }, { mode: 'read' }, (given) =>
    given.run('RETURN 1'),
  );
  await expect(asked).rejects.toBe(refused);
});

test('a transaction fails with its first error, though a later statement says so first', async () => {
  const lost = errorOf(LOST);
  const after = errorOf('N/A');
  after.message = `Cannot run query in this transaction, because it has been rolled back either because of an error or explicit termination.`;
  const answers = [
    new Promise<void>((_, reject) => void setImmediate(() => reject(lost))),
    Promise.reject(after),
  ];
  let asked = 0;
  const tx = {
    _connectionHolder: { getConnection: () => Promise.resolve({}) },
    run: () => resultOf(answers[asked++ % 2] as Promise<void>),
  };
  const driver = {
    session: () => ({ beginTransaction: () => begun(tx), close: () => Promise.resolve() }),
  } as unknown as Driver;
  const ran = runTransaction({ ...scripted().graph, driver }, { mode: 'write' }, (given) =>
    Promise.all([given.run('RETURN 1'), given.run('RETURN 2')]),
  );
  await expect(ran).rejects.toBe(lost);
});

describe('the end of a transaction', () => {
  /** A graph whose transactions end when they are told to. */
  const ending = () => {
    const told: string[] = [];
    let end = (): void => undefined;
    const ended = new Promise<void>((resolve) => {
      end = resolve;
    });
    const session = {
      beginTransaction: () => begun({ commit: () => ended }),
      close: () => Promise.resolve(void told.push('closed')),
    };
    const { graph } = scripted();
    const driver = { session: () => session } as unknown as Driver;
    return { graph: { ...graph, driver }, told, end: () => end() };
  };
  const turn = (): Promise<void> => new Promise((resolve) => void setImmediate(resolve));

  test('is not waited for once all is read, and the session closed after it', async () => {
    const { graph, told, end } = ending();
    const work = () => Promise.resolve('read');
    expect(await runTransaction(graph, { mode: 'read' }, work)).toBe('read');
    await turn();
    expect(told).toEqual([]);
    end();
    await turn();
    expect(told).toEqual(['closed']);
  });

  test('is waited for where something was written', async () => {
    const { graph, told, end } = ending();
    const work = () => Promise.resolve('written');
    const written = runTransaction(graph, { mode: 'write' }, work).then((value) => {
      told.push(value);
    });
    await turn();
    expect(told).toEqual([]);
    end();
    await written;
    expect(told).toEqual(['closed', 'written']);
  });
});

test.each([
  [LOST, 'Unavailable'],
  ['SessionExpired', 'Unavailable'],
  [TRANSIENT, 'Conflict'],
  ['Neo.TransientError.General.DatabaseUnavailable', 'Unavailable'],
  ['Neo.TransientError.General.MemoryPoolOutOfMemoryError', 'Unavailable'],
  ['Neo.ClientError.Security.Unauthorized', 'Unavailable'],
  ['Neo.ClientError.General.WriteOnReadOnlyAccessDatabase', 'Unavailable'],
  ['Neo.DatabaseError.Transaction.TransactionCommitFailed', 'Unavailable'],
  ['Neo.DatabaseError.Statement.ExecutionFailed', 'Internal'],
  ['Neo.ClientError.Transaction.TransactionTimedOutClientConfiguration', 'Unavailable'],
  ['Neo.TransientError.Transaction.LockAcquisitionTimeout', 'Conflict'],
  [WRONG, 'Internal'],
] as const)('%s is %s to the caller, and its own words are not told', (code, tag) => {
  const failure = toFailure(errorOf(code));
  expect(failure._tag).toBe(tag);
  expect(failure.message).not.toContain('an error');
});

test.each([
  'Neo.ClientError.General.WriteOnReadOnlyAccessDatabase',
  'Neo.DatabaseError.Transaction.TransactionCommitFailed',
])('%s, with which a full disk shows, is told as one that may be full', (code) => {
  expect(toFailure(errorOf(code)).message).toContain('is its disk full?');
});

test('a driver error without a code is unavailable only where no connection could be had', () => {
  const timedOut = new Neo4jError('Connection acquisition timed out in 5000 ms.', 'N/A', '', '');
  expect(toFailure(timedOut)._tag).toBe('Unavailable');
  expect(toFailure(errorOf('N/A'))._tag).toBe('Internal');
  expect(toFailure(new TypeError('bug'))._tag).toBe('Internal');
});
