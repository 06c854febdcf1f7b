import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { VNode } from 'preact';

import { struct } from '../../../codec/struct';
import { text } from '../../../codec/text';
import type { DataSource } from '../../../contract/answers/registry';
import { CreateDataSourceRequest } from '../../../registry/endpoints';
import {
  type Provider,
  providerRecord,
  RegisterProviderRequest,
  type WantedProvider,
} from '../../../contract/records/provider';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { visible } from '../../../visible-text';
import { decodeJson } from '../../../web/bodies/decode-body';
import { registryOf } from '../../../registry/contract';
import { providersOf } from '../../../graph/records/registry';
import { askSource } from '../asking/source';
import { type FormOutcome, pageForm, type SentForm, statusOf } from '../forms/page-form';
import { keysAddress, PATHS } from '../frame/address';
import type { SourceOfProvider } from '../overview/overview';
import { PlanForm } from '../pushing/file-forms';
import { plannedFile } from '../pushing/planned-file';
import { formIdOf } from './form-ids';
import { createKey, refusedKey } from './key-form';
import { connectorOf, NewKeyView } from './key-views';
import { RegisterView } from './register-view';

const FIELDS = struct(
  'form that registers a system',
  {},
  {
    provider_id: text,
    source_id: text,
    key_id: text,
    provider: text,
    name: text,
    template: text,
    source: text,
  },
  {
    docs: {
      provider_id: 'The id of the new provider, from the page.',
      source_id: 'The id of the new data source, from the page.',
      key_id: 'The id of the key of the new provider, from the page.',
      provider: 'The id of a provider that is registered, if the data source is one more of it.',
      name: 'The name of the new provider.',
      template: 'Its template.',
      source: 'The name of the data source; empty: that of the provider.',
    },
  },
);

/** What the form says. */
type Fields = Readonly<
  Partial<
    Record<
      'provider_id' | 'source_id' | 'key_id' | 'provider' | 'name' | 'template' | 'source',
      string | null
    >
  >
>;

type Sent = SentForm<Fields>;

const otherwise = (made: string): Failure => ({
  _tag: 'Conflict',
  message: `This form was sent before, and registered ${JSON.stringify(made)} then. Nothing was registered now. Send it again to register another one.`,
});

/**
 * What an earlier click of the same form made; otherwise why it could not be made. After *Back*
 * somebody may have written something else, which the earlier click did not make.
 */
const madeBefore =
  <A extends { readonly name: string }>(
    find: TE.TaskEither<Failure, A>,
    isSame: (made: A) => boolean,
  ) =>
  (failure: Failure): TE.TaskEither<Failure, A> =>
    failure._tag === 'AlreadyExists'
      ? pipe(
          find,
          TE.mapLeft((missing) => (missing._tag === 'NotFound' ? failure : missing)),
          TE.filterOrElse(isSame, ({ name }) => otherwise(name)),
        )
      : TE.left(failure);

/** What the form says, read as the interface reads its requests. */
interface Wanted {
  readonly provider:
    | { readonly existing: string }
    | { readonly id: string; readonly wanted: WantedProvider; readonly keyId: string };
  readonly sourceId: string;
  readonly source: string;
}

/** Reads all of the form before anything is made. */
const wantedOf = ({
  provider,
  provider_id,
  source_id,
  key_id,
  name,
  template,
  source,
}: Fields): E.Either<Failure, Wanted> => {
  const called = (name ?? '').trim();
  return pipe(
    E.Do,
    E.bind('sourceId', () => formIdOf(source_id, 'source_id')),
    E.bind('provider', (): E.Either<Failure, Wanted['provider']> =>
      provider != null && provider !== ''
        ? E.right({ existing: provider })
        : pipe(
            E.Do,
            E.bind('id', () => formIdOf(provider_id, 'provider_id')),
            E.bind('keyId', () => formIdOf(key_id, 'key_id')),
            E.bind('request', () =>
              decodeJson(RegisterProviderRequest, { name: called, custom_template: template }),
            ),
            E.bind('wanted', ({ request }) => providerRecord.wanted(request, {})),
          ),
    ),
    E.bind('request', () =>
      decodeJson(CreateDataSourceRequest, { id: source_id, name: (source ?? '').trim() || called }),
    ),
    E.map(({ request, ...wanted }) => ({ ...wanted, source: request.name })),
  );
};

const registered = (
  { context, act }: Sent,
  { provider }: Wanted,
): TE.TaskEither<Failure, Provider> =>
  'existing' in provider
    ? providersOf(context).findProvider(provider.existing)
    : pipe(
        registryOf(context).registerProvider({ id: provider.id, wanted: provider.wanted, ...act }),
        TE.orElse(
          madeBefore(
            providersOf(context).findProvider(provider.id),
            (made) =>
              made.name === provider.wanted.name &&
              made.custom_template === provider.wanted.custom_template,
          ),
        ),
      );

