import { service } from '../../model/table';

/** The node of the lock of backups (docs/architecture.md: Locks). */
export const BackupLock = service('BackupLock', {
  holds: { of: 'service', by: null, days: null, isLeftOutOfBackups: true },
  doc: 'One node. A backup holds its write lock, and so does a transaction that writes about reviews while it commits.',
  properties: {},
});
