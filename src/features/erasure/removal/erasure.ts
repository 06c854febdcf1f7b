import { createHash, randomUUID } from 'node:crypto';

import type { DateTime } from 'neo4j-driver';

import { Afterwards } from '../../../difference/afterwards';
import type { Difference } from '../../../difference/difference';
import type { Instant } from '../../../model/instant';
import { CHANGES_OF, COUNT_LARGE_PUSHES, RECORD_ERASURE, UNLOCK_DATA_SOURCES } from '../statements';
import { UPDATE_LOOKUPS } from '../../../graph/rows/node-statements';
import {
  LOCK_ALL_DATA_SOURCES,
  LOCK_BINDING,
  TAKE_TURN,
} from '../../../graph/statements/data-source-statements';
import type { Graph } from '../../../neo4j/driver';
import { Pipeline } from '../../../neo4j/pipeline';
import { runTransaction, type Runner } from '../../../neo4j/transaction';
import { isSettled, type PushLimits, PushUnfinished, waitFor } from '../../../push/graph/contract';
import { pushInstant } from '../../../graph/records/push-instant';
import { keepErasedNames } from '../../../graph/write/erased-names';
import { type EventRecord, writeEvent } from '../../../graph/records/event-record';
import { graphKey } from '../../../graph/write/current-rows';
import { forgetCommits } from '../../../graph/records/forgotten-commits';
import { writeDifference } from '../../../graph/write/write-difference';
import type { ErasedRows } from './changed-rows';
import { Decisions, type Doubtful } from '../person/doubt';
import { type ErasedPast, erasePast, findPast } from './past';
import { findPerson } from '../person/person';
import type { Person } from '../person/person-search';
import type { NodeKind } from '../../../model/table';
import { type ErasedRecords, eraseRecords, findRecords } from './records';
import { type ErasedSigners, findSigners, isSigner } from '../person/signers';
import { type ErasedNow, findRows, type StayingName } from './rows';

/** A row that goes, or that loses something. */
export interface ErasedRow {
  readonly key: string;
  readonly label: string;
  readonly name: string | null;
  readonly change: 'removed' | 'changed';
  /** What a changed row loses: properties, and types of relationships. */
  readonly loses: readonly string[];
}

/** How much an erasure erases. */
export interface ErasureCounts {
  readonly removed: number;
  readonly changed: number;
  readonly past: number;
  readonly records: number;
}

/** What an erasure would do, or has done. */
export interface Erasure {
  /** Keys of the nodes that are the person. */
  readonly person: readonly string[];
  /** Spelled as they are compared. */
  readonly names: readonly string[];
  readonly sharedNames: readonly string[];
  readonly rows: readonly ErasedRow[];
  readonly kept: readonly StayingName[];
  /** What is perhaps the person's, and stays. */
  readonly doubtful: readonly Doubtful[];
  readonly counts: ErasureCounts;
  /** Distinguishes this erasure from every other one. */
  readonly token: string;
}

/** The token does not confirm what would be erased now. */
export class ErasureChanged extends Error {
  constructor(readonly token: string) {
    super('the token confirms another erasure');
  }
}

/** Makes the event of an erasure, which names nobody. */
export type TellErased = (counts: ErasureCounts, at: Instant) => EventRecord;

/** Whom to erase. */
export interface Asked {
  /** A key, an id, an email or a name. */
  readonly principal: string;
  /** Keys of doubtful things that go too. */
  readonly also: readonly string[];
  /** Keys of certain things that stay. */
  readonly except: readonly string[];
  /** Names of the providers that the operator believes, whatever they say of the person. */
  readonly trusted: readonly string[];
}

/** All that an erasure finds. */
interface Found {
  readonly person: Person;
  readonly now: ErasedNow;
  readonly past: ErasedPast;
  readonly signers: ErasedSigners;
  readonly records: ErasedRecords;
  readonly decisions: Decisions;
}

