import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Client } from '../../client/client';
import { collectFirst } from '../../client/collect-list';
import { pathOf } from '../../contract/parameters/path-of';
import {
  endpoints,
  type PlanAnswer,
  type ReviewAnswer,
  type CreateReviewRequest,
  type ReviewValue,
} from './endpoints';
import {
  asking,
  command,
  type Context,
  refuseIgnored,
  type ServiceOptions,
  serviceOptions,
  Unsuccessful,
  WrongUsage,
} from '../../command/context';
import { requireNewFile } from '../../command/new-file';
import { EXIT, printFirst } from '../../command/output';
import { readJson } from '../../command/read-json';

const ACTIONS = [
  'list',
  'applications',
  'show',
  'create',
  'plan',
  'open',
  'items',
  'remind',
  'appoint',
  'close',
  'send',
  'cancel',
  'evidence',
  'verify',
] as const;
type Action = (typeof ACTIONS)[number];

interface ReviewsArguments extends ServiceOptions {
  readonly action: Action;
  readonly review: string | undefined;
  readonly file: string | undefined;
  readonly token: string | undefined;
  readonly as: string | undefined;
  readonly reason: string | undefined;
  readonly acknowledge: string | undefined;
  readonly owner: string | undefined;
  readonly fallback: string | undefined;
  readonly state: readonly string[] | undefined;
  readonly mark: readonly string[] | undefined;
  readonly reviewer: string | undefined;
  readonly item: readonly number[] | undefined;
  readonly most: number;
}

/** The options that each action uses. The others would be ignored, so they are refused. */
const USED: Readonly<Record<Action, readonly string[]>> = {
  list: [],
  applications: [],
  show: [],
  plan: [],
  remind: [],
  verify: [],
  create: ['file'],
  open: ['token', 'as', 'acknowledge'],
  items: ['state', 'mark', 'reviewer'],
  appoint: ['owner', 'fallback', 'reason'],
  send: ['item', 'token', 'as'],
  close: ['as', 'reason'],
  cancel: ['as', 'reason'],
  evidence: ['file'],
};

const needed = (args: ReviewsArguments, option: 'review' | 'file' | 'as' | 'reason'): string => {
  const value = args[option];
  if (value !== undefined) return value;
  const named = option === 'review' ? 'review' : `--${option}`;
  throw new WrongUsage(`reviews ${args.action}: name the ${named}.`);
};

type Review = ReviewAnswer['review'];

/** The review of an id, or the only one of a name that was not cancelled. */
const reviewNamed = async (client: Client, name: string): Promise<Review> => {
  const found: Review[] = [];
  for await (const review of client.entries(endpoints.list, {})) {
    if (review.id === name) return review;
    if (review.name === name && review.state !== 'cancelled') found.push(review);
  }
  const [review, ...others] = found;
  if (review === undefined) throw new WrongUsage(`There is no review ${JSON.stringify(name)}.`);
  if (others.length > 0) {
    throw new WrongUsage(`Several reviews are called ${JSON.stringify(name)}: use the id of one.`);
  }
  return review;
};

const lineOf = ({ id, name, state }: Review): string => `${JSON.stringify(name)} ${state} (${id})`;

const countsIn = (counts: Readonly<Record<string, number>>): string =>
  Object.entries(counts)
    .map(([name, number]) => `${name} ${number}`)
    .join(', ');

const print = ({ output }: Context, { value }: ReviewValue): void => {
  const { review, numbers, remediation } = value;
  output.answer(value, [
    lineOf(review),
    ...(numbers === null ? [] : [`Items: ${countsIn(numbers)}.`]),
    ...(remediation === null ? [] : [`Revokes: ${countsIn(remediation)}.`]),
  ]);
};

