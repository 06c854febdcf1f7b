import type { Mark } from '../../reviews/reading/contract';
import { address, type Parameters, PATHS } from '../frame/address';

/** The page of a reviewer's own items of a review. */
export const reviewAddress = (id: string, parameters: Parameters = {}): string =>
  address(`${PATHS.reviews}/${encodeURIComponent(id)}`, parameters);

/** The page of some items, on which their reviewer decides; also where its form leads. */
export const decideAddress = (id: string, parameters: Parameters = {}): string =>
  address(`${PATHS.reviews}/${encodeURIComponent(id)}/decide`, parameters);

/** The page of how far a review is; also where its forms lead. */
export const progressAddress = (id: string): string =>
  `${PATHS.reviews}/${encodeURIComponent(id)}/progress`;

/** The plan of a draft; also where the form leads that opens it. */
export const planAddress = (id: string): string =>
  `${PATHS.reviews}/${encodeURIComponent(id)}/plan`;

/** The evidence of a review as a file. */
export const evidenceAddress = (id: string): string =>
  `${PATHS.reviews}/${encodeURIComponent(id)}/evidence`;

/** What a verification of a review finds. */
export const verifiedAddress = (id: string): string =>
  `${PATHS.reviews}/${encodeURIComponent(id)}/verified`;

/** Marks that a reviewer should not pass over. */
export const BAD_MARKS: readonly Mark[] = ['privileged', 'inactive', 'nobodys', 'conflict'];
