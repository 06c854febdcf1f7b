import * as E from 'fp-ts/Either';

import type { Context } from '../context';
import type { Round } from '../service/background/background';

/** Runs rounds once the graph is prepared. */
export const onceReady =
  (check: Context['checkPrepared'], round: Round): Round =>
  async (isStopping) => {
    if (E.isRight(check())) await round(isStopping);
  };
