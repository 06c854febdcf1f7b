import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { ImportSettingsAnswer } from '../../../scim/connections/endpoints';
import type { Summary } from '../../../contract/answers/questions/access';
import type { PushDetails } from '../../../contract/answers/pushes';
import type { Provider } from '../../../contract/records/provider';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { endpoints, type PushPage } from '../../../push/endpoints';
import { pushAnswers } from '../../../push/routes/contract';
import { importsOf } from '../../../scim/import/contract';
import { policiesOf } from '../../../scim/policies/contract';
import type {
  LifecycleActionAnswer,
  LifecycleStatus,
  Policy,
} from '../../../scim/policies/endpoints';
import { CSV_ADDRESSES } from '../frame/address';
import { readSource, readSummaries, type SourceOfProvider } from '../overview/overview';
import { type Answered, ask } from './ask';

const NO_SOURCE: Failure = { _tag: 'NotFound', message: 'There is no data source with this id.' };

/** The data source with this id, and its provider. */
export const askSource = (context: Context, id: string): TE.TaskEither<Failure, SourceOfProvider> =>
  pipe(
    readSource(context, id),
    TE.flatMap((found) => (found === null ? TE.left(NO_SOURCE) : TE.right(found))),
  );

/** What names a data source in the path of a request. */
export const paramsOf = ({ source, provider }: SourceOfProvider) => ({
  providerId: provider.id,
  dataSourceId: source.id,
});

/** A page of the pushes to a data source, newest first. */
export const askPushes = (
  context: Context,
  of: SourceOfProvider,
  page: string,
): TE.TaskEither<Failure, Answered<PushPage>> =>
  ask(
    (asking) => pushAnswers(context).list(asking, true),
    {
      endpoint: endpoints.list,
      params: paramsOf(of),
      csvAt: CSV_ADDRESSES.pushes,
      csvNames: { source: of.source.id },
    },
    { page_size: PUSHES_ON_PAGE, page_token: page },
  );

const PUSHES_ON_PAGE = 25;

/** A push with its warnings and problems. */
export const askPush = (
  context: Context,
  of: SourceOfProvider,
  push: string,
): TE.TaskEither<Failure, Answered<{ readonly value: PushDetails }>> =>
  ask(
    (asking) => pushAnswers(context).one(asking, true),
    {
      endpoint: endpoints.read,
      params: { ...paramsOf(of), pushId: push },
    },
    {},
  );

/** The newest accepted push to a data source, with its warnings; `null`: there is none. */
export const askNewestPush = (
  context: Context,
  of: SourceOfProvider,
): TE.TaskEither<Failure, PushDetails | null> =>
  of.source.last_push === null
    ? TE.right(null)
    : pipe(
        askPush(context, of, of.source.last_push),
        TE.map(({ answer }): PushDetails | null => answer.value),
        // Since then another push may have replaced it, and retention removed it.
        TE.orElse((failure) => (failure._tag === 'NotFound' ? TE.right(null) : TE.left(failure))),
      );

/** What the service does in the application of a provider by itself. */
export interface Provisioned {
  /** `null`: the application is not imported. */
  readonly imported: ImportSettingsAnswer | null;
  readonly policies: readonly Policy[];
  readonly status: LifecycleStatus;
  /** The actions that are not done, or that the service gave up. */
  readonly actions: readonly LifecycleActionAnswer[];
  /** Those of the people whom pages name with these actions that are in the graph, by their keys. */
  readonly people: ReadonlyMap<string, Summary>;
}

/** How many people pages name with an action. */
export const PEOPLE_NAMED = 3;

const ACTIONS_SHOWN = 20;

const openActions = (
  context: Context,
  provider: Provider,
): TE.TaskEither<Failure, readonly LifecycleActionAnswer[]> =>
  pipe(
    (['DEAD', 'FAILED', 'PLANNED'] as const).map((status) =>
      policiesOf(context).listActions(provider, {
        status,
        policy: null,
        size: ACTIONS_SHOWN,
        after: null,
      }),
    ),
    // One after the other: these use connections of pushes and sign-ins.
    TE.sequenceSeqArray,
    TE.map((pages) => pages.flatMap(({ values }) => values)),
  );

/** Policies, imports and actions of a provider, as the interface shows them to administrators. */
export const askProvisioned = (
  context: Context,
  provider: Provider,
): TE.TaskEither<Failure, Provisioned> =>
  pipe(
    sequenceT(TE.ApplySeq)(
      pipe(
        importsOf(context).find(provider),
        TE.map((found): ImportSettingsAnswer | null => found),
        TE.orElse((failure) =>
          failure._tag === 'NotFound'
            ? TE.right<Failure, ImportSettingsAnswer | null>(null)
            : TE.left(failure),
        ),
      ),
      policiesOf(context).listPolicies(provider),
      policiesOf(context).status(provider),
      openActions(context, provider),
    ),
    TE.map(([imported, policies, status, actions]) => ({ imported, policies, status, actions })),
    TE.bind('people', ({ actions }) =>
      readSummaries(context, [
        ...new Set(actions.flatMap(({ people }) => people.slice(0, PEOPLE_NAMED))),
      ]),
    ),
  );
