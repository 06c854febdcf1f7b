import type { Response } from 'express';

import { type JsonBounds, REQUEST_BOUNDS } from '../../contract/json-bounds';

/** How much a body may hold that the answering thread reads. */
export interface BodyBounds extends JsonBounds {
  /** Bytes, as sent and uncompressed. */
  readonly bytes: number;
}

/** Enough for a form that somebody fills in. */
const SMALL_BODY: BodyBounds = { ...REQUEST_BOUNDS, bytes: 64 * 1024, values: 5_000 };

/** A list of what an answer has listed, such as keys of entities. */
export const LISTING_BODY: Partial<BodyBounds> = { bytes: 1024 ** 2, values: 10_000 };

/** A text or picture that is much longer than everything else. */
export const LONG_TEXT_BODY: Partial<BodyBounds> = { bytes: 1024 ** 2 };

/**
 * What the body of a route may hold. The service reads and checks it in the thread that answers, so
 * no body may delay others for more than some 20 ms (docs/security.md: Bodies). Time follows from
 * the number of values.
 */
export const bodyBoundsOf = ({
  bodyBounds,
}: {
  readonly bodyBounds?: Partial<BodyBounds>;
}): BodyBounds => ({
  ...SMALL_BODY,
  ...bodyBounds,
});

/** Says what the body of a request may hold, before its handler reads the body. */
export const setBodyBounds = (res: Response, bounds: BodyBounds): void => {
  res.locals.bodyBounds = bounds;
};

/** What the body of a request may hold. */
export const bodyBoundsFor = (res: Response): BodyBounds => res.locals.bodyBounds as BodyBounds;
