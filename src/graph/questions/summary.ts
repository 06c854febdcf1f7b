import type { Runner } from '../connection/transaction';

/** What is told of a node wherever one is named; its id is its key (docs/rules.md: Access answers). */
export interface Summary {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  readonly path: string | null;
  readonly resource_type: string | null;
  /** Of an application's entity the application, of an identity provider's the domain. */
  readonly application: string | null;
  /** Inactive and deactivated principals keep their access (docs/rules.md: Effective access). */
  readonly inactive: boolean;
}

/** A permission that is held, of whichever of its nodes (docs/rules.md: Effective access). */
export interface HeldPermission {
  readonly name: string;
  readonly permission_type: readonly string[];
}

/** The node that a statement finds by `$id`; `null` if there is none. */
export const findSummary = async (
  tx: Runner,
  statement: string,
  id: string,
): Promise<Summary | null> => {
  const { records } = await tx.run<{ about: Summary }>(statement, { id });
  return records[0]?.get('about') ?? null;
};
