import { Effort, type Pieces, STEPS } from '../../access/pieces';
import type { ListFilter, ListedRows, PagedRow } from '../../access/lists/lists';
import { countedIn } from '../../access/lists/lists';
import { type Marking, marksOf } from '../../access/lists/marked';
import type { EffectiveAccess, NativePermission } from '../../access/effective-access';
import type { Moment } from '../../access/instants';
import { typesOf } from '../../access/walk';
import { type HeldByPrincipal, heldByPrincipal } from '../../access/ways';
import { GAINED } from '../../access/relationship-types';
import { NONE } from '../../access/access-graph';
import { isPrivileged as areTypesPrivileged } from '../../model/access-narrowing';
import type { WayOfRow } from '../../contract/answers/questions/access';
import { instantOf, nanosOf, parseInstant } from '../../model/instant';
import { shortened, type StepOfWay, stepOf, stepsOf } from '../answering/step-of-way';
import type { Asked } from '../memory/asked-in-memory';
import type { AccessRow, Listed } from './access-lists';
import type { Hop } from './explanation/explanation';
import { pathsInMemory } from './explanation/paths-in-memory';

/** With how many values a page ends early. The thread that answers writes it at once; these are some 8 MB. */
export const MOST_VALUES_OF_PAGE = 100_000;

/** How many values a way has, with the steps that it leaves out: to find them needs time too. */
export const weightOfWay = (way: WayOfRow | null | undefined): number =>
  way == null ? 0 : 7 + 4 * (way.steps.length + (way.more_steps ?? 0));

/** How many ways of a row are looked at. */
const MOST_WAYS = 20;

const GAIN = typesOf(GAINED);
const ON = typesOf(['ON']);
const CONTAINS = typesOf(['CONTAINS']);
const OF = typesOf(['OF']);

/** Whether a row has a privileged permission there, also one that the list leaves out. */
type IsPrivileged = (node: number) => boolean;

/**
 * What a list says of a row in addition, by its node. Rows after that whose way ends the page have
 * nothing, since they are not on it.
 */
type Details = ReadonlyMap<number, Pick<AccessRow, 'marks' | 'privileged' | 'way'>>;

/** The details of rows of what a principal can reach. */
export function* reachedDetails(
  { then, clock }: Asked,
  who: number,
  listed: ListFilter,
  isPrivileged: IsPrivileged,
  rows: readonly PagedRow[],
): Pieces<Details> {
  const { access, graph, moment } = then;
  const isCounted = countedIn(graph, listed, moment);
  const found = new Map<number, Pick<AccessRow, 'privileged' | 'way'>>();
  const held = yield* heldByPrincipal(access, who, moment);
  let values = 0;
  for (const { node } of rows) {
    if (values >= MOST_VALUES_OF_PAGE) break;
    yield;
    const isWanted = (each: NativePermission): boolean => isCounted(each, node);
    const way = yield* wayOfRow({ access, moment, clock }, who, node, isWanted, held);
    found.set(node, { privileged: isPrivileged(node), way });
    values += weightOfWay(way);
  }
  return found;
}

/** The details of rows of who can reach a resource. */
export function* reachingDetails(
  { then, clock }: Asked,
  {
    target,
    listed,
    isPrivileged,
    marking,
    among,
  }: {
    readonly target: number;
    readonly listed: ListFilter & Pick<Listed, 'contents'>;
    readonly isPrivileged: IsPrivileged;
    readonly marking: Marking;
    /** The complete list. */
    readonly among: ListedRows;
  },
  rows: readonly PagedRow[],
): Pieces<Details> {
  const { access, graph, moment } = then;
  const marks = yield* marksOf(
    marking,
    among,
    rows.map(({ node }) => node),
  );
  const place = { access, moment, clock };
  const isCounted = countedIn(graph, listed, moment);
  const into = listed.contents ? scopesInto(place, target) : null;
  const found = new Map<number, Pick<AccessRow, 'marks' | 'privileged' | 'way'>>();
  let values = 0;
  for (const { node } of rows) {
    if (values >= MOST_VALUES_OF_PAGE) break;
    yield;
    const isWanted = (each: NativePermission): boolean => isCounted(each, target);
    const way =
      into === null
        ? yield* wayOfRow(place, node, target, isWanted)
        : yield* wayInto(place, node, into.scopes, (held, scope) =>
            access.heldOn(held, scope, into.targetsOf(scope), moment).some(isWanted),
          );
    found.set(node, { marks: marks(node), privileged: isPrivileged(node), way });
    values += weightOfWay(way);
  }
  return found;
}

