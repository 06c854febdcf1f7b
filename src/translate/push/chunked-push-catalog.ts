import { type CatalogEntry, entry } from '../clauses/catalog-entry';
import {
  BEGIN_LARGE_PUSH,
  COUNT_LARGE_PUSH,
  END_LARGE_PUSH,
  ENTER_LANE,
  LARGE_PUSH_RUNNER,
  LARGE_PUSHES,
  LEAVE_HALF_WRITTEN,
  LOCK_LANES,
  LOCK_LARGE_PUSH,
  MAKE_LANES,
  POSTPONE_LARGE_PUSH,
  REMOVE_LANES,
  REPLACE_PUSH,
  TAKE_OVER_LARGE_PUSH,
  TELL_LARGE_PUSH,
} from './chunked-push-statements';

/** Every statement that applies a push in parts, beside those that write its rows. */
export const largePushCatalog = (): readonly CatalogEntry[] => [
  entry('Lock a large push', LOCK_LARGE_PUSH),
  entry('Lock all lanes of a large push', LOCK_LANES),
  entry('Begin a large push', BEGIN_LARGE_PUSH),
  entry('Make lanes for its parts', MAKE_LANES),
  entry('Go on with a large push', TAKE_OVER_LARGE_PUSH),
  entry('Let nobody try a large push again for a while', POSTPONE_LARGE_PUSH),
  entry('Enter a lane', ENTER_LANE),
  entry('Who applies a large push', LARGE_PUSH_RUNNER),
  entry('Tell how far a large push is', TELL_LARGE_PUSH),
  entry('End a large push', END_LARGE_PUSH),
  entry('Remove the lanes of a large push', REMOVE_LANES),
  entry('Count what a large push has written', COUNT_LARGE_PUSH),
  entry('Note that a failed push has written some rows', LEAVE_HALF_WRITTEN),
  entry('Note that a push is replaced', REPLACE_PUSH),
  entry('Large pushes that are not finished', LARGE_PUSHES),
];
