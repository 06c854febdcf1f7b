import { randomUUID } from 'node:crypto';

import { oncePerContext } from '../../context';
import { graphDirectory } from './directory';
import { countsOfPushes } from '../../push/contract';
import { pushLineOf } from '../../push/contract';
import { scimServer } from './scim-server';
import { takeWrite } from './writing/take-write';
import type { TakePush } from './writing/writing';
import { type SentScim, pushTurns } from '../../push/threads/contract';

/** The thread that answers works on so much for some 50 ms. */
const WORK_HERE = { members: 1_000, compared: 10_000 };

/** Identity providers that push users and groups over SCIM. */
export const serverOf = oncePerContext((context) => {
  const { graph, asked, config, metrics } = context;
  const { answerSeconds, pushesAtOnce, pushWaitSeconds } = config.limits;
  const { large } = pushLineOf(context);
  const writing = {
    directory: graphDirectory(graph),
    answerSeconds,
    turns: pushTurns(pushesAtOnce, pushWaitSeconds),
    ...(large !== null && { here: WORK_HERE }),
    newId: randomUUID,
  };
  const writer = scimServer(writing);
  const { source, read, list, listAll } = scimServer({
    ...writing,
    directory: graphDirectory(asked, answerSeconds),
  });
  const write = takeWrite({
    server: writer,
    threads: large?.threads ?? null,
    turns: writing.turns,
  });
  return {
    source,
    read,
    list,
    listAll,
    /** Removes a resource; its push is for `takePush`. */
    remove: (takePush: TakePush) => writer.writes(takePush).remove,
    /**
     * Adds or changes a resource; the pushes that the main thread makes are for `takePush`. What a
     * push thread pushes is counted here.
     */
    write: (
      sent: SentScim,
      takePush: TakePush,
      counter: ReturnType<typeof countsOfPushes>,
    ): ReturnType<typeof write> => {
      const counts = countsOfPushes(metrics, 'identity_provider');
      return write(sent, takePush, {
        done: (push) => {
          counts.done(push);
          counter.done(push);
        },
        failed: (failure) => {
          counts.failed(failure);
          counter.failed(failure);
        },
      });
    },
  };
});
