import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Permissions } from '../../access/effective-access';
import { gatewaysAmong, type LossFound, lossesOf } from '../../access/gateways';
import { type ListedRows, reachingRows, typesIn } from '../../access/lists/lists';
import type { HeldPermission, Summary } from '../../contract/answers/questions/access';
import type { AsOf } from '../../contract/answers/page';
import type { Instant } from '../../model/instant';
import type { Failure } from '../../problem';
import { notThere } from '../instant/existed';
import type { AccessMemory, AccessThen } from '../memory/access-memory';
import { isPlace, isWho, nodeOf, summaryOf } from '../memory/named-node';
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

/** What a question about gateways asks about. */
export interface Reached extends Pick<Listed, 'contents' | 'permissions' | 'permissionTypes'> {
  readonly resource: string;
}

/** An answer, and the newest push by its instant. */
interface Answered<A> {
  readonly answer: A;
  readonly asOf: AsOf | null;
}

/** Answers through which groups humans reach a resource, and who would lose it without one. */
export interface GatewayQuestions {
  find(reached: Reached, at: Instant | null): TE.TaskEither<Failure, Answered<Gateways>>;
  without(
    reached: Reached,
    gateway: string,
    at: Instant | null,
  ): TE.TaskEither<Failure, Answered<WithoutGateway>>;
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
    ...{ name: permission.name, permission_type: typesIn(permission) },
  }));

/** All who reach a resource, with the humans among them. */
const rowsOf = (
  { access, moment }: AccessThen,
  place: number,
  { contents, permissions, permissionTypes }: Reached,
): ListedRows => {
  const filter = { label: null, applications: null, permissions, permissionTypes };
  return reachingRows(access, place, { ...filter, form: 'people', contents }, moment);
};

const findGateways = (then: AccessThen, place: number, reached: Reached): Omit<Gateways, 'of'> => {
  const { access, graph, moment } = then;
  const { nodes: humans, permissions } = rowsOf(then, place, reached);
  const { groups, direct } = gatewaysAmong(access, permissions.keys(), humans, moment);
  const byName = graph.byName(moment);
  const gateways = [...groups]
    .sort((a, b) => b.people - a.people || byName(a.node, b.node))
    .map(({ node, people }) => ({ about: summaryOf(then, node), people }));
  return { people: humans.length, direct, gateways };
};

const findLosses = (
  then: AccessThen,
  place: number,
  gateway: number,
  reached: Reached,
): Omit<WithoutGateway, 'of' | 'without'> | null => {
  const { access, graph, moment } = then;
  const { nodes: humans, permissions } = rowsOf(then, place, reached);
  const left = access.reaching(place, reached.contents, moment, gateway);
  const losses = lossesOf(
    humans.map((node) => [node, permissions.get(node) ?? []] as const),
    left,
  );
  const held = losses.reduce((sum, each) => sum + each.lost.length + each.left.length, 0);
  if (losses.length > MOST_LOSSES || held > MOST_HELD) return null;
  const byName = graph.byName(moment);
  const asLoss = (loss: LossFound): Loss => ({
    about: summaryOf(then, loss.node),
    lost: heldPermissions(loss.lost),
    left: heldPermissions(loss.left),
  });
  return {
    people: humans.length,
    losses: [...losses].sort((a, b) => byName(a.node, b.node)).map(asLoss),
  };
};

/** The questions about gateways, answered in memory. Nothing is written. */
export const gatewayQuestions = (memory: AccessMemory): GatewayQuestions => {
  const answered = <A>(
    { resource }: Reached,
    at: Instant | null,
    find: (then: AccessThen, place: number, of: Summary) => A | Failure,
  ): TE.TaskEither<Failure, Answered<A>> =>
    pipe(
      memory.then(at, '/at'),
      TE.flatMap((then) => {
        const place = nodeOf(then, resource, isPlace);
        if (place === null) return TE.left(notThere('resource or application', at));
        const answer = find(then, place, summaryOf(then, place));
        return isFailure(answer) ? TE.left(answer) : TE.right({ answer, asOf: then.asOf });
      }),
    );
  return {
    find: (reached, at) =>
      answered(reached, at, (then, place, of) => ({ of, ...findGateways(then, place, reached) })),

    without: (reached, gateway, at) =>
      answered(reached, at, (then, place, of): WithoutGateway | Failure => {
        const node = nodeOf(then, gateway, isWho);
        if (node === null) return notThere('principal', at);
        const losses = findLosses(then, place, node, reached);
        if (losses === null) return tooMany(reached);
        return { of, without: summaryOf(then, node), ...losses };
      }),
  };
};

const isFailure = <A>(answer: A | Failure): answer is Failure =>
  typeof answer === 'object' && answer !== null && '_tag' in answer;
