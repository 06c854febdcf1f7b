/* The locks and transactions in which other features change what data sources hold. */

export { DataSourceGone, type DataSourceState, isSettled, readState } from './data-source-state';
export {
  type Deleted,
  type Deleting,
  type DeletionAct,
  type Deletions,
  type HeldRows,
  ProviderTrusted,
  graphDeletions,
} from './deletion';
export {
  DataSourceBusy,
  DataSourceDeleting,
  HalfWritten,
  type PushLimits,
  PushUnfinished,
  holdDataSource,
  keepsHistory,
  waitFor,
} from './store';
