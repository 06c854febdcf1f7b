import { LRUCache } from 'lru-cache';

import type { EffectiveAccess } from '../../access/effective-access';
import type { Moment } from '../../access/instants';
import { wayMaterial } from '../../access/ways';
import { instantOf } from '../../model/instant';
import type { Graph } from '../../neo4j/driver';
import { runTransaction } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import type { Hop, Path } from '../access/explanation/explanation';
import { reasonsIn } from '../access/explanation/reasons';
import { PUSHES_AT } from '../statements/access-graph-statements';

/** A push, and the data source that it was pushed to. */
type PushOf = Pick<Hop, 'push' | 'data_source'>;

const NO_PUSH: PushOf = { push: null, data_source: null };

/** How many pushes are remembered. */
const MOST_PUSHES = 10_000;

/** Finds first ways, and the pushes that brought their steps. */
export class FirstWays {
  private readonly pushes = new LRUCache<string, PushOf>({ max: MOST_PUSHES });

  constructor(
    private readonly graph: Graph,
    private readonly access: EffectiveAccess,
    private readonly moment: Moment,
    private readonly clock: bigint,
  ) {}

  /** The first path of each pair; `null` if it has none. */
  async of(
    pairs: readonly (readonly [who: number, target: number])[],
  ): Promise<readonly (Path | null)[]> {
    const paths = pairs.map(([who, target]) => this.path(who, target));
    const hops = paths.flatMap((path) => (path === null ? [] : [...path.hops, ...path.scope]));
    const known = await this.pushesAt(hops.flatMap(({ since }) => since ?? []));
    const brought = (hop: Hop): Hop => ({ ...hop, ...(known.get(hop.since ?? '') ?? NO_PUSH) });
    return paths.map(
      (path) => path && { ...path, hops: path.hops.map(brought), scope: path.scope.map(brought) },
    );
  }

  private path(who: number, target: number): Path | null {
    const { access, moment } = this;
    const { graph } = access;
    const { reasons } = reasonsIn(wayMaterial(access, who, target, moment), 1);
    const [reason] = reasons;
    const last = reason?.hops.at(-1);
    if (reason === undefined || last === undefined) return null;
    const permission = graph.version(graph.relationship(Number(last)).to, moment);
    const first: Hop = {
      ...{ about: graph.summary(who, moment, this.clock), relationship: null, from: null },
      ...{ since: utcOf(graph.since(graph.version(who, moment))), ...NO_PUSH },
    };
    return {
      permission: {
        name: graph.name(permission),
        permission_type: JSON.parse(graph.permissionTypes(permission)) as readonly string[],
      },
      hops: [first, ...reason.hops.map((place) => this.hop(Number(place)))],
      scope: reason.scope.map((place) => this.hop(Number(place))),
    };
  }

  private hop(place: number): Hop {
    const { graph } = this.access;
    const { from, to, type, since } = graph.relationship(place);
    return {
      about: graph.summary(to, this.moment, this.clock),
      ...{ relationship: type, from: graph.key(from), since: utcOf(since), ...NO_PUSH },
    };
  }

  /** The pushes at some instants. A push whose record is gone is absent. */
  private async pushesAt(instants: readonly string[]): Promise<ReadonlyMap<string, PushOf>> {
    const distinct = [...new Set(instants)];
    const unknown = distinct.filter((at) => !this.pushes.has(at));
    const found = new Map(distinct.map((at) => [at, this.pushes.get(at) ?? NO_PUSH]));
    if (unknown.length === 0) return found;
    for (const at of unknown) this.pushes.set(at, NO_PUSH);
    await runTransaction(this.graph, { mode: 'read' }, async (tx) => {
      const { records } = await tx.run<{ at: string; push: string; data_source: string }>(
        PUSHES_AT,
        { instants: unknown.map((utc) => toDateTime({ utc } as Parameters<typeof toDateTime>[0])) },
      );
      for (const record of records) {
        const { at, ...push } = record.toObject();
        this.pushes.set(at, push);
        found.set(at, push);
      }
    });
    return found;
  }
}

const utcOf = (nanos: bigint | null): string | null =>
  nanos === null ? null : instantOf(nanos).utc;
