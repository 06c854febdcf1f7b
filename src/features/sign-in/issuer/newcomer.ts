import { createHash } from 'node:crypto';

import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import type { Newcomer } from '../sessions';
import { findPerson, personValue } from './person';
import { type Claims, roleOfClaims } from './roles';

const LONGEST_NAME = 200;

/** What people call somebody; what the issuer does not call a name is none. */
const nameOf = ({ name, preferred_username, email, sub }: Claims): string =>
  [name, preferred_username, email, sub]
    .find((text): text is string => typeof text === 'string' && text.trim() !== '')
    ?.slice(0, LONGEST_NAME) ?? '';

const OF_ISSUER = 'issuer:';

/** Whether a session is of somebody whom the issuer signed in, and not of a key. */
export const isFromIssuer = ({ subject }: Pick<Newcomer, 'subject'>): boolean =>
  subject.startsWith(OF_ISSUER);

/** An id of somebody at an issuer that names nobody, since some issuers use emails as subjects. */
const subjectOf = ({ iss, sub }: Claims): string =>
  `${OF_ISSUER}${createHash('sha256')
    .update(JSON.stringify([iss, sub]))
    .digest('hex')
    .slice(0, 32)}`;

/** Somebody whom the issuer has signed in, with their role and their person in the graph. */
export const newcomerOf =
  ({ config, graph }: Context) =>
  (claims: Claims, address: string | null): TE.TaskEither<Failure, Newcomer> => {
    const { dataSource, personClaim, rolesClaim, admins, auditors, analysts } = config.issuer;
    const value = personValue(claims, personClaim);
    return pipe(
      dataSource === undefined || value === null
        ? TE.right(null)
        : findPerson(graph)(dataSource, value),
      TE.map((person) => ({
        ...{ subject: subjectOf(claims), name: nameOf(claims), person, address },
        role: roleOfClaims(claims, rolesClaim, {
          administrator: admins ?? [],
          auditor: auditors ?? [],
          analyst: analysts ?? [],
        }),
      })),
    );
  };
