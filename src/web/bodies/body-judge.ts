import type { Response } from 'express';

import type { Failure } from '../../problem';

/** Why the key may not send a body; `null` if it may. */
export type BodyJudge = (body: unknown) => Failure | null;

/** Says what the key of a request may send, before its handler reads the body. */
export const setBodyJudge = (res: Response, judge: BodyJudge): void => {
  res.locals.bodyJudge = judge;
};

/** What the key of a request may send. A route that needs no key accepts everything. */
export const bodyJudgeFor = (res: Response): BodyJudge =>
  (res.locals.bodyJudge as BodyJudge | undefined) ?? (() => null);
