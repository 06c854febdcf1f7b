import { setImmediate as nextTurn } from 'node:timers/promises';

import { AccessGraph } from '../../access/access-graph';
import { EffectiveAccess } from '../../access/effective-access';
import { Humans } from '../../access/human';
import { bounded, NoMemory } from '../../access/memory';
import type { AsOf } from '../../contract/answers/page';
import type { Graph } from '../../neo4j/driver';
import { isTooMuch } from '../../neo4j/failure';
import { runTransaction, type Runner, type TransactionOptions } from '../../neo4j/transaction';
import { LOCK_BINDING } from '../../graph/statements/data-source-statements';
import { unwantedNow } from '../../neo4j/unwanted';
import type { CopiedAccess } from './access-copy';
import { CatchUp } from './catch-up';
import {
  awaitCommit,
  type Commit,
  type NewestCommit,
  readCommits,
  readNewest,
  readNumber,
} from './commits';
import { FETCHED, GraphRows } from './graph-rows';
import { inPieces } from './in-pieces';
import { addGoneNodes, readEverything } from './load-access-graph';
import { accessKinds } from '../../graph/statements/access-kinds';
import { AccessSums, differing, digestInSteps } from '../../access/columns/digest';
import { nanosOf, Instant } from '../../model/instant';

/** What a process holds of the access graph. */
export interface HeldState {
  /** `waiting`: nothing was loaded yet. `too large`: the graph needs more memory than it may use. */
  readonly phase: 'waiting' | 'loading' | 'ready' | 'too large';
  readonly nodes: number;
  readonly relationships: number;
  readonly bytes: number;
  readonly mostBytes: number;
  /** The number of the commit of which it is; `null` if nothing is loaded. */
  readonly commit: number | null;
  /** How often it was loaded. */
  readonly loads: number;
}

/** The graph needs more memory than it may use. */
export class GraphTooLarge extends Error {}

/** The access graph as of a commit. */
export interface HeldAccess {
  readonly graph: AccessGraph;
  readonly access: EffectiveAccess;
  readonly humans: Humans;
  readonly asOf: AsOf | null;
  /** Aborted when the graph is no longer held. It may have what was erased since. */
  readonly dropped: AbortSignal;
  /** The number of the newest commit that it has. */
  readonly turns: number;
}

interface Held extends HeldAccess {
  readonly drop: AbortController;
  /** Whether `asOf` is the newest push of this commit. It is read once for each. */
  readonly isAsOf: boolean;
  readonly rows: GraphRows;
  readonly epoch: string;
}

/** Commits came whenever the graph was loaded, and nobody said what they changed. */
export class Restless extends Error {}

/** How often the process looks again because others committed meanwhile, before it makes commits wait. */
const ROUNDS = 5;

/** How often a question waits for a load before it is refused. */
const MOST_LOADS = 3;

/** After a graph was too large, nobody loads it again for this long. */
const TOO_LARGE_MS = 60_000;

/** How many relationships may be appended before all of them are ordered again; in a large graph a share of all. */
const MOST_APPENDED = 20_000;
const PART_APPENDED = 8;

/** Rows that nobody finds may use as much as the others, or this much. */
const FEW_LEFT = 100_000;

/** How many nodes and relationships commits may name before it is faster to load everything. */
const MOST_READ = 500_000;

/** A read that may last as long as it needs. */
const LONG = { timeoutSeconds: 0, atMostSeconds: Infinity };

/** How often it compares again because commits came meanwhile. */
const COMPARISONS = 5;

const sharedLabels = new Set(
  accessKinds.filter(({ keeper }) => keeper === 'shared').map(({ label }) => label),
);
const isShared = (label: string): boolean => sharedLabels.has(label);

/** What ended before the history is complete no longer counts. */
const sinceOf = ({ historySince }: NewestCommit): bigint | null =>
  historySince === null ? null : nanosOf(new Instant(historySince));

/** Whether rows that nobody finds use so much that it is better to load everything again. */
const isWorn = ({ graph }: Held): boolean =>
  graph.leftCount > Math.max(FEW_LEFT, graph.placeCount / 2);

