import * as E from 'fp-ts/Either';

import type { Policy } from '../records';
import { parseSearchFilter } from '../../../contract/filters/search-filter';
import { fold } from '../../../model/fold';
import type { ProblemList } from '../../../problem';
import { IdpUser } from '../../../templates/identity-provider/users';
import {
  DIRECTORIES,
  DIRECTORIES_NOW,
  GROUPS_NAMED,
  PEOPLE,
  PEOPLE_OF_DEPARTMENTS,
  PEOPLE_OF_GROUPS,
  peopleWhere,
  SOURCES_OF_DEPARTMENTS,
} from '../statements';
import type { Graph } from '../../../neo4j/driver';
import { Pipeline } from '../../../neo4j/pipeline';
import { LATEST, type Runner, runTransaction } from '../../../neo4j/transaction';
import { fromGraph } from '../../../neo4j/values';
import { type Meaning, searchMeanings } from '../../../questions/search/contract';
import { listAt } from '../../../model/grouped';

type Selector = Policy['who'][number];

/** A user of an identity provider, with the selectors that find them. */
export interface FoundPerson {
  readonly key: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly selectors: readonly Selector[];
}

/** A data source that may have people. */
export interface Directory {
  readonly id: string;
  readonly name: string;
  readonly provider: string;
  readonly template: 'identity_provider' | 'hris';
  /** Whether the graph holds only a part of it, so that nobody knows what else it has. */
  readonly isPartial: boolean;
}

/** A group that a text may mean, and fields that distinguish it from others. */
export interface NamedGroup {
  readonly key: string;
  readonly name: string;
  /** The id of its data source. */
  readonly source: string;
  readonly provider: string | null;
  readonly domain: string | null;
  readonly type: string | null;
  readonly fullName: string | null;
  /** Its own id in the identity provider. */
  readonly id: string | null;
}

/** A group or department that a policy names within some data sources. */
export interface AskedName {
  readonly text: string;
  readonly sources: readonly string[];
}

/** The people that policies find, or why nobody can say it now. */
export type FoundPeople =
  | { readonly people: readonly FoundPerson[] }
  /** A push is not finished, so the graph holds only a part of a directory. */
  | { readonly partial: string }
  /** A directory that a policy names is gone. What it showed last is not known to be wrong. */
  | { readonly gone: string };

/** The people of the graph, as policies look for them. */
export interface People {
  /** The people that one of the selectors finds. */
  find(selectors: readonly Selector[]): Promise<FoundPeople>;
  /** All data sources that may have people. */
  directories(): Promise<readonly Directory[]>;
  /** The groups that each text may mean, in the order of the texts. */
  groups(asked: readonly AskedName[]): Promise<readonly (readonly NamedGroup[])[]>;
  /** The data sources whose users have each department, in the order of the departments. */
  departments(asked: readonly AskedName[]): Promise<readonly (readonly string[])[]>;
  /** How many people a selector finds. */
  count(selector: Selector): Promise<number>;
}

/** The meanings of a filter over users, likeliest first. */
export const filterMeanings = (filter: string): E.Either<ProblemList, readonly Meaning[]> => {
  const parsed = parseSearchFilter(filter);
  return E.isLeft(parsed) ? parsed : searchMeanings(parsed.right, [IdpUser]);
};

/**
 * A policy must mean the same today and tomorrow. So its filter always compares without case. A
 * search does so only if nobody fits exactly.
 */
const byFilter = async (
  tx: Runner,
  filter: string,
  sources: readonly string[],
): Promise<readonly string[]> => {
  const meanings = filterMeanings(filter);
  const meaning = E.isLeft(meanings) ? undefined : meanings.right.at(-1);
  const condition = meaning?.on(IdpUser) ?? false;
  if (condition === false) return [];
  const statement = peopleWhere(condition === true ? null : condition);
  const { records } = await tx.run<{ key: string }>(statement, { ...meaning?.parameters, sources });
  return records.map((record) => record.get('key'));
};

