/* How pushes count, and plans show, what they change in effective access. */

export { type AccessCounting, type Counted, type UncountedPush } from './counting';
export { accessAfter, plannedAccess, type PlannedAccess } from './planned-access';
export {
  buffersOf,
  type CopiedAccess,
  type LendAccess,
  type LentAccess,
} from '../memory/access-copy';
