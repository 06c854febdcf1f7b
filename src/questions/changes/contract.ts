/* How pushes count, and plans show, what they change in effective access. */

export { changesIn, unlessTooMany } from './access-changes';
export type { ChangedAccess } from './find-changes';
export { type AccessCounting, type Counted, type UncountedPush } from './counting';
