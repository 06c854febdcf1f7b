import type { TaskEither } from 'fp-ts/TaskEither';

import { Effort, inOrder, type Pieces } from '../../access/pieces';
import type { Permissions } from '../../access/effective-access';
import { gatewaysAmong, type LossFound, lossesOf } from '../../access/gateways';
import { NONE } from '../../access/access-graph';
import { emptied, type EmptiedNode, type Losses } from '../../access/comparison/emptied';
import {
  ANY_ROW,
  countedIn,
  type ListedRows,
  reachingRows,
  typesIn,
} from '../../access/lists/lists';
import type { HeldPermission, Summary } from '../../contract/answers/questions/access';
import type { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import { notThere } from '../instant/existed';
import type { Answered } from '../answering/answered';
import { type Asked, type AskMemory, hasFailed } from '../memory/asked-in-memory';
import type { Listed } from './access-lists';

/** The groups through which humans reach a resource. */
export interface Gateways {
  readonly of: Summary;
  readonly people: number;
  /** How many humans are in none of the groups. */
  readonly direct: number;
  readonly gateways: readonly { readonly about: Summary; readonly people: number }[];
}

/** What a human would lose, and what would remain. */
export interface Loss {
  readonly about: Summary;
  readonly lost: readonly HeldPermission[];
  readonly left: readonly HeldPermission[];
}

/** Who would lose what on a resource without a gateway. */
export interface WithoutGateway {
  readonly of: Summary;
  readonly without: Summary;
  /** How many humans reach the resource now. */
  readonly people: number;
  readonly losses: readonly Loss[];
}

/** What a human would lose on all resources and applications together. */
export interface TotalLoss {
  readonly about: Summary;
  /** On how many resources and applications; and on how many of them nothing would remain. */
  readonly resources: number;
  readonly gone: number;
  /** The losses, by name. The answer has only the first ones if it has no room for all. */
  readonly losses: readonly Loss[];
}

/** Who would lose what anywhere if nobody gained through a gateway. */
export interface Emptied {
  readonly without: Summary;
  /** How many humans, and how many others, gain through it now. */
  readonly people: number;
  readonly others: number;
  /** On how many resources and applications somebody would lose something. */
  readonly resources: number;
  readonly losers: readonly TotalLoss[];
}

/** What narrows a question about gateways. */
export type Counted = Pick<Listed, 'permissions' | 'permissionTypes'>;

/** What a question about gateways asks about. */
export interface Reached extends Pick<Listed, 'contents' | 'permissions' | 'permissionTypes'> {
  readonly resource: string;
}

/** How many losses one answer lists, since it has no pages. */
const MOST_LOSSES = 10_000;

/** How many permissions these losses have. */
const MOST_HELD = 200_000;

const tooMany = ({ contents }: Reached): Failure => ({
  _tag: 'TooLarge',
  message: `More than ${MOST_LOSSES} people would lose something, or they have more than ${MOST_HELD} permissions. Ask about a permission, or about ${contents ? 'it without its contents' : 'a resource further down'}.`,
});

const heldPermissions = (permissions: Permissions): readonly HeldPermission[] =>
  permissions.map((permission) => ({
    name: permission.name,
    permission_type: typesIn(permission),
  }));

/** All who reach a resource, with the humans among them. */
const rowsOf = (
  { then: { access, moment } }: Asked,
  place: number,
  { contents, permissions, permissionTypes }: Reached,
): Pieces<ListedRows> => {
  const filter = { ...ANY_ROW, permissions, permissionTypes };
  return reachingRows(access, place, { ...filter, form: 'people', contents }, moment);
};

function* findGateways(
  asked: Asked,
  place: number,
  reached: Reached,
): Pieces<Omit<Gateways, 'of'>> {
  const { access, graph, moment } = asked.then;
  const { nodes: humans, permissions } = yield* rowsOf(asked, place, reached);
  const { groups, direct } = yield* gatewaysAmong(access, permissions.keys(), humans, moment);
  const byName = graph.byName(moment);
  const gateways = [...groups]
    .sort((a, b) => b.people - a.people || byName(a.node, b.node))
    .map(({ node, people }) => ({ about: asked.summary(node), people }));
  return { people: humans.length, direct, gateways };
}

function* findLosses(
  asked: Asked,
  place: number,
  gateway: number,
  reached: Reached,
): Pieces<Omit<WithoutGateway, 'of' | 'without'> | null> {
  const { access, graph, moment } = asked.then;
  const { nodes: humans, permissions } = yield* rowsOf(asked, place, reached);
  const left = yield* access.reaching(place, reached.contents, moment, gateway);
  const losses = lossesOf(
    humans.map((node) => [node, permissions.get(node) ?? []] as const),
    left,
  );
  const held = losses.reduce((sum, each) => sum + each.lost.length + each.left.length, 0);
  if (losses.length > MOST_LOSSES || held > MOST_HELD) return null;
  const byName = graph.byName(moment);
  const asLoss = (loss: LossFound): Loss => ({
    about: asked.summary(loss.node),
    lost: heldPermissions(loss.lost),
    left: heldPermissions(loss.left),
  });
  return {
    people: humans.length,
    losses: [...losses].sort((a, b) => byName(a.node, b.node)).map(asLoss),
  };
}

function* gatewaysTo(asked: Asked, reached: Reached): Pieces<Gateways | Failure> {
  const place = asked.place(reached.resource);
  if (hasFailed(place)) return place;
  return { of: place.about, ...(yield* findGateways(asked, place.node, reached)) };
}

function* lossesWithout(
  asked: Asked,
  reached: Reached,
  gateway: string,
  at: Instant | null,
): Pieces<WithoutGateway | Failure> {
  const place = asked.place(reached.resource);
  if (hasFailed(place)) return place;
  const principal = asked.principal(gateway);
  if (principal === null) return notThere('principal', at);
  const losses = yield* findLosses(asked, place.node, principal.node, reached);
  if (losses === null) return tooMany(reached);
  return { of: place.about, without: principal.about, ...losses };
}

/** The room that an answer has for losses. Once one has no room, no more are taken. */
class Room {
  private losses = MOST_LOSSES;
  private held = MOST_HELD;

  get isFull(): boolean {
    return this.losses === 0;
  }

  /** The first of some losses, as many as have room. */
  taken<L extends Record<'lost' | 'left', readonly unknown[]>>(some: readonly L[]): readonly L[] {
    const taken: L[] = [];
    for (const loss of some) {
      this.held -= loss.lost.length + loss.left.length;
      if (this.held < 0) this.losses = 0;
      if (this.isFull) break;
      this.losses -= 1;
      taken.push(loss);
    }
    return taken;
  }
}

const tooManyLosers: Failure = {
  _tag: 'TooLarge',
  message: `More than ${MOST_LOSSES} people would lose something. Ask about a permission, or about a resource.`,
};

const NOTHING_LOST: EmptiedNode = { people: 0, others: 0, targets: 0, losers: [] };

/** What everybody would lose anywhere. Those who lose the same share one list. */
function* emptiedOf(
  asked: Asked,
  gateway: string,
  { permissions, permissionTypes }: Counted,
  at: Instant | null,
): Pieces<Emptied | Failure> {
  const principal = asked.principal(gateway);
  if (principal === null) return notThere('principal', at);
  const { access, graph, moment } = asked.then;
  const filter = { ...ANY_ROW, permissions, permissionTypes };
  const isCounted = countedIn(graph, filter, moment);
  const found =
    principal.node === NONE
      ? NOTHING_LOST
      : yield* emptied(access, principal.node, moment, isCounted, MOST_LOSSES);
  if (found === null) return tooManyLosers;
  const { people, others, targets, losers } = found;
  const effort = new Effort();
  const nameOf = (node: number): string => graph.name(graph.version(node, moment));
  const room = new Room();
  function* firstOf(list: Losses): Pieces<readonly Loss[]> {
    if (room.isFull) return [];
    const losses: Loss[] = [];
    const all = yield* inOrder(yield* list.all(), ({ target }) => nameOf(target));
    for (const { target, lost, left } of room.taken(all)) {
      if (effort.isTired(1 + lost.length + left.length)) yield;
      const [less, still] = [heldPermissions(lost), heldPermissions(left)];
      losses.push({ about: asked.summary(target), lost: less, left: still });
    }
    return losses;
  }
  const byName = graph.byName(moment);
  const shared = new Map<Losses, readonly Loss[]>();
  const total: TotalLoss[] = [];
  for (const { node, losses: list } of [...losers].sort((a, b) => byName(a.node, b.node))) {
    if (effort.isTired(1)) yield;
    const known = shared.get(list);
    const losses = known === undefined ? yield* firstOf(list) : room.taken(known);
    if (known === undefined) shared.set(list, losses);
    const { count: resources, gone } = list;
    total.push({ about: asked.summary(node), resources, gone, losses });
  }
  return { without: principal.about, people, others, resources: targets, losers: total };
}

/**
 * Answers through which groups humans reach a resource, and who would lose it without one. It answers in
 * memory, and writes nothing.
 */
export const gatewayQuestions = (ask: AskMemory) => ({
  find: (reached: Reached, at: Instant | null): TaskEither<Failure, Answered<Gateways>> =>
    ask(at, [reached.resource], (asked) => gatewaysTo(asked, reached)),

  without: (
    reached: Reached,
    gateway: string,
    at: Instant | null,
  ): TaskEither<Failure, Answered<WithoutGateway>> =>
    ask(at, [reached.resource, gateway], (asked) => lossesWithout(asked, reached, gateway, at)),

  emptied: (
    gateway: string,
    counted: Counted,
    at: Instant | null,
  ): TaskEither<Failure, Answered<Emptied>> =>
    ask(at, [gateway], (asked) => emptiedOf(asked, gateway, counted, at)),
});