/** A look at what was committed. It ends when all who wait for it have left. */
class Look {
  private readonly left = new AbortController();
  private waiting = 0;

  /** Aborted when nobody waits any more. */
  get unwanted(): AbortSignal {
    return this.left.signal;
  }

  /** Somebody waits for the look, until they leave. Without a signal they never do. */
  join(leaves: AbortSignal | undefined): void {
    this.waiting += 1;
    const leave = (): void => {
      this.waiting -= 1;
      if (this.waiting === 0) this.end();
    };
    leaves?.addEventListener('abort', leave, { once: true });
  }

  /** Ends the look for all who wait for it. */
  end(): void {
    this.left.abort();
  }
}

/** Holds the access graph of a process, and applies commits in their order. */
export class HeldGraph {
  private held: Held | null = null;
  /** Whether it also has a part of the next commits: somebody applies them, or has failed to. */
  private hasPart = false;
  private loaded: AccessGraph | null = null;
  private tooLargeAt: number | null = null;
  private loads = 0;
  private running: Promise<HeldAccess> | null = null;
  private next: Promise<HeldAccess> | null = null;
  /** The present look, or the last one. */
  private look = new Look();
  private nextLook = new Look();
  private isOrdering = false;
  /** The client of a question may leave, but others wait for the same look. */
  private readonly stopping = new AbortController();

  constructor(
    private readonly neo4j: Graph,
    private readonly limits: { readonly memoryBytes: number; readonly seconds: number },
  ) {}

  get state(): HeldState {
    const { held, loaded } = this;
    const graph = held?.graph ?? loaded;
    const phase = held !== null ? 'ready' : loaded !== null ? 'loading' : 'waiting';
    return {
      phase: this.tooLargeAt === null ? phase : 'too large',
      nodes: graph?.nodeCount ?? 0,
      relationships: graph?.relationshipCount ?? 0,
      bytes: graph?.memory.used() ?? 0,
      mostBytes: this.limits.memoryBytes,
      commit: held?.turns ?? null,
      loads: this.loads,
    };
  }

  /**
   * The graph as of everything that was committed before the call. Calls at once share a look, but
   * not one that began before.
   */
  upToDate(): Promise<HeldAccess> {
    // All who waited for the next look may have left: it ended before it began.
    if (this.nextLook.unwanted.aborted) this.nextLook = new Look();
    this.nextLook.join(unwantedNow());
    if (this.running === null) return this.begin();
    const { running } = this;
    this.next ??= running.then(
      () => this.begin(),
      () => this.begin(),
    );
    return this.next;
  }

  /**
   * Compares what it holds with Neo4j, and returns of which labels and types it differs; then it loads
   * everything again. Returns `null` if commits came whenever it compared, or nothing is held.
   */
  async compare(): Promise<readonly string[] | null> {
    for (let attempt = 1; attempt <= COMPARISONS; attempt += 1) {
      const [before, stored, after] = await this.read(async (tx) => {
        const first = await readNewest(tx);
        const sums = new AccessSums(sinceOf(first), isShared);
        await readEverything(tx, sums);
        return [first, sums, await readNewest(tx)] as const;
      }, LONG);
      const { held } = this;
      const isSame = held?.turns === before.turns && held.epoch === before.epoch;
      if (before.turns !== after.turns || !isSame || this.hasPart) {
        await this.upToDate();
        continue;
      }
      const mine = await this.digest(held, sinceOf(before));
      if (mine === null) continue;
      const found = differing(stored.digest, mine.digest);
      if (found.length > 0 && !(await this.isNewest(before))) continue;
      // What retention has removed leaves the memory too, with its names.
      if (found.length > 0 || mine.old > stored.old) this.drop();
      return found;
    }
    return null;
  }

  /**
   * Whether a commit was the newest one while somebody read the graph. Neo4j may show parts of a commit
   * before its number, but that transaction holds the lock of its record up to its end.
   */
  private async isNewest({ turns, epoch }: NewestCommit): Promise<boolean> {
    await this.read((tx) => awaitCommit(tx, turns + 1), { end: 'rollback' });
    const now = await this.read(readNumber);
    return now.turns === turns && now.epoch === epoch;
  }

