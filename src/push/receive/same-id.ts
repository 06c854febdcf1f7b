import * as E from 'fp-ts/Either';

import { badField, type Failure } from '../../problem';

/** Refuses a body whose id differs from the id in the path (docs/rules.md: Requests). */
export const sameId = (
  field: string,
  inBody: string,
  inPath: string,
): E.Either<Failure, undefined> =>
  inBody === inPath
    ? E.right(undefined)
    : E.left(badField(`/${field}`, 'ID_MISMATCH', 'differs from the id in the path'));
