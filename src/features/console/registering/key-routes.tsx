import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { struct } from '../../../codec/struct';
import { enumeration, text } from '../../../codec/text';
import type { CreatedTeamKey } from '../../../contract/answers/sign-in/team-keys';
import { NoParameters } from '../../../contract/parameters/question-parameters';
import {
  CreateTeamKeyRequest,
  type TeamKey,
  teamKeyRecord,
} from '../../../contract/records/team-key';
import type { Context } from '../../../context';
import { parseInstant } from '../../../model/instant';
import { API_CODE_OF, API_CODES, type Failure } from '../../../problem';
import { actOf } from '../../../web/admission/caller';
import { decodeJson } from '../../../web/bodies/decode-body';
import { decodeForm } from '../../../web/bodies/form';
import { absoluteBase } from '../../../web/exchange/public-address';
import { takesNone } from '../../../web/lists/list-query';
import type { Route } from '../../../web/routing/route';
import type { Web } from '../../../web/routing/web';
import { keysOf } from '../../keys/contract';
import { form } from '../../sign-in/contract';
import { askSource } from '../asking/source';
import { keysAddress, PATHS } from '../frame/address';
import type { Page, Shown } from '../frame/page';
import { ADMINISTRATORS, zoneOf } from '../frame/reader';
import { showing } from '../frame/show-page';
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

/** The request that makes a key for a provider, as the interface reads it. */
const create = (
  context: Context,
  { provider }: SourceOfProvider,
  { name, ends, new_id }: Fields,
  res: Response,
): TE.TaskEither<Failure, Done> =>
  pipe(
    E.Do,
    E.bind('id', () => formIdOf(new_id, 'new_id')),
    E.bind('request', () =>
      decodeJson(CreateTeamKeyRequest, {
        ...{ name: name ?? '', scopes: ['push'], providers: [provider.id] },
        expires_at: ends == null ? ends : endOfDay(ends, zoneOf(res.req)),
      }),
    ),
    E.bind('wanted', ({ request }) => teamKeyRecord.wanted(request, {})),
    TE.fromEither,
    TE.flatMap(({ wanted, id }) => keysOf(context).create(wanted, actOf(res), id)),
    TE.map((made) => ({ made, replaces: false })),
  );

const MAY_MORE: Failure = {
  _tag: 'Conflict',
  message:
    'This key may do more than push and read for this provider. Replace it with the HTTP interface.',
};

const rotate = (
  context: Context,
  of: SourceOfProvider,
  { key, new_id }: Fields,
  res: Response,
): TE.TaskEither<Failure, Done> =>
  pipe(
    TE.fromEither(formIdOf(new_id, 'new_id')),
    TE.bindTo('newId'),
    TE.bind('old', () => keyOf(context, of, key)),
    TE.flatMap(({ newId, old }) =>
      !isOfConnector(old)
        ? TE.left(MAY_MORE)
        : keysOf(context).rotate(old.id, { validUntil: null, expiresAt: null }, actOf(res), newId),
    ),
    TE.map((made) => ({ made, replaces: true })),
  );

/** Removes a key. One that is gone already is as somebody wanted it. */
const forget = (
  context: Context,
  of: SourceOfProvider,
  { key }: Fields,
  res: Response,
): TE.TaskEither<Failure, Done> =>
  pipe(
    keyOf(context, of, key),
    TE.flatMap(({ id }) => keysOf(context).remove(id, actOf(res))),
    TE.orElse((failure) => (failure._tag === 'NotFound' ? TE.right(undefined) : TE.left(failure))),
    TE.map(() => null),
  );

const ACTS = { create, rotate, forget };

/** A page, and its status. */
interface Outcome {
  readonly shown: Shown;
  readonly status: number;
}

/** What a form did not do, above the page that has the form again. */
const refused =
  (context: Context, of: SourceOfProvider, { name, ends }: Fields) =>
  (failure: Failure): TE.TaskEither<Failure, Outcome> =>
    pipe(
      keysOf(context).ofProvider(of.provider.id),
      TE.map((keys) => ({
        status: API_CODES[API_CODE_OF[failure._tag]].status,
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

/**
 * What forms about keys do, with the code of the interface. The answer that made a key is the only
 * one that has it: no address, header, record or line of the log does.
 */
export const keyRoutes = (
  pages: readonly Page[],
  { handle }: Pick<Web, 'handle'>,
  context: Context,
): readonly Route[] => {
  const { show } = showing(pages, context);
  const outcomeOf = (of: SourceOfProvider, fields: Fields, req: Request, res: Response) =>
    pipe(
      ACTS[fields.act](context, of, fields, res),
      TE.map((done): Outcome => {
        if (done === null) return { shown: { leadsTo: keysAddress(of.source.id) }, status: 200 };
        const { access_key: accessKey, name, expires_at: ends } = done.made;
        const lines = { of, base: absoluteBase(req), accessKey };
        return {
          shown: {
            title: `A key of ${of.provider.name}`,
            body: <NewKeyView {...{ name, ends, lines, replaces: done.replaces }} />,
          },
          status: 200,
        };
      }),
      TE.orElse((failure) =>
        isOfSender(failure) ? refused(context, of, fields)(failure) : TE.left(failure),
      ),
    );
  return [
    {
      ...form({
        path: `${PATHS.sources}/:id/keys`,
        people: ADMINISTRATORS,
        summary: 'Makes, replaces or removes a key that is limited to the provider.',
        more: 'console#register-a-system',
        query: NoParameters,
        form: FIELDS,
        handler: handle((req, res) =>
          pipe(
            TE.fromEither(takesNone(req)),
            TE.flatMap(() => askSource(context, String(req.params.id))),
            TE.bindTo('of'),
            TE.bind('fields', () => TE.fromEither(decodeForm(FIELDS, res))),
            TE.flatMap(({ of, fields }) => outcomeOf(of, fields, req, res)),
            TE.flatMap(({ shown, status }) => show(res, shown, status)),
          ),
        ),
      }),
      idsMayHoldColons: true,
    },
  ];
};
