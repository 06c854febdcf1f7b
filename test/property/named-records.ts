import { randomUUID } from 'node:crypto';

import type { Driver } from 'neo4j-driver';

import { records } from '../../src/features';
import type { NodeKind } from '../../src/model/table';
import { type Human, sentenceWith } from '../arbitrary/script-names';
import { testNeo4j } from '../support/neo4j';

/** Records that a test makes by requests, or that stop an erasure while they are there. */
const MADE_OTHERWISE = new Set([
  'Provider',
  'DataSource',
  'TeamKey',
  'Store',
  'LargePush',
  'ErasedName',
  'ErasedNames',
  'PastNode',
  'PastRelationship',
  'BackupLock',
  'BindingLock',
  'EventOrder',
  'UploadSlice',
]);

/** The kinds of records of the service that may name a person, as their properties declare it. */
export const namingKinds: readonly NodeKind[] = records.filter(
  ({ label, properties }) =>
    !MADE_OTHERWISE.has(label) &&
    Object.values(properties).some(({ names }) =>
      ['mention', 'people', 'forgotten'].includes(names),
    ),
);

/**
 * Writes one record of each kind that names a human in every property that may, as it is declared.
 * They go before any route reads them.
 */
export async function writeRecordsAbout(
  driver: Driver,
  { email, login }: Human,
  person: string,
  way: number,
): Promise<void> {
  let turn = way;
  const said = (doc: string): string => {
    turn += 1;
    const text = sentenceWith(turn % 2 === 0 ? email : login, turn);
    return /JSON/.test(doc) ? JSON.stringify([{ text, [email]: 1 }]) : text;
  };
  for (const { label, properties } of namingKinds) {
    const texts = Object.entries(properties).flatMap(([name, { type, names, doc }]) => {
      if (!['mention', 'people', 'forgotten'].includes(names)) return [];
      const value = names === 'people' ? person : said(doc);
      return [[name, type === 'texts' ? [value, 'something else'] : value] as const];
    });
    await driver.executeQuery(
      `CREATE (n:${label} {key: $key, isOfTest: true}) SET n += $texts, n.since = datetime(), n.at = datetime(), n.timestamp = datetime()`,
      { key: randomUUID(), texts: Object.fromEntries(texts) },
      { database: testNeo4j().database },
    );
  }
}

/** Removes them again, before routes read what is there. */
export async function removeRecords(driver: Driver): Promise<void> {
  const { database } = testNeo4j();
  await driver.executeQuery('MATCH (n {isOfTest: true}) DETACH DELETE n', {}, { database });
}