/** The keys of the people that each selector finds. */
const keysOf = async (
  tx: Runner,
  selectors: readonly Selector[],
): Promise<ReadonlyMap<Selector, readonly string[]>> => {
  const found = new Map<Selector, readonly string[]>(selectors.map((each) => [each, []]));
  const asked = async (
    statement: string,
    parameter: string,
    rowOf: (selector: Selector) => object | null,
  ): Promise<void> => {
    const rows = selectors.flatMap((selector, at) => {
      const row = rowOf(selector);
      return row === null ? [] : [{ at, sources: selector.in, ...row }];
    });
    if (rows.length === 0) return;
    const { records } = await tx.run<{ at: unknown; keys: readonly string[] }>(statement, {
      [parameter]: rows,
    });
    for (const record of records) {
      const selector = selectors[Number(record.get('at'))];
      if (selector !== undefined) found.set(selector, record.get('keys'));
    }
  };
  await asked(PEOPLE_OF_GROUPS, 'groups', ({ group }) =>
    group === undefined ? null : { key: group },
  );
  await asked(PEOPLE_OF_DEPARTMENTS, 'departments', ({ department }) =>
    department === undefined ? null : { folded: fold(department) },
  );
  for (const selector of selectors) {
    const { filter, in: sources } = selector;
    if (filter !== undefined) found.set(selector, await byFilter(tx, filter, sources));
  }
  return found;
};

/** Why nobody can say now whom the selectors find; null if all that they name is there. */
const doubtOf = async (
  tx: Runner,
  selectors: readonly Selector[],
): Promise<Exclude<FoundPeople, { readonly people: unknown }> | null> => {
  const { records } = await tx.run<{ id: string; is_gone: boolean; is_partial: boolean }>(
    DIRECTORIES_NOW,
    { sources: [...new Set(selectors.flatMap((selector) => selector.in))] },
  );
  for (const record of records) if (record.get('is_gone')) return { gone: record.get('id') };
  const partial = records.find((record) => record.get('is_partial'));
  return partial === undefined ? null : { partial: partial.get('id') };
};

/** The people of the graph. */
export const graphPeople = (graph: Graph): People => ({
  find: (selectors) =>
    runTransaction(graph, LATEST, async (tx) => {
      const doubt = await doubtOf(tx, selectors);
      if (doubt !== null) return doubt;
      const finding = new Map<string, Selector[]>();
      for (const [selector, keys] of await keysOf(tx, selectors)) {
        for (const key of keys) {
          listAt(finding, key).push(selector);
        }
      }
      const records = await new Pipeline(tx).ask<{
        key: string;
        properties: Readonly<Record<string, unknown>>;
      }>(PEOPLE, 'keys', [...finding.keys()]);
      return {
        people: records.map((record) => ({
          key: record.get('key'),
          properties: fromGraph(record.get('properties')),
          selectors: finding.get(record.get('key')) ?? [],
        })),
      };
    }),

  directories: () =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ [F in keyof Directory]: Directory[F] }>(DIRECTORIES);
      return records.map((record) => record.toObject());
    }),

  groups: (asked) =>
    runTransaction(graph, LATEST, async (tx) => {
      const rows = asked.map(({ text, sources }, at) => ({
        at,
        sources,
        key: text,
        // A text that is spelled like a key is a key: no name may mean another group by the
        // spelling of its key.
        folded: SPELLED_KEY.test(text) ? null : fold(text),
      }));
      const { records } = await tx.run<{ at: unknown; found: NamedGroup }>(GROUPS_NAMED, {
        asked: rows,
      });
      return asked.map((_, at) =>
        records
          .filter((record) => Number(record.get('at')) === at)
          .map((record) => record.get('found')),
      );
    }),

  departments: (asked) =>
    runTransaction(graph, LATEST, async (tx) => {
      const departments = asked.map(({ text, sources }, at) => ({
        at,
        sources,
        folded: fold(text),
      }));
      const { records } = await tx.run<{ at: unknown; sources: readonly string[] }>(
        SOURCES_OF_DEPARTMENTS,
        { departments },
      );
      const found = new Map(
        records.map((record) => [Number(record.get('at')), record.get('sources')] as const),
      );
      return asked.map((_, at) => found.get(at) ?? []);
    }),

  count: (selector) =>
    runTransaction(graph, LATEST, async (tx) => {
      const [keys] = [...(await keysOf(tx, [selector])).values()];
      return keys?.length ?? 0;
    }),
});

/** How keys of groups are spelled (docs/rules.md: Keys). */
const SPELLED_KEY = /^[^|]+\|IdpGroup\|/;
