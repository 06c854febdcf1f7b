import type * as t from 'io-ts';

import { list } from '../../../codec/collections';
import { exact, has, oneOf } from '../../../codec/exact';
import { HeldPermission, Summary } from './access';
import { answerEnd } from '../page';
import { count } from '../values';

const Gateway = exact('gateway', {
  ...Summary.fields,
  people: has(count, 'How many of the humans are in it, directly or through other groups.'),
});

/** Through which groups humans reach a resource (docs/rules.md: Gateways). */
const Gateways = exact('gateways to a resource', {
  resource: has(Summary, 'What the question is about.'),
  people: has(count, 'How many humans can reach it.'),
  direct: has(count, 'How many of them are in none of the groups.'),
  values: has(
    list(Gateway),
    'The groups that have access themselves, those with most humans first.',
  ),
  ...answerEnd,
});

const Loss = exact('loss of access', {
  ...Summary.fields,
  lost: has(list(HeldPermission), 'What the human could no longer do.'),
  left: has(list(HeldPermission), 'What the human could still do there. Empty: nothing.'),
});
export type Loss = t.TypeOf<typeof Loss>;

/** Who would lose what on a resource if nobody gained through a gateway. */
const WithoutGateway = exact('losses without a gateway', {
  resource: has(Summary, 'What the question is about.'),
  without: has(Summary, 'Through what nobody would gain.'),
  people: has(count, 'How many humans can reach the resource now.'),
  values: has(list(Loss), 'Those who would lose something, by name.'),
  ...answerEnd,
});

const LossOnResource = exact('loss on a resource', {
  ...Summary.fields,
  lost: has(list(HeldPermission), 'What the human could no longer do there.'),
  left: has(list(HeldPermission), 'What the human could still do there. Empty: nothing.'),
});

const TotalLoss = exact('loss of a human', {
  ...Summary.fields,
  resources: has(count, 'On how many resources and applications the human would lose something.'),
  gone: has(count, 'On how many of them nothing would remain.'),
  losses: has(
    list(LossOnResource),
    'What exactly, by name: all, or the first if the answer has no room for all.',
  ),
});
export type TotalLoss = t.TypeOf<typeof TotalLoss>;

/** Who would lose what anywhere if nobody gained through a gateway. */
const EmptiedGateway = exact('losses everywhere', {
  without: has(Summary, 'Through what nobody would gain.'),
  people: has(count, 'How many humans gain through it now.'),
  others: has(count, 'How many others gain through it, who belong to no human.'),
  resources: has(count, 'On how many resources and applications somebody would lose something.'),
  values: has(list(TotalLoss), 'The humans who would lose something, by name.'),
  ...answerEnd,
});
export type EmptiedGateway = t.TypeOf<typeof EmptiedGateway>;

/** Gateways, or what would be lost without one. */
export const GatewayAnswer = oneOf(
  'gateways or losses',
  ...([Gateways, WithoutGateway, EmptiedGateway] as const),
);
export type GatewayAnswer = t.TypeOf<typeof GatewayAnswer>;
export type Gateways = t.TypeOf<typeof Gateways>;
export type WithoutGateway = t.TypeOf<typeof WithoutGateway>;
