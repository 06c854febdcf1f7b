import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import { answerPageSize, readToken } from '../../../contract/page';
import { isTrue } from '../../../contract/parameters/query-parameters';
import { badRequest } from '../../../problem';
import { asValue } from '../../../web/exchange/handle';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { aboutProvider } from '../../connections/about-provider';
import { policiesOf } from '../contract';
import { endpoints } from '../endpoints';

/** Plans, runs, confirms and watches what policies do (docs/provisioning.md: When policies run). */
export const runRoutes = (web: Web, context: Context): readonly Route[] => {
  const policies = policiesOf(context);
  const { asking, changing } = aboutProvider(web, context);
  return [
    asking(endpoints.plan, ({ provider, asked, act }) =>
      asValue(policies.plan(provider, isTrue(asked.full), act)),
    ),
    changing(endpoints.run, ({ provider, asked }) =>
      asValue(policies.run(provider, isTrue(asked.full))),
    ),
    changing(endpoints.confirm, ({ provider, body, act }) =>
      asValue(policies.confirm(provider, body.token, act)),
    ),
    asking(endpoints.status, ({ provider }) => asValue(policies.status(provider))),
    asking(endpoints.listActions, ({ provider, asked }) =>
      pipe(
        TE.fromEither(pipe(readToken(asked.page_token ?? '', 1), E.mapLeft(badRequest))),
        TE.flatMap((token) =>
          policies.listActions(provider, {
            status: asked.status || null,
            policy: asked.policy || null,
            size: answerPageSize(asked.page_size),
            after: token?.[0] ?? null,
          }),
        ),
      ),
    ),
    changing(endpoints.retry, ({ provider, body, act }) =>
      pipe(
        policies.retry(provider, body.actions ?? null, act),
        TE.map((retried) => ({ retried })),
      ),
    ),
    changing(endpoints.release, ({ provider, body: { person, account }, act }) =>
      asValue(
        policies.release(provider, { person: person || null, account: account || null }, act),
      ),
    ),
  ];
};