const linesOfPlan = (plan: PlanAnswer): readonly string[] => [
  `${plan.items} items, of which ${plan.carried} are carried over. ${plan.without_reviewer} have no reviewer.`,
  ...plan.reviewers.map(({ name, items, minutes }) => `${name}: ${items} items, ${minutes} min`),
  ...plan.sources
    .filter(({ is_stale, has_failed }) => is_stale || has_failed)
    .map(({ name, has_failed }) => `${name} ${has_failed ? 'failed the last time' : 'is stale'}.`),
  `${plan.coverage.reviewed} of ${plan.coverage.pairs} pairs are items of this review.`,
  `Open it with: --token ${plan.token}`,
];

/** Opens a review; one reason acknowledges all of its stale and failed sources. */
const open = async (
  context: Context,
  reviewId: string,
  { token, as, acknowledge }: ReviewsArguments,
): Promise<void> => {
  if (token === undefined) throw new WrongUsage('reviews open: name the --token of the plan.');
  const { client } = context;
  const ids = { reviewId };
  const acknowledged =
    acknowledge === undefined
      ? []
      : (await client.call(endpoints.plan, ids)).value.sources
          .filter(({ is_stale, has_failed }) => is_stale || has_failed)
          .map(({ data_source }) => ({ data_source, reason: acknowledge }));
  const body = { token, on_behalf_of: as, acknowledged };
  print(context, await client.call(endpoints.open, ids, { body }));
};

/** As many items as one request names. */
const MOST_SENT = 100;

/** The first revokes whose fact exists. */
const leftItems = async (client: Client, reviewId: string): Promise<readonly number[]> => {
  const left: number[] = [];
  const found = client.entries(endpoints.items, { reviewId }, { state: ['revoke'] });
  for await (const { number, remediation } of found) {
    if (!['ordered', 'came_back'].includes(remediation?.state ?? '')) continue;
    left.push(number);
    if (left.length === MOST_SENT) break;
  }
  return left;
};

/** Says what of revokes would be sent over SCIM, or sends it. */
const send = async (
  { client, output }: Context,
  reviewId: string,
  { item, token, as }: ReviewsArguments,
): Promise<void> => {
  const items = item ?? (await leftItems(client, reviewId));
  if (items.length === 0) {
    output.answer({ sent: false, token: null, values: [] }, ['No revoke is left to send.']);
    return;
  }
  const body = { items, token, on_behalf_of: as };
  const sending = await client.call(endpoints.send, { reviewId }, { body });
  const { values, sent } = sending;
  output.answer(sending, [
    ...values.map(({ item: number, goes_out, what, why }) => {
      const becomes = goes_out
        ? `${sent ? 'sent' : 'would be sent'}: ${what}`
        : `a task: ${why ?? ''}`;
      return `Item ${number}: ${becomes}`;
    }),
    ...(sent || sending.token === null ? [] : [`Send it with: --token ${sending.token}`]),
  ]);
};

/** Writes the evidence to a new file. */
const writeEvidence = async ({ client, output }: Context, reviewId: string, file: string) => {
  await requireNewFile(file);
  const { body } = await client.open(pathOf(endpoints.evidence, { reviewId }), {});
  if (body === null) throw new Unsuccessful(EXIT.unavailable);
  await pipeline(
    Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]),
    createWriteStream(file, { flags: 'wx', mode: 0o600 }),
  );
  output.answer({ file }, [`Written: ${file}.`]);
};

