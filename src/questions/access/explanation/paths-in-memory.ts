import type { EffectiveAccess, NativePermission } from '../../../access/effective-access';
import type { Moment } from '../../../access/instants';
import { Effort, type Pieces } from '../../../access/pieces';
import { type HeldByPrincipal, wayMaterial } from '../../../access/ways';
import { Instant, instantOf, nanosOf } from '../../../model/instant';
import type { Runner } from '../../../neo4j/transaction';
import { isSharedKey } from '../../../templates/graph/kind-of-key';
import { createdOf, type EndedLine } from '../../memory/created';
import { NO_PUSH, PushesAt } from '../../memory/pushes-at';
import { FIRST_HOP } from '../../statements/access-statements';
import { type Explanation, type Hop, type Path, pathsInOrder } from './explanation';
import { reasonsIn } from './reasons';

/** Where paths are found: at a moment. `clock` is the time by which accounts count as deactivated. */
interface Place {
  readonly access: EffectiveAccess;
  readonly moment: Moment;
  readonly clock: bigint;
}

/** Which paths are wanted. */
interface WantedPaths {
  readonly isWanted?: (permission: NativePermission) => boolean;
  readonly most?: number;
  /** What the principal has at the moment, if somebody has found it. */
  readonly held?: HeldByPrincipal;
}

const utcOf = (nanos: bigint | null): string | null =>
  nanos === null ? null : instantOf(nanos).utc;

/** Paths without the pushes of their hops. */
export interface FoundPaths extends Explanation {
  /** The hops along relationships that have ended since. */
  readonly ended: readonly Hop[];
}

/** The paths by which a principal has permissions on a resource. */
export function* pathsInMemory(
  { access, moment, clock }: Place,
  who: number,
  target: number,
  { isWanted, most, held }: WantedPaths,
): Pieces<FoundPaths> {
  const { graph } = access;
  const known = new Map<string, Hop>();
  const ended: Hop[] = [];
  const hopOf = (line: string): Hop => {
    const before = known.get(line);
    if (before !== undefined) return before;
    const { from, to, type, since } = graph.relationship(Number(line));
    const hop: Hop = {
      about: graph.summary(to, moment, clock),
      relationship: type,
      from: graph.key(from),
      since: utcOf(since),
      ...NO_PUSH,
    };
    known.set(line, hop);
    if (graph.hasEnded(Number(line))) ended.push(hop);
    return hop;
  };
  const material = yield* wayMaterial(access, who, target, moment, isWanted, held);
  const { reasons, truncated } = yield* reasonsIn(material, most);
  const first: Hop = {
    about: graph.summary(who, moment, clock),
    relationship: null,
    from: null,
    since: utcOf(graph.since(graph.version(who, moment))),
    ...NO_PUSH,
  };
  const effort = new Effort();
  const paths: Path[] = [];
  for (const { hops, scope } of reasons) {
    const permission = graph.version(graph.relationship(Number(hops.at(-1))).to, moment);
    const all = [first];
    for (const line of hops) {
      if (effort.isTired(1)) yield;
      all.push(hopOf(line));
    }
    paths.push({
      permission: {
        name: graph.name(permission),
        permission_type: JSON.parse(graph.permissionTypes(permission)) as readonly string[],
      },
      hops: all,
      scope: scope.map(hopOf),
    });
  }
  return { paths, truncated, ended };
}

/**
 * Finds since when the hops exist of which memory does not know that: a shared node as the principal,
 * and relationships that ended and had other properties before (docs/rules.md: History).
 */
const sinceOf = async (
  tx: Runner,
  at: Instant | null,
  { paths, ended }: FoundPaths,
): Promise<ReadonlyMap<Hop, string | null>> => {
  const known = new Map<Hop, string | null>();
  const first = paths[0]?.hops[0];
  if (first !== undefined && isSharedKey(first.about.id)) {
    const { records } = await tx.run<{ since: string | null }>(FIRST_HOP, { id: first.about.id });
    const since = records[0]?.get('since') ?? null;
    const isBefore = since !== null && (at === null || nanosOf(new Instant(since)) <= nanosOf(at));
    known.set(first, isBefore ? since : null);
  }
  if (at === null || ended.length === 0) return known;
  const lineOf = ({ relationship, from, about, since }: Hop): EndedLine => ({
    type: relationship ?? '',
    from: from ?? '',
    to: about.id,
    since,
  });
  const createdAt = await createdOf(tx, at, ended.map(lineOf));
  for (const hop of ended) {
    const since = createdAt(lineOf(hop));
    if (since !== undefined) known.set(hop, since);
  }
  return known;
};

/** The explanation that some paths are, with the pushes of their hops, in order. */
export const explained = async (
  tx: Runner,
  at: Instant | null,
  found: FoundPaths,
): Promise<Explanation> => {
  if (found.paths.length === 0) return { paths: [], truncated: found.truncated };
  const known = await sinceOf(tx, at, found);
  const dated = (hop: Hop): Hop => {
    const since = known.get(hop);
    return since === undefined ? hop : { ...hop, since };
  };
  const paths = found.paths.map((path) => ({
    ...path,
    hops: path.hops.map(dated),
    scope: path.scope.map(dated),
  }));
  return {
    paths: pathsInOrder(await new PushesOfHops().addedTo(tx, paths)),
    truncated: found.truncated,
  };
};

/** Finds the pushes that brought the hops of paths, and remembers them. */
export class PushesOfHops {
  private readonly pushes = new PushesAt();

  /** The same paths with the pushes of their hops. A push whose record is gone is absent. */
  async addedTo(tx: Runner, paths: readonly Path[]): Promise<readonly Path[]> {
    const hops = paths.flatMap((path) => [...path.hops, ...path.scope]);
    const known = await this.pushes.at(
      tx,
      hops.flatMap(({ since }) => since ?? []),
    );
    const brought = (hop: Hop): Hop => ({ ...hop, ...(known.get(hop.since ?? '') ?? NO_PUSH) });
    return paths.map((path) => ({
      ...path,
      hops: path.hops.map(brought),
      scope: path.scope.map(brought),
    }));
  }
}
