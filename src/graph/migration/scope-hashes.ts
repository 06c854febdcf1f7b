import { allRowKinds } from '../../templates/templates';
import { longKindsOwnedBy } from '../../templates/graph/relationships';
import type { NodeKind } from '../../model/table';
import { rowHash, UNKNOWN_HASH } from '../../rows/row/row-hash';
import { grouped } from '../../difference/grouped';
import { RECORD_RULES, rowsWithLists, setHashes } from '../../translate/upkeep/store-statements';
import type { Graph } from '../connection/driver';
import type { Runner } from '../connection/transaction';
import { readRows } from '../write/current-rows';
import { Batches, type Paged, recount } from './batches';
import { formerRowHash } from './former-hash';

/** The `rules_version` of rows before this migration, and after it. */
const [FORMER_RULES, RULES] = [3, 4] as const;

/**
 * Version 5: the hash of a row is a sum in which each relationship of its scope counts by itself
 * (docs/rules.md: Digests). A row whose hash said something else gets 64 zeros. After a crash the
 * migration runs again, and finds the rows that it has hashed already.
 */
export const hashScopes = async (graph: Graph, stillHolds: () => Promise<void>): Promise<void> => {
  const batches = new Batches(graph, stillHolds);
  for (const { node } of allRowKinds) {
    if (longKindsOwnedBy(node).length === 0) continue;
    await batches.each<Paged>(rowsWithLists(node), (tx, page) => rehash(tx, node, page));
  }
  await batches.once((tx) => tx.run(RECORD_RULES, { former: FORMER_RULES, version: RULES }));
};

const rehash = async (tx: Runner, kind: NodeKind, page: readonly Paged[]): Promise<void> => {
  const keys = page.map(({ key }) => key);
  const bySource = grouped(keys, (key) => key.slice(0, key.indexOf('|')));
  for (const [id, ofSource] of bySource) {
    const local = ofSource.map((key) => key.slice(id.length + 1));
    const rows = [...(await readRows(tx, id, new Map([[kind, local]]))).values()];
    const changed = rows.flatMap(({ row, hash }) => {
      const next = rowHash(row);
      if (hash === next || hash === UNKNOWN_HASH) return [];
      return [{ row, hash, next: hash === formerRowHash(row) ? next : UNKNOWN_HASH }];
    });
    const pairs = changed.map(({ row, next }) => [`${id}|${row.key}`, next]);
    await tx.run(setHashes(kind), { pairs: [pairs] });
    await recount(tx, id, {
      added: changed.map(({ next }) => next),
      taken: changed.map(({ hash }) => hash),
    });
  }
};