const find = async (
  tx: Runner,
  kinds: readonly NodeKind[],
  { principal, also, except, trusted }: Asked,
): Promise<Found> => {
  const { records: large } = await tx.run<{ number: unknown }>(COUNT_LARGE_PUSHES);
  if (Number(large[0]?.get('number') ?? 0) > 0) throw new PushUnfinished();
  const decisions = new Decisions(also, except, trusted);
  const person = await findPerson(tx, principal, decisions, trusted);
  const now = await findRows(tx, person, decisions);
  const past = await findPast(tx, person.names, now.gone, decisions);
  const signers = await findSigners(tx, principal, person, decisions);
  decisions.check((key) => now.touched.has(key) || past.touched.has(key));
  const found = await findRecords(tx, kinds, person, signers);
  return { person, now, past, signers, records: found, decisions };
};

const lossesOf = ({ changed, relabelled, unlinked }: Difference): ReadonlyMap<string, string[]> => {
  const losses = new Map<string, Set<string>>(
    changed.map(({ after, changes }) => [
      after.row.key,
      new Set(Object.keys(changes).filter((name) => !name.startsWith('fold_'))),
    ]),
  );
  for (const { row, stated } of [...relabelled, ...unlinked])
    losses.get(row)?.add(stated.kind.type);
  return new Map([...losses].map(([key, names]) => [key, [...names].sort()]));
};

const erasedRows = ({ state, difference }: ErasedRows): readonly ErasedRow[] => {
  const losses = lossesOf(difference);
  const shownRow = (
    { kind, key, properties }: (typeof difference.removed)[number]['row'],
    change: ErasedRow['change'],
  ): ErasedRow => ({
    key: graphKey(state.id, kind, key),
    label: kind.label,
    name: typeof properties.name === 'string' ? properties.name : null,
    change,
    loses: change === 'removed' ? [] : (losses.get(key) ?? []),
  });
  return [
    ...difference.removed.map(({ row }) => shownRow(row, 'removed')),
    ...difference.changed.map(({ before }) => shownRow(before.row, 'changed')),
  ];
};

const tokenOf = ({ person, now, past, signers, records, decisions }: Found): string => {
  const token = createHash('sha256');
  const add = (...line: readonly unknown[]): void => {
    token.update(`${JSON.stringify(line)}\n`);
  };
  for (const key of [...person.keys].sort()) add('person', key);
  for (const id of [...signers.ids].sort()) add('signer', id);
  for (const name of person.nameList) add('name', name);
  for (const line of decisions.lines) add(...line);
  for (const { state, difference } of now.rows) {
    for (const { row, hash } of difference.removed) add('removed', state.id, row.key, hash);
    for (const { before, after } of difference.changed) {
      add('changed', state.id, after.row.key, before.hash, after.hash);
    }
  }
  for (const id of past.removed) add('past', id);
  for (const { id, set } of past.changed) add('past', id, set);
  for (const [kind, list] of records.changed) {
    for (const { key, set } of list) add(kind.label, key, set);
  }
  if (records.lifecycle > 0) add('lifecycle', records.lifecycle);
  return token.digest('hex');
};

const erasureOf = (found: Found): Erasure => {
  const { person, now, past, signers, records } = found;
  const rows = now.rows.flatMap(erasedRows);
  const changed = rows.filter(({ change }) => change === 'changed').length;
  return {
    person: [...person.keys, ...signers.ids.filter(isSigner)].sort(),
    names: person.nameList,
    sharedNames: person.sharedNames,
    rows,
    kept: [...now.kept, ...records.kept],
    doubtful: [
      ...now.doubtful,
      ...past.doubtful.filter(({ key }) => !now.doubtful.some((one) => one.key === key)),
      ...signers.doubtful,
    ],
    counts: {
      removed: rows.length - changed,
      changed,
      past: past.removed.length + past.changed.length,
      records: records.changed.reduce((sum, [, list]) => sum + list.length, records.lifecycle),
    },
    token: tokenOf(found),
  };
};

