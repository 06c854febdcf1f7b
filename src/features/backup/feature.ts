import { feature } from '../../feature';
import { type CatalogEntry, entry as entryOf } from '../../graph/statements/catalog-entry';
import { restoredRoutes } from './restored-routes';
import { BackupLock } from './records';
import { END_PAUSE, LOCK_BACKUP, READ_RESTORED } from './statements';
import { events } from './events';

const entry = (title: string, text: string): CatalogEntry => entryOf(`Restore: ${title}`, text);

/** What waits after a restore, and the lock of backups. The command line reads and writes backups. */
export const restored = feature({
  name: 'restored',
  records: [BackupLock],
  statements: () => [
    entryOf('Acquire the lock of backups', LOCK_BACKUP),
    entry('what waits', READ_RESTORED),
    entry('start what waits', END_PAUSE),
  ],
  events,
  routes: (web, context) => [
    {
      topic: {
        name: 'Restored graph',
        about: 'What waits after a restore, until somebody starts it.',
      },
      routes: restoredRoutes(web, context),
    },
  ],
});
