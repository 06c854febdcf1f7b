import type { Response } from 'express';

import type { ProblemCode } from '../../../problem';
import type { FormOf, FailureAnswer } from '../../../web/exchange/respond';
import { SCIM_JSON, SCIM_ROOT, type ScimError } from '../endpoints';

const SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:Error';

const TYPES: { readonly [Code in ProblemCode]?: string } = {
  NOT_JSON: 'invalidSyntax',
  BAD_FILTER: 'invalidFilter',
  BAD_PATH: 'invalidPath',
  NO_TARGET: 'noTarget',
  READ_ONLY: 'mutability',
};

const typeOf = ({ failure, problems }: FailureAnswer): string | null => {
  if (failure?._tag === 'AlreadyExists') return 'uniqueness';
  if (failure?._tag !== 'Invalid') return null;
  const [first] = problems;
  return first === undefined ? 'invalidSyntax' : (TYPES[first.code] ?? 'invalidValue');
};

const detailOf = ({ message, problems }: FailureAnswer): string =>
  problems.length === 0
    ? message
    : problems
        .map(({ pointer, message: why }) => (pointer === '' ? why : `${pointer}: ${why}`))
        .join('; ');

const isScim = ({ req }: Response): boolean =>
  req.path === SCIM_ROOT || req.path.startsWith(`${SCIM_ROOT}/`);

/** Errors as SCIM has them (RFC 7644, 3.12), below the path of SCIM. */
export const scimErrors: FormOf = (res, shown) => {
  if (!isScim(res)) return null;
  const status = shown.failure?._tag === 'AlreadyExists' ? 409 : shown.status;
  const scimType = typeOf(shown);
  const body: ScimError = {
    schemas: [SCHEMA],
    status: String(status),
    ...(scimType !== null && { scimType }),
    detail: detailOf(shown),
  };
  return { mediaType: SCIM_JSON, status, body };
};
