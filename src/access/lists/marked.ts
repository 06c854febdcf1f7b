import type { EffectiveAccess } from '../effective-access';
import { gatewaysAmong, isInGateway } from '../gateways';
import type { Moment } from '../instants';
import { Effort, type Pieces } from '../pieces';
import { type Mark, MARKS } from '../../model/access-narrowing';
import { JOINS } from '../relationship-types';
import { typesOf } from '../walk';
import type { ListedRows } from './lists';
import { narrowedTo } from './narrowed';

/** How long somebody counts as new. */
export const NEW_NANOSECONDS = 7n * 24n * 3_600n * 1_000_000_000n;

const JOIN = typesOf(JOINS);
/** The label of those whom an HR system lists. */
const EMPLOYEE = 'Employee';
/** What somebody signs in with. */
const SIGNING_IN: ReadonlySet<string> = new Set(['IdpUser', 'LocalUser']);

/** What decides about marks. */
export interface Marking {
  readonly access: EffectiveAccess;
  readonly moment: Moment;
  /** The time at which the question looks: whether an account is deactivated by then, and new in the week before. */
  readonly clock: bigint;
  /** Whether some nodes together reached the same seven days before `clock`. */
  readonly before: () => Pieces<(nodes: readonly number[]) => boolean>;
  /** Whether the graph of the moment has an employee (`hasEmployees`). */
  readonly hasEmployees: () => Pieces<boolean>;
}

/** Whether a row has a mark; `isHuman` of a row that is a human. */
type HasMark = (node: number, isHuman: boolean) => boolean;

/** Whether the graph of a moment has an employee, also one who has left. */
export function* hasEmployees({ graph }: EffectiveAccess, moment: Moment): Pieces<boolean> {
  const effort = new Effort();
  if (!graph.kinds.some(({ label }) => label === EMPLOYEE)) return false;
  for (let node = 0; node < graph.nodeCount; node += 1) {
    if (effort.isTired(1)) yield;
    if (graph.kind(node)?.label === EMPLOYEE && graph.exists(node, moment)) return true;
  }
  return false;
}

/** What decides about one mark of the rows of a list of who can reach something. */
function* decidingOn(
  { access, moment, clock, before, hasEmployees: hasAny }: Marking,
  { nodes, humans, people, permissions }: ListedRows,
  mark: Mark,
  areFew: boolean,
  effort: Effort,
): Pieces<HasMark> {
  const { graph, walk } = access;
  /** A human, and the users, identities and accounts that are joined to them. */
  const theirs = (node: number): readonly number[] => {
    const found = walk.from([node], JOIN, moment);
    effort.add(found.length);
    return found;
  };
  const isInactive = (node: number): boolean =>
    graph.isInactive(graph.version(node, moment), clock);
  switch (mark) {
    case 'without_user':
      return (node, isHuman) => isHuman && people?.isWithoutUser(node) === true;
    case 'not_people':
      // A list of entities does not say which of them are humans'.
      return (_, isHuman) => people !== null && !isHuman;
    case 'inactive': {
      // Who is on leave has only inactive accounts, and they still have access.
      const hasNoActive = (human: number): boolean => {
        const accounts = theirs(human).filter(
          (each) => permissions.has(each) && SIGNING_IN.has(graph.kind(each)?.label ?? ''),
        );
        return accounts.length > 0 && accounts.every(isInactive);
      };
      return (node, isHuman) => isInactive(node) || (isHuman && hasNoActive(node));
    }
    case 'guest':
      return (node, isHuman) =>
        isHuman && theirs(node).some((each) => graph.isGuest(graph.version(each, moment)));
    case 'not_employees': {
      // Where no HR system says who is employed, the mark would say nothing of anybody.
      if (!(yield* hasAny())) return () => false;
      const isEmployed = (human: number): boolean =>
        graph.kind(human)?.label === EMPLOYEE && !isInactive(human);
      return (node, isHuman) => isHuman && !isEmployed(node);
    }
    case 'direct': {
      if (areFew) {
        return (node, isHuman) => isHuman && !isInGateway(access, permissions, node, moment);
      }
      const them = people === null ? [] : nodes.slice(0, humans);
      const { members } = yield* gatewaysAmong(access, permissions.keys(), them, moment);
      return (node, isHuman) => isHuman && !members.has(node);
    }
    case 'new': {
      const reached = yield* before();
      return (node, isHuman) => !reached(isHuman ? theirs(node) : [node]);
    }
  }
}

/** The rows of a list that have a mark; only some of them, if asked. */
function* rowsWith(
  marking: Marking,
  rows: ListedRows,
  mark: Mark,
  some: ReadonlySet<number> | null = null,
): Pieces<ReadonlySet<number>> {
  const effort = new Effort();
  const has = yield* decidingOn(marking, rows, mark, some !== null, effort);
  const found = new Set<number>();
  for (const [place, node] of rows.nodes.entries()) {
    if (effort.isTired(1)) yield;
    const isHuman = rows.people !== null && place < rows.humans;
    if (some?.has(node) !== false && has(node, isHuman)) found.add(node);
  }
  return found;
}

/** The rows of a list that have a mark, in the same order. */
export function* marked(marking: Marking, rows: ListedRows, mark: Mark): Pieces<ListedRows> {
  const those = yield* rowsWith(marking, rows, mark);
  return yield* narrowedTo(rows, (node) => those.has(node));
}

/** The marks of some rows of a list. */
export function* marksOf(
  marking: Marking,
  among: ListedRows,
  rows: readonly number[],
): Pieces<(node: number) => readonly Mark[]> {
  const some = new Set(rows);
  const sets = new Map<Mark, ReadonlySet<number>>();
  for (const mark of MARKS) sets.set(mark, yield* rowsWith(marking, among, mark, some));
  return (node) => MARKS.filter((mark) => sets.get(mark)?.has(node) === true);
}
