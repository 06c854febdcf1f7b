/* How pushes count what they change in effective access. */

export { changesIn, unlessTooMany } from './access-changes';
export type { ChangedAccess } from './find-changes';
export { LARGE_CHANGE } from './affected';
export {
  type AccessCounting,
  type Counted,
  type UncountedPush,
  graphAccessCounting,
} from './counting';
export { MOST_FACTORS } from './factors';
