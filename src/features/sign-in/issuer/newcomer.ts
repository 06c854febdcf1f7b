import { createHash } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import type { Newcomer } from '../sessions';
import { subjectAtIssuer } from '../subjects';
import { findPerson, personValue } from './person';
import type { SignedIn } from './issuer';
import { type Claims, claimOf, isLeftOut, roleOfClaims } from './roles';

const LONGEST_NAME = 200;

/** What people call somebody; what the issuer does not call a name is none. */
const nameOf = ({ name, preferred_username, email, sub }: Claims): string =>
  [name, preferred_username, email, sub]
    .find((text): text is string => typeof text === 'string' && text.trim() !== '')
    ?.slice(0, LONGEST_NAME) ?? '';

/** An id of somebody at an issuer that names nobody, since some issuers use emails as subjects. */
const subjectOf = ({ iss, sub }: Claims): string =>
  subjectAtIssuer(
    createHash('sha256')
      .update(JSON.stringify([iss, sub]))
      .digest('hex')
      .slice(0, 32),
  );

/** Somebody whom the issuer signed in and whom the service does not admit: what pages and the log say. */
export interface Refused {
  readonly refused: string;
  readonly reason: string;
}

const INACTIVE: Refused = {
  refused: 'The directory says that you are not active any more, so you cannot sign in here.',
  reason: 'the user in the data source of OIDC_IDENTITY_PROVIDER is not active',
};

const leftOut = (claim: string): Refused => ({
  refused: `The issuer left out the claim ${claim}, since you have too many groups for its token. So the service does not know your role. Ask an operator to let it send fewer (docs/sign-in.md).`,
  reason: `the ID token leaves out the claim ${claim} (_claim_names): too many groups; see docs/sign-in.md`,
});

/** Somebody whom the issuer has signed in, with their role and their person in the graph. */
export const newcomerOf =
  ({ config, graph, log }: Context) =>
  (
    { claims, answer, idToken }: Pick<SignedIn, 'claims' | 'answer' | 'idToken'>,
    address: string | null,
  ): TE.TaskEither<Failure, Newcomer | Refused> => {
    const { dataSource, personClaim, rolesClaim, admins, auditors, analysts } = config.issuer;
    const values = {
      administrator: admins ?? [],
      auditor: auditors ?? [],
      analyst: analysts ?? [],
    };
    const givesRoles = Object.values(values).some((some) => some.length > 0);
    if (givesRoles && isLeftOut(claims, rolesClaim)) return TE.right(leftOut(rolesClaim));
    if (givesRoles && claimOf(claims, rolesClaim) === undefined) {
      log.info('an ID token does not have the claim of roles, so it gives none', {
        claim: rolesClaim,
      });
    }
    const value = personValue(claims, personClaim);
    return pipe(
      dataSource === undefined || value === null
        ? TE.right(null)
        : findPerson(graph)(dataSource, value),
      TE.map((person) =>
        person?.isActive === false
          ? INACTIVE
          : {
              subject: subjectOf(claims),
              name: nameOf(claims),
              address,
              answer,
              idToken,
              person: person?.key ?? null,
              role: roleOfClaims(claims, rolesClaim, values),
            },
      ),
    );
  };
