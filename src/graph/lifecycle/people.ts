import * as E from 'fp-ts/Either';

import type { Policy } from '../../contract/answers/provisioning/lifecycle';
import { parseSearchFilter } from '../../contract/search-filter';
import type { ProblemList } from '../../problem';
import { IdpUser } from '../../templates/identity-provider/users';
import {
  IS_PUSHING,
  KNOWN_GROUPS,
  PEOPLE,
  PEOPLE_OF_DEPARTMENTS,
  PEOPLE_OF_GROUPS,
  peopleWhere,
} from '../../translate/records/lifecycle-statements';
import type { Graph } from '../connection/driver';
import { Pipeline } from '../connection/pipeline';
import { LATEST, type Runner, runTransaction } from '../connection/transaction';
import { fromGraph } from '../connection/values';
import { type Meaning, searchMeanings } from '../questions/search-meaning';

type Selector = Policy['who'][number];

/** A user of an identity provider, with the selectors that find them. */
export interface FoundPerson {
  readonly key: string;
  readonly properties: Readonly<Record<string, unknown>>;
  readonly selectors: readonly Selector[];
}

/** The people of the graph, as policies look for them. */
export interface People {
  /** Whoever one of the selectors finds; null while a chunked push is under way. */
  find(selectors: readonly Selector[]): Promise<readonly FoundPerson[] | null>;
  /** Those of these groups, by id or name, that there are. */
  knownGroups(groups: readonly string[]): Promise<ReadonlySet<string>>;
  /** How many people a selector finds. */
  count(selector: Selector): Promise<number>;
}

/** The meanings of a filter over users, likeliest first. */
export const filterMeanings = (filter: string): E.Either<ProblemList, readonly Meaning[]> => {
  const parsed = parseSearchFilter(filter);
  return E.isLeft(parsed) ? parsed : searchMeanings(parsed.right, [IdpUser]);
};

const byFilter = async (tx: Runner, filter: string): Promise<readonly string[]> => {
  const meanings = filterMeanings(filter);
  if (E.isLeft(meanings)) return [];
  for (const { on, parameters } of meanings.right) {
    const condition = on(IdpUser);
    if (condition === false) continue;
    const statement = peopleWhere(condition === true ? null : condition);
    const { records } = await tx.run<{ key: string }>(statement, parameters);
    if (records.length > 0) return records.map((record) => record.get('key'));
  }
  return [];
};

/** The keys of the people that each selector finds. */
const keysOf = async (
  tx: Runner,
  selectors: readonly Selector[],
): Promise<ReadonlyMap<Selector, readonly string[]>> => {
  const found = new Map<Selector, readonly string[]>();
  const named = async (
    field: 'group' | 'department',
    parameter: string,
    statement: string,
  ): Promise<void> => {
    const asked = selectors.flatMap((selector) => selector[field] ?? []);
    if (asked.length === 0) return;
    const { records } = await tx.run<{ asked: string; keys: readonly string[] }>(statement, {
      [parameter]: [...new Set(asked)],
    });
    const byName = new Map(records.map((record) => [record.get('asked'), record.get('keys')]));
    for (const selector of selectors) {
      const name = selector[field];
      if (name !== undefined) found.set(selector, byName.get(name) ?? []);
    }
  };
  await named('group', 'groups', PEOPLE_OF_GROUPS);
  await named('department', 'departments', PEOPLE_OF_DEPARTMENTS);
  for (const selector of selectors) {
    if (selector.filter !== undefined) found.set(selector, await byFilter(tx, selector.filter));
  }
  return found;
};

/** The people of the graph. */
export const graphPeople = (graph: Graph): People => ({
  find: (selectors) =>
    runTransaction(graph, LATEST, async (tx) => {
      const [pushing] = (await tx.run<{ is_pushing: boolean }>(IS_PUSHING)).records;
      if (pushing?.get('is_pushing') === true) return null;
      const finding = new Map<string, Selector[]>();
      for (const [selector, keys] of await keysOf(tx, selectors)) {
        for (const key of keys) {
          const list = finding.get(key);
          if (list === undefined) finding.set(key, [selector]);
          else list.push(selector);
        }
      }
      const records = await new Pipeline(tx).ask<{
        key: string;
        properties: Readonly<Record<string, unknown>>;
      }>(PEOPLE, 'keys', [...finding.keys()]);
      return records.map((record) => ({
        key: record.get('key'),
        properties: fromGraph(record.get('properties')),
        selectors: finding.get(record.get('key')) ?? [],
      }));
    }),

  knownGroups: (groups) =>
    runTransaction(graph, LATEST, async (tx) => {
      const { records } = await tx.run<{ asked: string }>(KNOWN_GROUPS, { groups });
      return new Set(records.map((record) => record.get('asked')));
    }),

  count: (selector) =>
    runTransaction(graph, LATEST, async (tx) => {
      const [keys] = [...(await keysOf(tx, [selector])).values()];
      return keys?.length ?? 0;
    }),
});