const created = (
  { context, act }: Sent,
  provider: Provider,
  { sourceId: id, source: name }: Wanted,
): TE.TaskEither<Failure, DataSource> =>
  pipe(
    registryOf(context).createDataSource({ provider, name, id, ...act }),
    TE.orElse(
      madeBefore(
        pipe(
          providersOf(context).findDataSource(provider.id, id),
          TE.map(({ dataSource }) => dataSource),
        ),
        (made) => made.name === name,
      ),
    ),
  );

const isOfSender = ({ _tag }: Failure): boolean =>
  _tag === 'Invalid' || _tag === 'Conflict' || _tag === 'AlreadyExists';

/** The form again, with what somebody wrote and why it did nothing. */
const refused =
  (context: Context, { provider, name, template, source }: Fields) =>
  (failure: Failure): TE.TaskEither<Failure, FormOutcome> =>
    !isOfSender(failure)
      ? TE.left(failure)
      : pipe(
          registeredProviders(context),
          TE.map((others) => ({
            status: statusOf(failure),
            shown: {
              title: 'Register a system',
              body: (
                <RegisterView
                  {...{ others, refused: failure }}
                  provider={others.find(({ id }) => id === provider) ?? null}
                  written={{ name: name ?? '', template: template ?? '', source: source ?? '' }}
                />
              ),
            },
          })),
        );

/** The providers that are registered, by name. */
export const registeredProviders = (
  context: Context,
): TE.TaskEither<Failure, readonly Provider[]> =>
  pipe(
    providersOf(context).listProviders(null),
    TE.map((providers) =>
      providers.toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)),
    ),
  );

/** The plan of the file that came with the form. A plan that fails takes no key from its reader. */
const firstPlan = (sent: Sent, of: SourceOfProvider): TE.TaskEither<Failure, VNode | undefined> =>
  sent.file === null
    ? TE.right(undefined)
    : pipe(
        plannedFile(sent, of),
        TE.map(({ body }) => body),
        TE.orElse(({ message }) =>
          TE.right(
            <>
              <p class="note warn" role="alert">
                The file has no plan yet. {visible(message)}
              </p>
              <PlanForm of={of} />
            </>,
          ),
        ),
      );

/** Makes the key of a new system last, since only the answer to this form shows it. */
const withKey = (sent: Sent, source: string, keyId: string): TE.TaskEither<Failure, FormOutcome> =>
  pipe(
    askSource(sent.context, source),
    TE.bindTo('of'),
    TE.bind('planned', ({ of }) => firstPlan(sent, of)),
    TE.flatMap(({ of, planned }) =>
      pipe(
        createKey(sent, of, { id: keyId, name: connectorOf(of.provider), ends: null }),
        TE.map(({ access_key: accessKey, name, expires_at: ends }): FormOutcome => ({
          shown: {
            title: `${of.provider.name} is registered`,
            body: (
              <NewKeyView
                lines={{ of, base: sent.base, accessKey }}
                {...{ name, ends, planned }}
                replaces={false}
                isNewSystem
              />
            ),
          },
        })),
        TE.orElse((failure) =>
          isOfSender(failure) ? refusedKey(sent, of)(failure) : TE.left(failure),
        ),
      ),
    ),
  );

/** What becomes of the form, with a provider that it has made if the rest is refused. */
const carriedOut = (sent: Sent): TE.TaskEither<Failure, FormOutcome> => {
  const { context, fields } = sent;
  return pipe(
    TE.fromEither(wantedOf(fields)),
    TE.bindTo('wanted'),
    TE.bind('provider', ({ wanted }) => registered(sent, wanted)),
    TE.matchE(
      (failure) => refused(context, fields)(failure),
      ({ wanted, provider }) =>
        pipe(
          created(sent, provider, wanted),
          TE.matchE(
            (failure) => refused(context, { ...fields, provider: provider.id })(failure),
            ({ id }) =>
              'existing' in wanted.provider
                ? TE.right({ shown: { leadsTo: keysAddress(id) } })
                : withKey(sent, id, wanted.provider.keyId),
          ),
        ),
    ),
  );
};

/**
 * Registers a provider, its data source and a key, with the code of the interface. What an earlier
 * click of the form has made, also half of it, is found by the ids of the form.
 */
export const registerForm = pageForm({
  path: PATHS.register,
  readers: 'administrators',
  summary: 'Registers a provider, a data source and its key, or another data source of a provider.',
  more: 'console#register-a-system',
  fields: FIELDS,
  takesFile: true,
  send: carriedOut,
});