/** `grantgraph reviews`: access reviews. */
export const reviewsCommand = command<ReviewsArguments>({
  command: 'reviews [action] [review]',
  describe:
    'List, create, plan, open, close and verify access reviews, send revokes, and write their evidence',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('action', { choices: ACTIONS, default: 'list', describe: 'What to do' })
      .positional('review', { type: 'string', describe: 'Id or name of the review' })
      .options({
        file: {
          type: 'string',
          describe:
            'JSON of the review to create (- reads the input), or the new file of the evidence',
        },
        token: {
          type: 'string',
          describe: 'What the plan says, to open the review; or what send says, to send it',
        },
        as: {
          type: 'string',
          describe: 'Key of the person who opens, closes, sends or cancels it',
        },
        reason: { type: 'string', describe: 'Why; of a closing: what its owner attests' },
        acknowledge: {
          type: 'string',
          describe: 'Why it opens although sources are stale or failed',
        },
        owner: { type: 'string', describe: 'Key of the next owner' },
        fallback: { type: 'string', describe: 'Key of the next fallback' },
        state: { type: 'string', array: true, describe: 'Items in these states' },
        mark: { type: 'string', array: true, describe: 'Items with one of these marks' },
        reviewer: { type: 'string', describe: 'Items of this reviewer, by alias' },
        item: { type: 'number', array: true, describe: 'Numbers of revoked items to send' },
        most: { type: 'number', default: 100, describe: 'How many to list at most' },
      })
      .example('$0 reviews plan "Forge, fourth quarter"', 'What the review would be about')
      .example('$0 reviews items "Forge, fourth quarter" --state pending', 'What nobody decided')
      .example('$0 reviews evidence "Forge, fourth quarter" --file evidence.zip', 'For auditors'),
  handler: asking<ReviewsArguments>(async (context, args) => {
    const { client, output } = context;
    refuseIgnored('reviews', args, USED);
    if (args.action === 'list' || args.action === 'applications') {
      const [list, columns] =
        args.action === 'list'
          ? [client.entries(endpoints.list, {}), ['name', 'state', 'due', 'at', 'cadence', 'id']]
          : [
              client.entries(endpoints.applications, {}),
              ['name', 'provider', 'status', 'last_reviewed', 'next_due', 'owner', 'why'],
            ];
      printFirst(output, await collectFirst<object>(list, args.most), columns);
      return;
    }
    if (args.action === 'create') {
      const advice = 'reviews create: name the --file of the review';
      // The service checks what the file holds.
      const body = (await readJson(args.file, advice)) as CreateReviewRequest;
      print(context, await client.call(endpoints.create, {}, { body }));
      return;
    }
    const { id } = await reviewNamed(client, needed(args, 'review'));
    const ids = { reviewId: id };
    switch (args.action) {
      case 'show':
        return print(context, await client.call(endpoints.read, ids));
      case 'plan': {
        const { value } = await client.call(endpoints.plan, ids);
        output.answer(value, linesOfPlan(value));
        return;
      }
      case 'open':
        return open(context, id, args);
      case 'items': {
        const { state, mark, reviewer, most } = args;
        const items = client.entries(endpoints.items, ids, { state, mark, reviewer });
        const { rows, isCut } = await collectFirst(items, most);
        const inWords = rows.map(({ shown, ...item }) => ({
          ...item,
          holder: shown?.holder.name ?? null,
          holds: shown?.holds ?? null,
        }));
        printFirst(output, { rows: inWords, isCut }, [
          'number',
          'state',
          'holder',
          'holds',
          'marks',
          'reviewer',
        ]);
        return;
      }
      case 'remind': {
        const { values } = await client.call(endpoints.remind, ids);
        output.rows(values, ['alias', 'name', 'pending']);
        return;
      }
      case 'appoint': {
        const { owner, fallback } = args;
        const body = { owner, fallback, reason: needed(args, 'reason') };
        return print(context, await client.call(endpoints.appoint, ids, { body }));
      }
      case 'close': {
        const body = { on_behalf_of: needed(args, 'as'), attestation: needed(args, 'reason') };
        return print(context, await client.call(endpoints.close, ids, { body }));
      }
      case 'send':
        return send(context, id, args);
      case 'cancel': {
        const body = { on_behalf_of: args.as, reason: needed(args, 'reason') };
        return print(context, await client.call(endpoints.cancel, ids, { body }));
      }
      case 'evidence':
        return writeEvidence(context, id, needed(args, 'file'));
      case 'verify': {
        const found = await client.call(endpoints.verify, ids);
        const { verified, checked, findings } = found;
        output.answer(found, [
          ...checked.map((what) => `Compared: ${what}.`),
          ...(verified ? ['Nothing differs.'] : findings),
        ]);
        if (!verified) throw new Unsuccessful(EXIT.refused);
        return;
      }
    }
  }),
});
