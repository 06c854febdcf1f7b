/** @more commands */

import type { Driver } from 'neo4j-driver';

import { clearGraph, testDriver, testNeo4j } from '../support/neo4j';
import { type PythonClient, pythonClient } from './python-client';
import { type ServiceProcess, startServiceProcess } from './service-process';

/** The newest, the last of the 1.1 line that many run, and one that knows no pages (docs/rules.md: Requests). */
const VERSIONS = ['1.2.0', '1.1.15', '1.0.0'] as const;

let service: ServiceProcess;
let driver: Driver;

beforeAll(async () => {
  driver = testDriver();
  await clearGraph(driver);
  service = await startServiceProcess();
});
afterAll(async () => {
  await service.stop();
  await driver.close();
});

interface Told {
  readonly message: string;
}

interface PushTold {
  readonly warnings: readonly Told[];
  readonly unchanged: boolean;
  readonly put: { readonly nodes: number; readonly relationships: number };
  readonly digest: string;
}

interface ErrorTold {
  readonly error: string;
  readonly message: string;
  readonly status_code: number;
  readonly details: readonly { readonly field_violations: readonly { readonly code: string }[] }[];
  readonly request_id: string | null;
}

interface SessionTold {
  readonly created: Readonly<Record<string, unknown>>;
  readonly found: boolean;
  readonly found_by_id?: boolean;
  readonly not_found: null;
  readonly taken: ErrorTold;
  readonly source: string;
  readonly plain: PushTold;
  readonly compressed: PushTold;
  /** Only where the client can. */
  readonly parts?: PushTold;
  readonly idp: PushTold;
  readonly idp_again: PushTold;
  /** Only where the client has HR systems. */
  readonly hris?: PushTold;
  readonly hris_again?: PushTold;
  readonly hris_refused?: ErrorTold;
  readonly bound: PushTold;
  readonly refused: ErrorTold;
  readonly cased: PushTold;
  readonly pages: { readonly complete: boolean; readonly once: boolean };
  readonly sources: readonly string[];
  readonly sources_left: readonly unknown[];
  readonly gone: null;
}

const leftBehind = async (): Promise<unknown> => {
  const { records } = await driver.executeQuery(
    'MATCH (n) WHERE (n.data_source IS NOT NULL AND NOT n:Past) OR n:Provider OR n:DataSource OR n:Push RETURN count(n) AS left',
    {},
    { database: testNeo4j().database },
  );
  return Number(records[0]?.get('left'));
};

describe.each(VERSIONS)('oaaclient %s', (version) => {
  let client: PythonClient;
  let told: SessionTold;

  beforeAll(async () => {
    client = await pythonClient(version);
    told = (await client.ask(service, 'session.py', version)) as SessionTold;
  });

  test('registers, finds and names what it registered', () => {
    expect(told).toMatchObject({
      created: {
        name: `${version} "CRM" of O'Hara (EU): a=b`,
        custom_template: 'application',
        state: 'ENABLED',
      },
      found: true,
      not_found: null,
      source: 'main "one"',
      sources: ['main "one"'],
    });
    expect(told.found_by_id).toBe(version === '1.0.0' ? undefined : true);
  });

  test('pushes every class that it can build, plain, compressed and in parts', () => {
    expect(told.plain).toMatchObject({ unchanged: false });
    expect(told.plain.put.nodes).toBeGreaterThan(15);
    expect(told.compressed).toMatchObject({ unchanged: true, digest: told.plain.digest });
    expect(told.parts?.digest).toBe(version === '1.0.0' ? undefined : told.plain.digest);
    expect(told.idp).toMatchObject({ unchanged: false });
    expect(told.idp_again).toMatchObject({ unchanged: true, digest: told.idp.digest });
    expect(told.cased).toMatchObject({ unchanged: true, digest: told.bound.digest });
  });

  test('pushes an HR system with every field that it can set', () => {
    if (version === '1.0.0') {
      // It knows none.
      expect(told.hris).toBeUndefined();
      return;
    }
    // The system, three groups and two employees.
    expect(told.hris).toMatchObject({ unchanged: false, warnings: [], put: { nodes: 6 } });
    expect(told.hris_again).toMatchObject({ unchanged: true, digest: told.hris?.digest });
    expect(told.hris_refused).toMatchObject({ error: 'InvalidArgument', status_code: 400 });
    expect(told.hris_refused?.details[0]?.field_violations).toMatchObject([
      { code: 'UNKNOWN_REFERENCE', pointer: '/employees/1/managers/1/id' },
    ]);
  });

  test('hears of each identity that nobody knows yet, and of none once they are known', () => {
    const about = (name: string, { warnings }: PushTold): boolean =>
      warnings.some(({ message }) => message.includes(`"${name}@example.com"`));
    expect(['ann', 'bob', 'cyd'].map((name) => about(name, told.plain))).toEqual([
      true,
      true,
      true,
    ]);
    expect(['ann', 'bob'].map((name) => about(name, told.bound))).toEqual([false, false]);
    expect(['cyd', 'dan'].map((name) => about(name, told.bound))).toEqual([true, true]);
  });

  test('raises its own error with code, sentence, status and details', () => {
    expect(told.taken).toMatchObject({ error: 'InvalidArgument', status_code: 400 });
    expect(told.refused).toMatchObject({
      error: 'InvalidArgument',
      status_code: 400,
      message: expect.stringMatching(/not shaped right/) as string,
    });
    expect(told.refused.details[0]?.field_violations).toMatchObject([
      { code: 'UNKNOWN_FIELD', pointer: '/applications/0/local_roles/0/surprise' },
    ]);
    if (version !== '1.0.0') expect(told.refused.request_id).toMatch(/^[0-9a-f]{32}$/);
  });

  test('lists all of more than a hundred providers', () => {
    expect(told.pages).toEqual({ complete: true, once: true });
  });

  test('deletes what it made, and nothing of it stays', async () => {
    expect(told).toMatchObject({ sources_left: [], gone: null });
    expect(await leftBehind()).toBe(0);
  });

  test('tells of a key that is not known', async () => {
    const stranger = { ...service, apiKey: 'bm9ib2R5' };
    await expect(client.ask(stranger, 'session.py', version)).rejects.toThrow(
      /Unauthenticated: The key is not known/,
    );
  });
});
