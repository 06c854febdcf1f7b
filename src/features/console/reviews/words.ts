import type { Mark } from '../../reviews/reading/contract';
import { address, type Parameters } from '../frame/address';
import { named } from '../words/file-names';

/** The reviews in which the reader has items, or which they oversee. */
export const REVIEWS = '/console/reviews';

/** The page on which somebody creates a review. */
export const NEW_REVIEW = '/console/new-review';

/** The page of a reviewer's own items of a review. */
export const reviewAddress = (id: string, parameters: Parameters = {}): string =>
  address(`${REVIEWS}/${encodeURIComponent(id)}`, parameters);

/** The row of an item in that page, to which a reader comes back. */
export const rowId = (number: number): string => `item-${number}`;

/** The page of some items, on which their reviewer decides; also where its form leads. */
export const decideAddress = (id: string, parameters: Parameters = {}): string =>
  address(`${REVIEWS}/${encodeURIComponent(id)}/decide`, parameters);

/** The page of how far a review is; also where its forms lead. */
export const progressAddress = (id: string): string =>
  `${REVIEWS}/${encodeURIComponent(id)}/progress`;

/** The part of that page about what must follow revokes. */
export const REMEDIATION = 'remediation';

/** The list of all items of a review. */
export const itemsAddress = (id: string, parameters: Parameters = {}): string =>
  address(`${REVIEWS}/${encodeURIComponent(id)}/items`, parameters);

/** The plan of a draft; also where the form leads that opens it. */
export const planAddress = (id: string): string => `${REVIEWS}/${encodeURIComponent(id)}/plan`;

/** The evidence of a review as a file. */
export const evidenceAddress = (id: string): string =>
  `${REVIEWS}/${encodeURIComponent(id)}/evidence`;

/** What a verification of a review finds. */
export const verifiedAddress = (id: string): string =>
  `${REVIEWS}/${encodeURIComponent(id)}/verified`;

/** Marks that a reviewer should not pass over. */
export const BAD_MARKS: readonly Mark[] = ['privileged', 'inactive', 'nobodys', 'conflict'];

/** The file of the evidence of a review, as it is on a day. */
export const evidenceFileName = (review: string, date: string): string =>
  named([review, 'evidence'], date, 'zip');