/** What contains a resource or is in it, and one of each kind of what counts for each of these. */
const scopesInto = (
  { access, moment }: Place,
  target: number,
): {
  readonly scopes: ReadonlySet<number>;
  readonly targetsOf: (scope: number) => readonly number[];
} => {
  const { walk } = access;
  const inside = walk.from([target], CONTAINS, moment);
  const within = new Set(inside);
  const known = new Map<number, readonly number[]>();
  return {
    scopes: new Set([...walk.to([target], CONTAINS, moment), ...inside]),
    targetsOf: (scope) => {
      const before = known.get(scope);
      if (before !== undefined) return before;
      const isPart = within.has(scope) && scope !== target;
      const all = isPart ? walk.from([scope], CONTAINS, moment) : inside;
      // An application has very many resources, and each row of its list asks about them.
      const targets = access.oneOfEachClass(all, scope, moment);
      known.set(scope, targets);
      return targets;
    },
  };
};

/** Where details are found: at a moment. */
interface Place {
  readonly access: EffectiveAccess;
  readonly moment: Moment;
  readonly clock: bigint;
}

const nanos = (utc: string | null): bigint => {
  const instant = utc === null ? null : parseInstant(utc);
  return instant === null ? 0n : nanosOf(instant);
};

/** When a way began: with the newest of its steps. 0: always. */
const beganAt = (hops: readonly Hop[]): bigint =>
  hops.slice(1).reduce((newest, { since }) => (nanos(since) > newest ? nanos(since) : newest), 0n);

/** How much a permission weighs: what is privileged most, then what changes data, then what reads. */
const weightOf = (types: readonly string[]): number => {
  if (areTypesPrivileged(types)) return 3;
  if (types.some((type) => ['DataWrite', 'DataCreate', 'DataDelete'].includes(type))) return 2;
  return types.some((type) => type.endsWith('Read') || type === 'MetadataCreate') ? 1 : 0;
};

/**
 * Of the first ways from a principal to a resource the one that leads to most: of several the
 * oldest, then the shortest.
 */
export function* wayOfRow(
  place: Place,
  who: number,
  target: number,
  isWanted: (permission: NativePermission) => boolean,
  held?: HeldByPrincipal,
): Pieces<WayOfRow | null> {
  const wanted = { isWanted, most: MOST_WAYS, ...(held === undefined ? {} : { held }) };
  const found = yield* pathsInMemory(place, who, target, wanted);
  const { paths, truncated } = found;
  const dated = paths.map((path) => ({
    path,
    since: beganAt([...path.hops, ...path.scope]),
    weight: weightOf(path.permission.permission_type),
  }));
  const [first] = dated;
  if (first === undefined) return null;
  const { path, since } = dated.reduce((best, each) =>
    each.weight > best.weight || (each.weight === best.weight && each.since < best.since)
      ? each
      : best,
  );
  const [scope] = path.scope;
  const { listed, leftOut } = shortened(path.hops);
  return {
    ...stepsOf(
      listed.map(({ about }) => stepOf(about)),
      leftOut,
    ),
    on: path.scope.length < 2 || scope === undefined ? null : stepOf(scope.about),
    since: since === 0n ? null : instantOf(since).utc,
    others: paths.length - 1,
    has_more: truncated,
  };
}

/** The shortest way from a principal to something that gives access to one of some places. */
export function* wayInto(
  { access, moment }: Place,
  who: number,
  scopes: ReadonlySet<number>,
  isGiving: (held: number, scope: number) => boolean,
): Pieces<WayOfRow | null> {
  const { graph, walk } = access;
  const before = new Map<number, { readonly node: number; readonly place: number }>();
  const found = [...access.acting(who, moment)];
  const met = new Set(found);
  const stepTo = (node: number): StepOfWay => stepOf(graph.summary(node, moment, 0n));
  for (let at = 0; at < found.length; at += 1) {
    if (at % STEPS === STEPS - 1) yield;
    const node = found[at] as number;
    if (graph.kind(node)?.isEntitlement === true) {
      const on = walk.linesFrom(node, ON, moment).find((place) => {
        const scope = graph.relationship(place).to;
        return scopes.has(scope) && isGiving(node, scope);
      });
      const [given = NONE] = on === undefined ? [] : walk.next(node, OF, moment);
      if (on !== undefined && given !== NONE) {
        const places = [on, ...walk.linesFrom(node, OF, moment).slice(0, 1)];
        const nodes = [given];
        for (let each = node; ;) {
          nodes.push(each);
          const led = before.get(each);
          if (led === undefined) break;
          places.push(led.place);
          each = led.node;
        }
        if (nodes.at(-1) !== who) nodes.push(who);
        const effort = new Effort();
        let newest = 0n;
        for (const place of places) {
          if (effort.isTired(1)) yield;
          const since = graph.relationship(place).since ?? 0n;
          if (since > newest) newest = since;
        }
        const { listed, leftOut } = shortened(nodes.reverse());
        return {
          ...stepsOf(listed.map(stepTo), leftOut),
          on: stepTo(graph.relationship(on).to),
          since: newest === 0n ? null : instantOf(newest).utc,
          others: null,
          has_more: false,
        };
      }
    }
    walk.eachNext(node, GAIN, moment, (far, place) => {
      if (met.has(far)) return;
      met.add(far);
      before.set(far, { node, place });
      found.push(far);
    });
  }
  return null;
}
