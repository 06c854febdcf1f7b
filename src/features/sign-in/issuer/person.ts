import type { TaskEither } from 'fp-ts/TaskEither';

import { fold } from '../../../model/fold';
import type { Graph } from '../../../neo4j/driver';
import { inTransaction } from '../../../neo4j/transaction';
import type { Failure } from '../../../problem';
import { type Claims, claimOf } from './roles';
import { USERS_OF_CLAIM } from './statements';

/** A user of a data source whose id or email may be what a claim says. */
interface Candidate {
  readonly key: string;
  readonly identity: string | null;
  readonly name: string;
  readonly email: string | null;
  readonly is_active: boolean;
}

/** A user of the graph who signed in with the issuer. */
export interface FoundPerson {
  readonly key: string;
  /** Whether their directory says that they may sign in, or says nothing of it. */
  readonly isActive: boolean;
}

const lower = (text: string | null): string | null => text?.toLowerCase() ?? null;

/** Whether a user is certainly meant: the id is equal, or the email, whose case says nothing. */
const isMeant =
  (value: string) =>
  ({ identity, name, email }: Candidate): boolean =>
    (identity ?? name) === value ||
    (email?.includes('@') === true && lower(email) === lower(value));

/**
 * The value of the claim that says who somebody is; `null` if it does not say so for certain. At some
 * issuers everybody may enter any email, so an email counts only if the issuer has verified it.
 */
export const personValue = (claims: Claims, claim: string): string | null => {
  const value = claimOf(claims, claim);
  if (typeof value !== 'string' || value.trim() === '') return null;
  return claim === 'email' && claims.email_verified !== true ? null : value;
};

/**
 * Finds the user of a data source whose id or email a claim says. It resolves with `null` unless it is
 * exactly one user of exactly one data source of that id or name.
 */
export const findPerson =
  (graph: Graph) =>
  (dataSource: string, value: string): TaskEither<Failure, FoundPerson | null> =>
    inTransaction(graph, { mode: 'write' }, async (tx) => {
      const { records } = await tx.run<{ sources: unknown; users: readonly Candidate[] }>(
        USERS_OF_CLAIM,
        { dataSource, value: fold(value) },
      );
      const [record] = records;
      if (record === undefined || Number(record.get('sources')) !== 1) return null;
      const [only, ...others] = new Map(
        record
          .get('users')
          .filter(isMeant(value))
          .map(({ key, is_active }) => [key, { key, isActive: is_active }]),
      ).values();
      return only !== undefined && others.length === 0 ? only : null;
    });
