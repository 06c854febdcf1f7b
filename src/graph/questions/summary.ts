import type { Runner } from '../connection/transaction';

/** The short form of a node in answers. Its id is its key (docs/rules.md: Access answers). */
export interface Summary {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  readonly path: string | null;
  readonly resource_type: string | null;
  /** The application of an application's entity, or the domain of an identity provider's entity. */
  readonly application: string | null;
  /** Inactive principals keep their access (docs/rules.md: Effective access). */
  readonly inactive: boolean;
}

/**
 * A native permission. Several Permission nodes may stand for one (docs/rules.md: Access answers).
 */
export interface HeldPermission {
  readonly name: string;
  readonly permission_type: readonly string[];
}

/** Finds the node with this id; `null` if there is none. */
export const findSummary = async (
  tx: Runner,
  statement: string,
  id: string,
): Promise<Summary | null> => {
  const { records } = await tx.run<{ about: Summary }>(statement, { id });
  return records[0]?.get('about') ?? null;
};