/** When rows of a diff changed last. */
const changedAt = async (
  tx: Runner,
  { state, difference }: ErasedRows,
): Promise<() => Promise<void>> => {
  const pipeline = new Pipeline(tx);
  const keys = difference.changed.map(({ after: { row } }) =>
    graphKey(state.id, row.kind, row.key),
  );
  const dates = await pipeline.ask<{ key: string; changed: DateTime }>(CHANGES_OF, 'keys', keys);
  const rows = dates.map((record) => ({
    key: record.get('key'),
    set: { changed: record.get('changed') },
  }));
  return async () => {
    await pipeline.send(UPDATE_LOOKUPS, 'rows', rows);
    await pipeline.drain();
  };
};

/**
 * Erases in one data source. No push did it, so the rows still have the date of their last push.
 */
const eraseRows = async (
  tx: Runner,
  rows: ErasedRows,
  at: Instant,
  holder: string,
): Promise<void> => {
  const { state, difference } = rows;
  const { id, provider, digest, rows: rowsBefore } = state;
  const redate = await changedAt(tx, rows);
  const stamp = { dataSource: id, provider: provider.name, at, keepsHistory: false };
  await writeDifference(tx, stamp, holder, difference, new Map());
  await redate();
  // Without this the recorded digest would not be that of the rows, and the next full push would
  // read them all.
  if (!isSettled(state) || digest === null) return;
  const after = new Afterwards({ digest, rows: rowsBefore }, difference);
  await tx.run(RECORD_ERASURE, {
    data_source: id,
    digest: after.digest,
    rows: after.rows,
  });
};

/** Erasures in a graph. `records`: all kinds of records that the service keeps. */
export const graphErasures = (graph: Graph, limits: PushLimits, records: readonly NodeKind[]) => {
  const options = { mode: 'write', timeoutSeconds: limits.pushSeconds } as const;
  return {
    /**
     * Returns what would be erased. Rejects with `NobodyFound`, `SeveralPeople`, `NothingToDecide`,
     * `UnknownProvider` or `PushUnfinished`.
     */
    // A plan holds no lock, because the token shows whether anything has changed since.
    plan: (asked: Asked): Promise<Erasure> =>
      runTransaction(graph, { ...options, end: 'rollback' }, async (tx) =>
        erasureOf(await find(tx, records, asked)),
      ),

    /**
     * Erases in one transaction what the token confirms. Rejects with `ErasureChanged` too, and with
     * `DataSourceBusy`. Nothing is erased then.
     */
    erase: async (asked: Asked, token: string, tell: TellErased): Promise<Erasure> => {
      // There may be very many, and the erasure is one transaction. It removes the last ones.
      await forgetCommits(graph, limits.pushSeconds);
      return runTransaction(graph, options, async (tx) => {
        const holder = randomUUID();
        // Until the commit no push, chunk, deletion or repair writes anything
        // (docs/architecture.md: Locks).
        await waitFor(limits, [
          tx.run(LOCK_ALL_DATA_SOURCES, { holder }),
          tx.run(LOCK_BINDING, { push: holder }),
        ]);
        const found = await find(tx, records, asked);
        const erasure = erasureOf(found);
        if (erasure.token !== token) throw new ErasureChanged(erasure.token);
        const at = pushInstant(null);
        for (const rows of found.now.rows) await eraseRows(tx, rows, at, holder);
        // What is erased leaves the memory of each process, also what was only in the history.
        await tx.run(TAKE_TURN);
        await erasePast(tx, found.past);
        await eraseRecords(tx, records, found.records);
        await keepErasedNames(tx, erasure.names, at);
        await writeEvent(tx, tell(erasure.counts, at));
        await tx.run(UNLOCK_DATA_SOURCES);
        return erasure;
      });
    },
  };
};

/** Erases people (docs/rules.md: Erasing a person). */
export type Erasures = ReturnType<typeof graphErasures>;
