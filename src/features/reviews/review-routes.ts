import type { Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Codec } from '../../codec/codec';
import type { Context } from '../../context';
import { filtered } from '../../contract/filter';
import { LIST_TOKEN_PLACES, pageOf, readToken, writeToken } from '../../contract/page';
import { NoParameters, textsOf } from '../../contract/parameters/query-parameters';
import { toFailure } from '../../neo4j/failure';
import type { Runner } from '../../neo4j/transaction';
import { badRequest, type Failure } from '../../problem';
import { actOf, callerOf } from '../../web/admission/caller';
import { keyOf } from '../../web/admission/turns';
import { decodeBody } from '../../web/bodies/decode-body';
import { Sent } from '../../web/exchange/answer-stream';
import { tellExport } from '../../web/exchange/tell-export';
import { type ListFields, listQuery, queryOf } from '../../web/lists/list-query';
import { route, type Route } from '../../web/routing/route';
import type { Web } from '../../web/routing/web';
import { cancelReview, closeReview, createReview, decide, except, reassign, remind } from './acts';
import { appoint } from './appoint';
import { itemAnswers, readPeople, reviewAnswer } from './answers';
import {
  APPLICATION_ORDERS,
  AppointRequest,
  CloseRequest,
  CreateReviewRequest,
  DecideRequest,
  endpoints,
  ExceptRequest,
  OpenReviewRequest,
  ReassignRequest,
  REVIEW_ORDERS,
  SendRequest,
  CancelRequest,
} from './endpoints';
import { evidenceOf } from './evidence/evidence';
import { openReview } from './open-review';
import { send } from './sending/send';
import { verifyReview } from './evidence/verify-review';
import { reviewedApplications } from './schedule/reviewed-applications';
import { wantedReview } from './reading/wanted';
import { inWholeTurn, planDraft } from './reading/whole';
import { listItems, listReviews, readItems, readReview } from './stored/store';
import { readToAct } from './stored/transactions';

const REVIEW_FIELDS: ListFields = {
  filtered: ['id', 'name', 'state', 'created_at', 'due'],
  ordered: REVIEW_ORDERS,
  usual: { field: 'created_at', isDescending: true },
  tokenPlaces: LIST_TOKEN_PLACES,
};

const APPLICATION_FIELDS: ListFields = {
  filtered: ['id', 'name', 'data_source', 'source', 'provider', 'status', 'next_due'],
  ordered: APPLICATION_ORDERS,
  usual: { field: 'name', isDescending: false },
  tokenPlaces: LIST_TOKEN_PLACES,
};

const ITEMS_OF_PAGE = 100;
const MOST_OF_PAGE = 1_000;

const working = <A>(work: () => Promise<A>): TE.TaskEither<Failure, A> =>
  TE.tryCatch(work, toFailure);

