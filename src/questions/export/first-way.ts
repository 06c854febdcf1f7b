import type { EffectiveAccess } from '../../access/effective-access';
import type { Moment } from '../../access/instants';
import { atOnce } from '../../access/pieces';
import type { Graph } from '../../neo4j/driver';
import { runTransaction } from '../../neo4j/transaction';
import type { Path } from '../access/explanation/explanation';
import { pathsInMemory, PushesOfHops } from '../access/explanation/paths-in-memory';

/** Finds first ways, and the pushes that brought their steps. */
export class FirstWays {
  private readonly pushes = new PushesOfHops();

  constructor(
    private readonly graph: Graph,
    readonly access: EffectiveAccess,
    readonly moment: Moment,
    readonly clock: bigint,
  ) {}

  /** The first path of each pair; `null` if it has none. */
  async of(
    pairs: readonly (readonly [who: number, target: number])[],
  ): Promise<readonly (Path | null)[]> {
    const paths = pairs.map(
      ([who, target]) => atOnce(pathsInMemory(this, who, target, { most: 1 })).paths[0] ?? null,
    );
    const found = paths.filter((path) => path !== null);
    const brought = await runTransaction(this.graph, { mode: 'read' }, (tx) =>
      this.pushes.addedTo(tx, found),
    );
    const next = brought.values();
    return paths.map((path) => path && (next.next().value ?? null));
  }
}