  /** The digest of what is held; `null` if it changes meanwhile. */
  private async digest({ graph }: Held, since: bigint | null): Promise<AccessSums | null> {
    const { changes } = graph;
    const steps = digestInSteps(graph, isShared, since);
    for (;;) {
      const step = steps.next();
      if (graph.changes !== changes) return null;
      if (step.done === true) return step.value;
      await nextTurn();
    }
  }

  /**
   * Copies what it holds. `null` if nothing is held, or something was committed meanwhile. A copy may
   * use what the graph leaves of its memory.
   */
  async copy(): Promise<CopiedAccess | null> {
    const { held } = this;
    if (held === null || this.hasPart) return null;
    const { graph, turns, epoch } = held;
    const { changes } = graph;
    const memory = bounded(this.limits.memoryBytes - graph.memory.used(), 'own');
    const isValid = (): boolean => graph.changes === changes && this.held?.graph === graph;
    const opened = await inPieces(graph.copy(memory), isValid, Infinity);
    const memoryBytes = this.limits.memoryBytes - graph.memory.used() - memory.used();
    return opened === null ? null : { opened, turns, epoch, memoryBytes };
  }

  /** Ends what is read from Neo4j. */
  stop(): void {
    this.stopping.abort();
    this.look.end();
  }

  private begin(): Promise<HeldAccess> {
    this.next = null;
    this.look = this.nextLook;
    this.nextLook = new Look();
    if (this.stopping.signal.aborted) this.look.end();
    const running = this.follow(this.look.unwanted).finally(() => {
      if (this.running === running) this.running = null;
    });
    this.running = running;
    return running;
  }

  private async follow(unwanted: AbortSignal): Promise<HeldAccess> {
    let loads = 0;
    for (let round = 1; ; round += 1) {
      const found = await this.lookForNewest(unwanted);
      if ('graph' in found) return found;
      const newest = found;
      if (round > ROUNDS && this.isFollowing(newest)) {
        const held = await this.applyAlone(unwanted);
        if (held !== null) return held;
      } else if (!this.isFollowing(newest) || !(await this.apply(newest, unwanted))) {
        loads += 1;
        if (loads > MOST_LOADS) throw new Restless();
        await this.load(newest);
      }
    }
  }

  /** What is held, if it is of the newest commit; else that commit. */
  private async lookForNewest(unwanted: AbortSignal): Promise<HeldAccess | NewestCommit> {
    if (this.held?.isAsOf === true) {
      const { turns, epoch } = await this.read(readNumber, { unwanted });
      const { held } = this;
      if (held?.isAsOf === true && held.turns === turns && held.epoch === epoch && !isWorn(held)) {
        return held;
      }
    }
    const newest = await this.read(readNewest, { unwanted });
    return this.current(newest) ?? newest;
  }

  /** What is held, if it is of the newest commit. */
  private current({ turns, isStill, epoch, asOf }: NewestCommit): HeldAccess | null {
    const { held } = this;
    if (held?.turns !== turns || held.epoch !== epoch || !isStill || isWorn(held)) return null;
    this.held = { ...held, asOf, isAsOf: true };
    this.orderInBackground(held.graph);
    return this.held;
  }

  /** Whether the newest commit follows what is held, so that it need not be loaded. */
  private isFollowing({ epoch, turns }: NewestCommit): boolean {
    const { held } = this;
    return held !== null && epoch === held.epoch && turns >= held.turns && !isWorn(held);
  }

  /** Applies commits up to one that somebody has seen. `false`: everything must be loaded. */
  private async apply({ turns }: NewestCommit, unwanted: AbortSignal): Promise<boolean> {
    const { held } = this;
    if (held === null) return false;
    if (turns === held.turns) return true;
    const commits = await this.read(
      async (tx) => {
        const [, found] = await Promise.all([
          awaitCommit(tx, turns),
          readCommits(tx, held.turns, turns),
        ]);
        return found;
      },
      { unwanted, end: 'rollback' },
    );
    if (commits === null) return false;
    return this.applyThese(held, commits, (work) => this.read(work));
  }

