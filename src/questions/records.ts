import { forgotten, number, service, time } from '../model/table';

/**
 * What one transaction changed in the graph of effective access. Processes that hold that graph in
 * memory read it (docs/architecture.md: Access in memory).
 */
export const AccessCommit = service('AccessCommit', {
  holds: { of: 'service', by: null, days: null, isLeftOutOfBackups: true },
  doc: 'What one transaction changed in the graph of access, for a day; its key is its number in the commit sequence.',
  properties: {
    turn: number('Its number in the commit sequence.'),
    written: time('When it was.'),
    at: time('The instant at which its facts begin and end.'),
    changes: forgotten(
      'The changes, each piece as base64 of a gzip; absent if nobody knows them all.',
      'removal',
    ),
  },
  indexes: ['turn', 'written'],
});
