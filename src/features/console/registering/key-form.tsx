import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import { enumeration, text } from '../../../codec/text';
import type { CreatedTeamKey } from '../../keys/endpoints';
import { CreateTeamKeyRequest, type TeamKey, teamKeyRecord } from '../../keys/records';
import type { Context } from '../../../context';
import { parseInstant } from '../../../model/instant';
import type { Failure } from '../../../problem';
import { decodeJson } from '../../../web/bodies/decode-body';
import { keysOf } from '../../keys/contract';
import { askSource } from '../asking/source';
import { type FormOutcome, pageForm, type SentForm, statusOf } from '../forms/page-form';
import { keysAddress, PATHS } from '../frame/address';
import type { SourceOfProvider } from '../overview/overview';
import { dateAfter, instantIn } from '../words/time-zone';
import { formIdOf } from './form-ids';
import { isOfConnector, KeysView, NewKeyView } from './key-views';

const FIELDS = struct(
  'form about a key',
  { act: enumeration('act', ['create', 'rotate', 'forget']) },
  { new_id: text, key: text, name: text, ends: text },
  {
    docs: {
      act: 'Whether to make a key, to make one in the place of another, or to remove one.',
      new_id: 'The id of the key that the form makes, from the page.',
      key: 'The id of the key that ends.',
      name: 'The name of the new key.',
      ends: 'The last day of the new key, in the time zone of the browser; empty: it does not end.',
    },
  },
);

/** What a form about a key says. */
interface Fields {
  readonly act: 'create' | 'rotate' | 'forget';
  readonly new_id?: string | null;
  readonly key?: string | null;
  readonly name?: string | null;
  readonly ends?: string | null;
}

type Sent = SentForm<Fields>;

const DATE = /^\d{4}-\d{2}-\d{2}$/;

/** A key that a form made, or nothing if the form only removed one. */
type Done = { readonly made: CreatedTeamKey; readonly replaces: boolean } | null;

const NO_KEY: Failure = {
  _tag: 'NotFound',
  message: 'This provider has no such key: somebody has forgotten it.',
};

/** A key that is limited to the provider of a data source; no other is changed here. */
const keyOf = (
  context: Context,
  { provider }: SourceOfProvider,
  id: string | null | undefined,
): TE.TaskEither<Failure, TeamKey> =>
  pipe(
    keysOf(context).ofProvider(provider.id),
    TE.map((keys) => keys.find((key) => key.id === id)),
    TE.flatMap((key) => (key === undefined ? TE.left(NO_KEY) : TE.right(key))),
  );

/** The last second of a day of a time zone; what is no day is left as it is written. */
const endOfDay = (written: string, zone: string): string => {
  if (!DATE.test(written) || parseInstant(`${written}T00:00:00Z`) === null) return written;
  const next = instantIn(zone, dateAfter(written, 1));
  return Number.isNaN(next) ? `${written}T23:59:59Z` : new Date(next - 1_000).toISOString();
};

/** Makes a key that only pushes to a provider, by the request that the interface reads. */
export const createKey = (
  { context, act }: Pick<SentForm<unknown>, 'context' | 'act'>,
  { provider }: SourceOfProvider,
  { id, name, ends }: { readonly id: string; readonly name: string; readonly ends: string | null },
): TE.TaskEither<Failure, CreatedTeamKey> =>
  pipe(
    decodeJson(CreateTeamKeyRequest, {
      name,
      scopes: ['push'],
      providers: [provider.id],
      expires_at: ends,
    }),
    E.flatMap((request) => teamKeyRecord.wanted(request, {})),
    TE.fromEither,
    TE.flatMap((wanted) => keysOf(context).create(wanted, act, id)),
  );

