import type { AccessExplanation } from '../../../contract/answers/questions/access';
import { fold } from '../../../model/fold';
import { wordsOf } from '../words/permission-types';
import type { Drawable, StepLabel } from './layout';
import type { Step, Stop, Way } from './ways';

/** A step of a short way: one line of the map. */
export interface ShortStep {
  readonly from: Stop;
  readonly to: Stop;
  readonly label: StepLabel | null;
  /** The name of the step that is cut with this line. */
  readonly cut: string;
}

/** A way as people tell it. Its steps are fewer than those of the graph. */
export interface ShortWay extends Drawable {
  readonly way: Way;
  readonly steps: readonly ShortStep[];
  /** The account of the human from which the way leads on; `null`: none, or nobody is certain. */
  readonly account: Stop | null;
}

/** Whom an answer is about: one human with all that is certainly theirs. */
interface Human {
  readonly stop: Stop;
  readonly ids: ReadonlySet<string>;
}

/** The human of an answer, if it is about one. */
type AnsweredFor = Pick<AccessExplanation, 'principal' | 'accounts'>;

const humanOf = ({ principal, accounts = [] }: AnsweredFor): Human | null =>
  principal === undefined
    ? null
    : { stop: principal, ids: new Set([principal.id, ...accounts.map(({ id }) => id)]) };

/** Identities to which one stop leads, and which lead to one: they only carry a name. */
const carriersIn = (ways: readonly Way[]): ReadonlySet<string> => {
  const ends = new Map<string, { readonly from: Set<string>; readonly to: Set<string> }>();
  for (const { from, to } of ways.flatMap(({ steps }) => steps)) {
    for (const { id, label } of [from, to]) {
      if (label === 'Identity' && !ends.has(id)) ends.set(id, { from: new Set(), to: new Set() });
    }
    ends.get(from.id)?.to.add(to.id);
    ends.get(to.id)?.from.add(from.id);
  }
  return new Set(
    [...ends].flatMap(([id, { from, to }]) => (from.size === 1 && to.size === 1 ? [id] : [])),
  );
};

/** The steps of a way, where two steps through an identity that only carries a name become one. */
const withoutCarriers = (
  start: Stop,
  steps: readonly Step[],
  carriers: ReadonlySet<string>,
): readonly ShortStep[] => {
  const short: ShortStep[] = [];
  let from = start;
  let carried: Step | null = null;
  for (const [at, step] of steps.entries()) {
    if (carriers.has(step.to.id) && carried === null && at < steps.length - 1) {
      carried = step;
      continue;
    }
    const name = carried === null ? '' : nameAs(carried.to, from, step.to);
    short.push({
      from,
      to: step.to,
      cut: (carried ?? step).cut,
      label: name === '' ? null : { name, words: [name], on: null },
    });
    from = step.to;
    carried = null;
  }
  return short;
};

/** What an identity adds to the names of the two stops: nothing if it is called like one of them. */
const nameAs = ({ name }: Stop, from: Stop, to: Stop): string =>
  [from, to].some((each) => fold(each.name) === fold(name)) ? '' : `as ${name}`;

const shortWay = (way: Way, human: Human | null, carriers: ReadonlySet<string>): ShortWay => {
  const { number, permission, steps } = way;
  const isTheirs = ({ id }: Stop): boolean => human?.ids.has(id) === true;
  const at = isTheirs(way.start) ? steps.findIndex(({ to }) => !isTheirs(to)) : 0;
  const first = Math.max(0, at);
  const own = steps[first - 1]?.to ?? way.start;
  const start = human !== null && isTheirs(way.start) ? human.stop : way.start;
  const account = own.id !== start.id && own.label === 'LocalUser' ? own : null;
  const last = steps.findLastIndex(({ to }) => to.label === 'Permission');
  const given = steps[last];
  const isGiven = given !== undefined && last >= first;
  // The last step leads from whom the permission is given to directly to the end.
  const to = steps.at(-1)?.to ?? start;
  const told = isGiven ? [...steps.slice(first, last), { ...given, to }] : steps.slice(first);
  const short = withoutCarriers(start, told, carriers);
  const end = short.at(-1);
  if (!isGiven || end === undefined) return { number, way, start, account, steps: short };
  const scope = steps[last + 1]?.to ?? null;
  const words = wordsOf([permission]);
  const name = [end.label?.name ?? [], words.join(', ')].flat().join(': ');
  const on = scope?.id === to.id ? null : scope;
  const label = { name, words: end.label === null ? words : [name], on };
  return { number, way, start, account, steps: [...short.slice(0, -1), { ...end, label }] };
};

/**
 * Ways as people tell them: one human is one stop; an identity that only carries a name is written
 * at the step through it; permission and scope are written at the last step.
 */
export const shortWays = (ways: readonly Way[], answer: AnsweredFor): readonly ShortWay[] => {
  const [human, carriers] = [humanOf(answer), carriersIn(ways)];
  return ways.map((way) => shortWay(way, human, carriers));
};

/** Ways that differ in their permissions only. */
export interface Route {
  /** The first of them. */
  readonly first: ShortWay;
  readonly permissions: readonly Way['permission'][];
  readonly numbers: readonly number[];
  /** Whether they remain without the steps that are cut. */
  readonly remains: boolean;
  /** Whether they are not there at the instant with which the page compares. */
  readonly differs: boolean;
}

/**
 * Ways by their stops, since when they exist, whether they remain, and whether they differ from those
 * of another instant; in the order of the ways.
 */
export const routesOf = (
  ways: readonly ShortWay[],
  remaining: ReadonlySet<number>,
  differing: ReadonlySet<number> = new Set(),
): readonly Route[] => {
  const routes = new Map<string, Route>();
  for (const short of ways) {
    const { start, steps, account, number, way } = short;
    const [remains, differs] = [remaining.has(number), differing.has(number)];
    const last = steps.at(-1);
    const name = JSON.stringify([
      start.id,
      account?.id,
      remains,
      differs,
      way.since,
      way.push,
      last?.label?.on?.id,
      ...steps.map(({ to }) => to.id),
    ]);
    const known = routes.get(name);
    routes.set(name, {
      first: known?.first ?? short,
      remains,
      differs,
      permissions: [...(known?.permissions ?? []), way.permission],
      numbers: [...(known?.numbers ?? []), number],
    });
  }
  return [...routes.values()];
};