/** The endpoints of reviews (docs/reviews.md). */
export const reviewRoutes = ({ handle }: Web, context: Context): readonly Route[] => {
  const read = <A>(work: (tx: Runner) => Promise<A>): Promise<A> => readToAct(context, work);
  const answerOf = (id: string) =>
    read(async (tx) => ({ value: await reviewAnswer(tx, await readReview(tx, id)) }));
  const idOf = (req: { readonly params: Readonly<Record<string, unknown>> }): string =>
    String(req.params.reviewId);
  const toldItems = (id: string, numbers: readonly number[]) =>
    read(async (tx) => {
      const stored = await readReview(tx, id);
      return { values: await itemAnswers(tx, stored, await readItems(tx, stored, numbers)) };
    });
  const inTurn = <A>(res: Response, work: () => Promise<A>): TE.TaskEither<Failure, A> =>
    inWholeTurn(context, keyOf(callerOf(res)), work);
  const atOnce = <A>(_: Response, work: () => Promise<A>): TE.TaskEither<Failure, A> =>
    working(work);
  /** Handles an act with a body: the review must exist before the body counts. */
  const acting = <B, A extends object>(
    body: Codec<B>,
    work: (id: string, body: B, res: Response) => Promise<A>,
    run: typeof inTurn = atOnce,
  ) =>
    handle<A>((req, res) =>
      pipe(
        TE.fromEither(queryOf(NoParameters, req)),
        TE.flatMap(() => working(() => read((tx) => readReview(tx, idOf(req))))),
        TE.flatMap(() => decodeBody(body, req, res)),
        TE.flatMap((decoded) => run(res, () => work(idOf(req), decoded, res))),
      ),
    );
  /** Answers a page of rows that are all read first. */
  const listing = <B, A extends { readonly id: string; readonly name: string }>(
    parameters: Codec<B>,
    fields: ListFields,
    rows: () => Promise<readonly A[]>,
  ) =>
    handle((req) =>
      pipe(
        TE.fromEither(queryOf(parameters, req)),
        TE.flatMap(() => TE.fromEither(listQuery(req, fields))),
        TE.flatMap(({ filter, page }) =>
          working(async () => pageOf(filtered(await rows(), filter), page)),
        ),
      ),
    );
  return [
    route({
      ...endpoints.list,
      handler: listing(endpoints.list.query, REVIEW_FIELDS, async () =>
        (await read(listReviews)).map(({ review }) => review),
      ),
    }),
    route({
      ...endpoints.create,
      handler: handle((req, res) =>
        pipe(
          TE.fromEither(queryOf(NoParameters, req)),
          TE.flatMap(() => decodeBody(CreateReviewRequest, req, res)),
          TE.flatMapEither((request) => wantedReview(request)),
          TE.flatMap((wanted) =>
            working(async () => answerOf((await createReview(context, wanted)).review.id)),
          ),
        ),
      ),
    }),
    route({
      ...endpoints.applications,
      handler: listing(endpoints.applications.query, APPLICATION_FIELDS, () =>
        reviewedApplications(context),
      ),
    }),
    route({
      ...endpoints.read,
      handler: handle((req) =>
        pipe(
          TE.fromEither(queryOf(NoParameters, req)),
          TE.flatMap(() => working(() => answerOf(idOf(req)))),
        ),
      ),
    }),
    route({
      ...endpoints.plan,
      handler: handle((req, res) =>
        pipe(
          TE.fromEither(queryOf(NoParameters, req)),
          TE.flatMap(() =>
            inTurn(res, async () => ({ value: await planDraft(context, idOf(req)) })),
          ),
        ),
      ),
    }),
    route({
      ...endpoints.open,
      // An opening plans the review again.
      handler: acting(
        OpenReviewRequest,
        async (id, body, res) => {
          await openReview(context, id, body, actOf(res));
          context.wake();
          return answerOf(id);
        },
        inTurn,
      ),
    }),
    route({
      ...endpoints.items,
      handler: handle((req) =>
        pipe(
          TE.fromEither(queryOf(endpoints.items.query, req)),
          TE.bindTo('asked'),
          TE.bind('after', ({ asked }) =>
            TE.fromEither(E.mapLeft(badRequest)(readToken(asked.page_token ?? '', 1))),
          ),
          TE.flatMap(({ asked, after }) =>
            working(() =>
              read(async (tx) => {
                const stored = await readReview(tx, idOf(req));
                const size = Math.min(Number(asked.page_size || ITEMS_OF_PAGE), MOST_OF_PAGE);
                const filter = {
                  states: textsOf(asked.state),
                  marks: textsOf(asked.mark),
                  reviewers: asked.reviewer ? [asked.reviewer] : [],
                };
                const begin = Number(after?.[0] ?? 0) || 0;
                const found = await listItems(tx, stored, filter, begin, size + 1);
                const page = found.slice(0, size);
                const has_more = found.length > size;
                return {
                  values: await itemAnswers(tx, stored, page),
                  has_more,
                  next_page_token: has_more ? writeToken([String(page.at(-1)?.number ?? 0)]) : '',
                };
              }),
            ),
          ),
        ),
      ),
    }),
    route({
      ...endpoints.decide,
      handler: acting(DecideRequest, async (id, body, res) =>
        toldItems(id, await decide(context, id, body, actOf(res))),
      ),
    }),
    route({
      ...endpoints.reassign,
      handler: acting(ReassignRequest, async (id, body, res) =>
        toldItems(id, await reassign(context, id, body, actOf(res))),
      ),
    }),
    route({
      ...endpoints.remind,
      handler: handle((req, res) =>
        pipe(
          TE.fromEither(queryOf(NoParameters, req)),
          TE.flatMap(() =>
            working(async () => {
              const pending = await remind(context, idOf(req), actOf(res));
              return read(async (tx) => {
                const { run } = await readReview(tx, idOf(req));
                const people = await readPeople(
                  tx,
                  run,
                  pending.map(({ alias }) => alias),
                );
                const nameOf = (alias: string): string | null => {
                  const name = people.get(alias)?.name;
                  return typeof name === 'string' ? name : null;
                };
                return { values: pending.map((each) => ({ ...each, name: nameOf(each.alias) })) };
              });
            }),
          ),
        ),
      ),
    }),
    route({
      ...endpoints.except,
      handler: acting(ExceptRequest, async (id, body, res) =>
        toldItems(id, await except(context, id, body, actOf(res))),
      ),
    }),
    route({
      ...endpoints.send,
      handler: acting(SendRequest, async (id, body, res) => {
        const sending = await send(context, id, body, actOf(res));
        if (sending.sent) context.wake();
        return sending;
      }),
    }),
    route({
      ...endpoints.close,
      handler: acting(CloseRequest, async (id, body, res) => {
        await closeReview(context, id, body, actOf(res));
        context.wake();
        return answerOf(id);
      }),
    }),
    route({
      ...endpoints.cancel,
      handler: acting(CancelRequest, async (id, body, res) => {
        await cancelReview(context, id, body, actOf(res));
        return answerOf(id);
      }),
    }),
    route({
      ...endpoints.appoint,
      handler: acting(AppointRequest, async (id, body, res) => {
        await appoint(context, id, body, actOf(res));
        return answerOf(id);
      }),
    }),
    {
      ...endpoints.evidence,
      handler: handle((req, res) =>
        pipe(
          TE.fromEither(queryOf(NoParameters, req)),
          TE.flatMap(() => inTurn(res, () => evidenceOf(context, idOf(req)))),
          TE.tap(() =>
            tellExport(res, {
              what: 'evidence of a review',
              inWords: 'The evidence of a review',
              format: 'zip',
              parameters: { review: idOf(req) },
            }),
          ),
          TE.map((zip) => {
            res.type('application/zip').attachment('evidence.zip').send(zip);
            return new Sent();
          }),
        ),
      ),
    },
    route({
      ...endpoints.verify,
      handler: handle((req, res) =>
        pipe(
          TE.fromEither(queryOf(NoParameters, req)),
          TE.flatMap(() => inTurn(res, () => verifyReview(context, idOf(req)))),
        ),
      ),
    }),
  ];
};
