import { feature } from '../../feature';
import { graphRetention, removeWhatIsOld } from './retention';
import { entry } from '../../graph/statements/catalog-entry';
import { OLD_PUSHES, REMOVE_OLD_PUSHES, SHORTEN_HISTORY } from './statements';

/** Removes what is older than the settings say. */
export const retention = feature({
  name: 'retention',
  statements: () => [
    entry('Note from when on the history is whole', SHORTEN_HISTORY),
    entry('Find old records of pushes', OLD_PUSHES),
    entry('Remove old records of pushes', REMOVE_OLD_PUSHES),
  ],
  rounds: ({ graph, config, records }) => {
    const oldRecords = graphRetention(graph, records);
    return [
      {
        name: 'retention',
        everySeconds: config.retention.everySeconds,
        rounds: [(isStopping) => removeWhatIsOld(oldRecords, config.retention, isStopping)],
      },
    ];
  },
});
