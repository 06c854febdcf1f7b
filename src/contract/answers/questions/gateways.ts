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

/** Gateways, or what would be lost without one. */
export const GatewayAnswer = oneOf('gateways or losses', Gateways, WithoutGateway);
export type GatewayAnswer = t.TypeOf<typeof GatewayAnswer>;
export type Gateways = t.TypeOf<typeof Gateways>;
export type WithoutGateway = t.TypeOf<typeof WithoutGateway>;
