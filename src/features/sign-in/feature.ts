import * as E from 'fp-ts/Either';
import type { TaskEither } from 'fp-ts/TaskEither';

import { feature } from '../../feature';
import type { Failure } from '../../problem';
import { oneTimeCodesOf, sessionsOf, signInCountsOf } from './contract';
import { PersonSession, SignInCode, SignInCount } from './records';
import { issuerStatements } from './issuer/statements';
import { sessionRoutes } from './session-routes';
import { signInRoutes } from './sign-in-routes';
import { signInStatements } from './graph/statements';
import { events } from './events';

/** Removes until nothing is left, or the service stops. */
const untilDone = async (
  removeSome: () => TaskEither<Failure, boolean>,
  isStopping: () => boolean,
): Promise<void> => {
  for (let more = true; more && !isStopping();) {
    const removed = await removeSome()();
    more = E.isRight(removed) && removed.right;
  }
};

/** People sign in with a browser. */
export const signIn = feature({
  name: 'sign-in',
  records: [PersonSession, SignInCode, SignInCount],
  statements: () => [...signInStatements(), ...issuerStatements()],
  events,
  routes: (web, context) => [
    {
      topic: { name: 'Sign-in', about: 'People sign in with a browser, and out again.' },
      routes: [...signInRoutes(web, context), ...sessionRoutes(web, context)],
    },
  ],
  rounds: (context) => [
    {
      name: 'ended sessions',
      everySeconds: context.config.sessions.removeSeconds,
      rounds: [
        (isStopping) => untilDone(sessionsOf(context).removeEnded, isStopping),
        (isStopping) => untilDone(oneTimeCodesOf(context).removeOld, isStopping),
        (isStopping) => untilDone(signInCountsOf(context).removeOld, isStopping),
      ],
    },
  ],
});
