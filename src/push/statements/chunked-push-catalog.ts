import { type CatalogEntry, entry } from '../../graph/statements/catalog-entry';
import {
  BEGIN_CHUNK,
  BEGIN_LARGE_PUSH,
  COUNT_LARGE_PUSH,
  END_LARGE_PUSH,
  LARGE_PUSH_RUNNER,
  LARGE_PUSHES,
  LEAVE_HALF_WRITTEN,
  LOCK_LARGE_PUSH,
  POSTPONE_LARGE_PUSH,
  REPLACE_PUSH,
  TAKE_OVER_LARGE_PUSH,
  TELL_LARGE_PUSH,
} from './chunked-push-statements';

/** All statements of a chunked push, except those that write its rows. */
export const largePushCatalog = (): readonly CatalogEntry[] => [
  entry('Lock a chunked push', LOCK_LARGE_PUSH),
  entry('Begin a chunked push', BEGIN_LARGE_PUSH),
  entry('Go on with a chunked push', TAKE_OVER_LARGE_PUSH),
  entry('Let nobody try a chunked push again for a while', POSTPONE_LARGE_PUSH),
  entry('Begin a chunk', BEGIN_CHUNK),
  entry('Who applies a chunked push', LARGE_PUSH_RUNNER),
  entry('Tell how far a chunked push is', TELL_LARGE_PUSH),
  entry('End a chunked push', END_LARGE_PUSH),
  entry('Count what a chunked push has written', COUNT_LARGE_PUSH),
  entry('Note that a failed push has written some rows', LEAVE_HALF_WRITTEN),
  entry('Note that a push is replaced', REPLACE_PUSH),
  entry('Large pushes that are not finished', LARGE_PUSHES),
];
