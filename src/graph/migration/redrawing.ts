import { NO_DIFFERENCE } from '../../difference/difference';
import { management } from '../../templates/graph/derivations';
import type { Instant } from '../../model/instant';
import { ExternalEntity } from '../../model/shared-nodes';
import type { NodeKind } from '../../model/table';
import type { Row, SharedNode } from '../../rows/row/row';
import { UNKNOWN_HASH } from '../../rows/row/row-hash';
import { ownersOf } from '../../translate/upkeep/store-statements';
import { Pipeline } from '../connection/pipeline';
import type { Runner } from '../connection/transaction';
import { DerivationKinds } from '../write/derivation-kinds';
import { NO_WITNESS } from '../write/derivation-witness';
import { Deriver } from '../write/deriving';
import { DerivationVerifier } from '../verification/derivation-verifier';

/** The data source of the rows, and the date of the relationships that are drawn. */
export interface Drawn {
  readonly dataSource: string;
  readonly provider: string;
  readonly at: Instant;
}

/**
 * Draws the derived relationships that follow from the new spelling. Those that exist keep their
 * date.
 */
export const drawDerived = async (
  tx: Runner,
  words: Drawn,
  rows: readonly Row[],
  shared: readonly SharedNode[] = [],
): Promise<void> => {
  const pipeline = new Pipeline(tx);
  const kinds = await DerivationKinds.read(pipeline);
  const created = rows.map((row) => ({ row, hash: UNKNOWN_HASH }));
  const difference = { ...NO_DIFFERENCE, created };
  const stamp = { ...words, keepsHistory: false };
  await new Deriver(pipeline, stamp, difference, shared, kinds, NO_WITNESS).bind();
  await pipeline.drain();
};

/** Checks again who manages what, starting at the owners of these external entities. */
export const drawManagers = async (
  tx: Runner,
  words: Drawn,
  kind: NodeKind,
  keys: readonly string[],
): Promise<void> => {
  if (kind !== ExternalEntity) return;
  const stamp = { ...words, keepsHistory: false };
  const binding = new DerivationVerifier(tx, stamp, words.at, () => undefined);
  for (const manager of management.managers) {
    const { records } = await tx.run<{ key: string }>(ownersOf(manager), { keys: [keys] });
    await binding.manage(
      manager,
      records.map((record) => record.get('key')),
    );
  }
};