  /**
   * Applies all commits under the derivation lock, so that no other one comes meanwhile. `null`:
   * everything must be loaded.
   */
  private applyAlone(unwanted: AbortSignal): Promise<HeldAccess | null> {
    return this.read(
      async (tx) => {
        await tx.run(LOCK_BINDING, { push: 'memory' });
        for (;;) {
          const newest = await readNewest(tx);
          const same = this.current(newest);
          const { held } = this;
          if (same !== null || held === null || !this.isFollowing(newest)) return same;
          const commits = await readCommits(tx, held.turns, newest.turns);
          if (commits === null) return null;
          if (!(await this.applyThese(held, commits, (work) => work(tx)))) return null;
        }
      },
      { unwanted, end: 'rollback' },
    );
  }

  /** Applies commits. `false`: everything must be loaded. */
  private async applyThese(
    held: Held,
    commits: readonly Commit[],
    read: (work: (tx: Runner) => Promise<void>) => Promise<void>,
  ): Promise<boolean> {
    this.hasPart = true;
    try {
      const catchUp = new CatchUp(held.graph, held.rows);
      await catchUp.apply(commits);
      if (catchUp.mustRead > MOST_READ) {
        this.drop();
        return false;
      }
      if (catchUp.mustRead > 0) await read((tx) => catchUp.read(tx));
      this.held = { ...held, turns: held.turns + commits.length, isAsOf: false };
      this.hasPart = false;
      return true;
    } catch (error) {
      // What is left of changes uses memory too. What cannot be read in time must be loaded.
      if (error instanceof NoMemory || isTooMuch(error)) this.drop();
      if (!(error instanceof NoMemory)) throw error;
      return false;
    }
  }

  private drop(): void {
    this.held?.drop.abort();
    this.held = null;
  }

  /** Loads everything. What is committed meanwhile is applied afterwards. */
  private async load({ epoch, turns, asOf }: NewestCommit): Promise<void> {
    if (this.tooLargeAt !== null && Date.now() - this.tooLargeAt < TOO_LARGE_MS) {
      throw new GraphTooLarge();
    }
    this.drop();
    this.loads += 1;
    try {
      // What Neo4j does not show yet of this commit would never follow.
      await this.read((tx) => awaitCommit(tx, turns), { end: 'rollback' });
      const graph = await this.read(async (tx) => {
        // After a lost connection the work runs again, with an empty graph.
        const empty = new AccessGraph(bounded(this.limits.memoryBytes));
        this.loaded = empty;
        await readEverything(tx, empty);
        return empty;
      }, LONG);
      addGoneNodes(graph);
      await inSteps(graph.order());
      const drop = new AbortController();
      this.held = {
        drop,
        dropped: drop.signal,
        isAsOf: false,
        graph,
        access: new EffectiveAccess(graph),
        humans: new Humans(graph),
        rows: new GraphRows(graph),
        epoch,
        turns,
        asOf,
      };
      this.hasPart = false;
      this.tooLargeAt = null;
    } catch (error) {
      if (!(error instanceof NoMemory)) throw error;
      this.tooLargeAt = Date.now();
      throw new GraphTooLarge();
    } finally {
      this.loaded = null;
    }
  }

  private read<A>(
    work: (tx: Runner) => Promise<A>,
    options: Pick<TransactionOptions, 'end' | 'unwanted' | 'timeoutSeconds' | 'atMostSeconds'> = {},
  ): Promise<A> {
    return runTransaction(
      this.neo4j,
      {
        mode: 'write',
        isReading: true,
        fetchSize: FETCHED,
        timeoutSeconds: this.limits.seconds,
        unwanted: this.stopping.signal,
        ...options,
      },
      work,
    );
  }

  /** Orders the graph again in steps between which it answers, if much was appended. */
  private orderInBackground(graph: AccessGraph): void {
    const most = Math.max(MOST_APPENDED, graph.placeCount / PART_APPENDED);
    if (this.isOrdering || graph.appendedCount < most) return;
    this.isOrdering = true;
    inSteps(graph.order())
      // Without memory for it, the graph answers as it is.
      .catch(() => undefined)
      .finally(() => (this.isOrdering = false));
  }
}

const inSteps = async (steps: Iterator<void>): Promise<void> => {
  while (steps.next().done !== true) await nextTurn();
};
