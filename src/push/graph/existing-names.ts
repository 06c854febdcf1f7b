import { byCodeUnits } from '../../model/fold';
import type { Called, ComparedKind } from '../../rows/look-alikes';
import { namedAlike } from '../statements/look-alike-statements';
import { Pipeline } from '../../neo4j/pipeline';
import type { Runner } from '../../neo4j/transaction';
import { graphKey } from '../../graph/write/current-rows';

/** An entity, and a name in plain letters that another one may have. */
export interface NameToFind {
  /** Its local key. */
  readonly key: string;
  readonly plain: string;
}

/** For each name, the first other entity of the data source that has it, folded; or else `null`. */
export const existingNames = async (
  tx: Runner,
  dataSource: string,
  compared: ComparedKind,
  asked: readonly NameToFind[],
): Promise<readonly (Called | null)[]> => {
  if (asked.length === 0) return [];
  const records = await new Pipeline(tx).ask<{ plain: string; key: string; called: Called }>(
    namedAlike(compared),
    'names',
    [...new Set(asked.map(({ plain }) => plain))],
    { data_source: dataSource },
  );
  const having = new Map<string, { readonly key: string; readonly called: Called }[]>();
  for (const record of records) {
    const all = having.get(record.get('plain')) ?? [];
    all.push({ key: record.get('key'), called: record.get('called') });
    having.set(record.get('plain'), all);
  }
  for (const all of having.values()) all.sort((a, b) => byCodeUnits(a.key, b.key));
  return asked.map(({ key, plain }) => {
    const own = graphKey(dataSource, compared.kind.node, key);
    return having.get(plain)?.find((other) => other.key !== own)?.called ?? null;
  });
};
