import { number, service, text, texts, time } from '../../model/table';

/**
 * The store version. A release that writes the graph in another way first migrates it
 * (docs/rules.md: Store versions).
 */
export const Store = service('Store', {
  holds: { of: 'service', by: null, days: null },
  doc: 'One node, which holds the store version. A process holds its write lock while it migrates the graph.',
  properties: {
    version: number('The store version.'),
    release: text('The release that brought the graph to this version.', 'nobody'),
    history_since: time('Since when ended facts are stored; absent if none are.'),
    access_turn: number('Commit sequence up to which changes of access are counted.'),
    access_push: text('Id of the newest push that is counted.', 'nobody'),
    access_at: time('When that push was.'),
    restoring: time('When a restore began that is not finished yet.'),
    restored: time('When the graph was restored from a backup; absent if it never was.'),
    restored_keys: texts('Ids of the team keys that the restore revoked.', 'nobody'),
    paused: time(
      'Since when policies and timed imports wait for somebody who starts them, after a restore.',
    ),
  },
});
