import type { Failure } from '../../problem';
import { HISTORY_OF_SOURCE } from '../statements/change-statements';
import type { Runner } from '../../neo4j/transaction';
import { existedAt } from '../instant/existed';
import { kindOfKey } from '../../templates/graph/kind-of-key';
import type { Period } from './period';

/** What a question about changes names by its id. */
interface Named {
  readonly principals: readonly string[];
  readonly resource: string | null;
  readonly dataSource: string | null;
}

const isOne = (labels: readonly string[], key: string): boolean => {
  const kind = kindOfKey(key);
  return kind !== null && [kind.label, ...kind.also].some((label) => labels.includes(label));
};

const PRINCIPALS = ['Principal', 'Resource'];
const PLACES = ['Application', 'Resource'];

const isKnown = async (tx: Runner, dataSource: string): Promise<boolean> => {
  const { records } = await tx.run<{ is_known: boolean }>(HISTORY_OF_SOURCE, {
    data_source: dataSource,
    prefix: `${dataSource}|`,
  });
  return records[0]?.get('is_known') === true;
};

/**
 * The failure of a question about changes that names something that existed at neither end of the
 * period, or `null`. Otherwise a mistyped id would read as "nothing changed" (docs/rules.md: History).
 */
export const missingThen = async (
  tx: Runner,
  { from, to }: Period,
  { principals, resource, dataSource }: Named,
): Promise<Failure | null> => {
  const keys = [...principals, ...(resource === null ? [] : [resource])];
  const existed = new Set<string>();
  if (keys.length > 0) {
    for (const at of [from, to]) for (const key of await existedAt(tx, at, keys)) existed.add(key);
  }
  const isThere = (labels: readonly string[], key: string): boolean =>
    isOne(labels, key) && existed.has(key);
  const missing = (what: string): Failure => ({
    _tag: 'NotFound',
    message: `There was no ${what} with this id at ${from.utc}, and none at ${to.utc}.`,
  });
  if (!principals.every((key) => isThere(PRINCIPALS, key))) return missing('principal');
  if (resource !== null && !isThere(PLACES, resource)) return missing('resource or application');
  return dataSource === null || (await isKnown(tx, dataSource))
    ? null
    : {
        _tag: 'NotFound',
        message: 'There is no data source with this id, and the history has nothing of one.',
      };
};