const create = (sent: Sent, of: SourceOfProvider): TE.TaskEither<Failure, Done> => {
  const { name, ends, new_id } = sent.fields;
  return pipe(
    TE.fromEither(formIdOf(new_id, 'new_id')),
    TE.flatMap((id) =>
      createKey(sent, of, {
        id,
        name: name ?? '',
        ends: ends == null ? null : endOfDay(ends, sent.reader.zone),
      }),
    ),
    TE.map((made) => ({ made, replaces: false })),
  );
};

const MAY_MORE: Failure = {
  _tag: 'Conflict',
  message:
    'This key may do more than push and read for this provider. Replace it with the HTTP interface.',
};

const rotate = (
  { context, fields: { key, new_id }, act }: Sent,
  of: SourceOfProvider,
): TE.TaskEither<Failure, Done> =>
  pipe(
    TE.fromEither(formIdOf(new_id, 'new_id')),
    TE.bindTo('newId'),
    TE.bind('old', () => keyOf(context, of, key)),
    TE.flatMap(({ newId, old }) =>
      !isOfConnector(old)
        ? TE.left(MAY_MORE)
        : keysOf(context).rotate(old.id, { validUntil: null, expiresAt: null }, act, newId),
    ),
    TE.map((made) => ({ made, replaces: true })),
  );

/** Removes a key. One that is gone already is as somebody wanted it. */
const forget = (
  { context, fields: { key }, act }: Sent,
  of: SourceOfProvider,
): TE.TaskEither<Failure, Done> =>
  pipe(
    keyOf(context, of, key),
    TE.flatMap(({ id }) => keysOf(context).remove(id, act)),
    TE.orElse((failure) => (failure._tag === 'NotFound' ? TE.right(undefined) : TE.left(failure))),
    TE.map(() => null),
  );

const ACTS = { create, rotate, forget };

/** Why a form made no key, above the page that has the keys and the form again. */
export const refusedKey =
  (
    { context }: Pick<SentForm<unknown>, 'context'>,
    of: SourceOfProvider,
    { name, ends }: Pick<Fields, 'name' | 'ends'> = {},
  ) =>
  (failure: Failure): TE.TaskEither<Failure, FormOutcome> =>
    pipe(
      keysOf(context).ofProvider(of.provider.id),
      TE.map((keys) => ({
        status: statusOf(failure),
        shown: {
          title: `Keys of ${of.provider.name}`,
          body: (
            <KeysView
              {...{ of, keys, refused: failure }}
              {...(name == null ? {} : { written: { name, ends: ends ?? '' } })}
            />
          ),
        },
      })),
    );

const isOfSender = ({ _tag }: Failure): boolean =>
  _tag === 'Invalid' || _tag === 'Conflict' || _tag === 'NotFound';

const outcomeOf = (sent: Sent, of: SourceOfProvider): TE.TaskEither<Failure, FormOutcome> =>
  pipe(
    ACTS[sent.fields.act](sent, of),
    TE.map((done): FormOutcome => {
      if (done === null) return { shown: { leadsTo: keysAddress(of.source.id) } };
      const { access_key: accessKey, name, expires_at: ends } = done.made;
      const lines = { of, base: sent.base, accessKey };
      return {
        shown: {
          title: `A key of ${of.provider.name}`,
          body: <NewKeyView {...{ name, ends, lines, replaces: done.replaces }} />,
        },
      };
    }),
    TE.orElse((failure) =>
      isOfSender(failure) ? refusedKey(sent, of, sent.fields)(failure) : TE.left(failure),
    ),
  );

/**
 * What forms about keys do, with the code of the interface. The answer that made a key is the only
 * one that has it: no address, header, record or line of the log does.
 */
export const keyForm = pageForm({
  path: `${PATHS.sources}/:id/keys`,
  readers: 'administrators',
  summary: 'Makes, replaces or removes a key that is limited to the provider.',
  more: 'console#register-a-system',
  fields: FIELDS,
  send: (sent: Sent) =>
    pipe(
      askSource(sent.context, sent.id),
      TE.flatMap((of) => outcomeOf(sent, of)),
    ),
});
