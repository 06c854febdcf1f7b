import type { Instant } from '../../../model/instant';
import { rowKinds, sharedKinds } from '../../../templates/graph/nodes';
import type { NodeKind } from '../../../model/table';
import { Digest } from '../../../model/digest';
import { RULES_VERSION } from '../../../rows/row/row-hash';
import { LOCK_BINDING, TAKE_TURN } from '../../../graph/statements/data-source-statements';
import {
  CORRECT_DATA_SOURCE,
  RELABEL_NODES,
  REMOVE_STRAYS,
  STRAY_NODES,
  STRAY_SHARED_NODES,
} from '../statements';
import { takeNumberOfRecord } from '../../../graph/write/write-difference';
import { DerivationVerifier } from './derivation-verifier';
import type { Graph } from '../../../neo4j/driver';
import type { Find } from './finding';
import { type EventRecord, writeEvent } from '../../../graph/records/event-record';
import type { FoundNode } from './row-check';
import { RowVerifier } from './row-verifier';
import {
  type DataSourceState,
  DataSourceDeleting,
  HalfWritten,
  holdDataSource,
  type PushLimits,
  PushUnfinished,
} from '../../../push/graph/contract';
import type { Runner } from '../../../neo4j/transaction';

/** The digest and row count that the data source records, and those that the verification found. */
export interface Verified {
  readonly recorded: { readonly digest: string | null; readonly rows: number };
  readonly found: { readonly digest: string; readonly rows: number };
  /** Whether this release can compute the row hashes. Those of older rules it cannot. */
  readonly areHashesKnown: boolean;
}

/** The request of a verification. */
export interface VerificationRequest {
  readonly dataSource: string;
  /** A name for the holder of the data source lock. */
  readonly holder: string;
  /** An instant that no push has. */
  readonly at: Instant;
  readonly isRepairing: boolean;
  /**
   * Starts a new report. Neo4j may run a transaction again, and then the report starts again too.
   */
  readonly begin: () => Find;
  /** Makes the event of a repair. */
  readonly tell: (verified: Verified) => EventRecord;
}

/**
 * The verification in the graph. It is a repair, which is rolled back unless the caller wants it.
 */
export const graphVerifier = (graph: Graph, limits: PushLimits, records: readonly NodeKind[]) => {
  const run = (
    { dataSource, holder, at, tell }: VerificationRequest,
    end: 'commit' | 'rollback',
    isBindingLocked: boolean,
    begin: () => Find,
  ): Promise<Verified> =>
    holdDataSource(
      graph,
      limits,
      dataSource,
      holder,
      async ({ state }, tx) => {
        if (state.status === 'DELETING' || state.provider.state === 'DELETING') {
          throw new DataSourceDeleting();
        }
        if (state.pending !== null) throw new PushUnfinished();
        if (state.halfWrittenBy !== null) throw new HalfWritten();
        if (isBindingLocked) await tx.run(LOCK_BINDING, { push: holder });
        // A repair gets a commit sequence number, since it may remove the reason of stored
        // warnings.
        if (isBindingLocked && end === 'commit') await tx.run(TAKE_TURN);
        const verified = await new Verification(tx, records, state, at, begin()).run();
        // Without that lock it comes here only if it found nothing to repair. The record of its number
        // says so, or each process would load the access graph again.
        if (!isBindingLocked && end === 'commit') await takeNumberOfRecord(tx, holder, at);
        if (end === 'commit') await writeEvent(tx, tell(verified));
        return verified;
      },
      end,
    );

  return {
    verify: async (request: VerificationRequest): Promise<Verified> => {
      const { isRepairing, begin } = request;
      const end = isRepairing ? 'commit' : 'rollback';
      try {
        // The first run does not acquire the derivation lock, so pushes to other data sources go
        // on. A graph without findings needs no more than this run.
        return await run(request, end, false, () => {
          begin();
          return () => {
            throw new SomethingFound();
          };
        });
      } catch (error) {
        if (!(error instanceof SomethingFound)) throw error;
        // The first run may have seen only half of a push to another data source. The second run
        // acquires the derivation lock before it touches anything, so its findings are certain
        // (docs/rules.md: Verification).
        return run(request, end, true, begin);
      }
    },
  };
};

/**
 * Compares a data source with what it and its rows record about themselves (docs/rules.md:
 * Verification).
 */
export type Verifier = ReturnType<typeof graphVerifier>;

/** The first run found something. */
class SomethingFound extends Error {}

class Verification {
  private readonly rows: RowVerifier;
  private readonly binding: DerivationVerifier;
  /** The kinds of which this data source can have rows. */
  private kinds: readonly NodeKind[];

  constructor(
    private readonly tx: Runner,
    private readonly records: readonly NodeKind[],
    private readonly state: DataSourceState,
    at: Instant,
    private readonly find: Find,
  ) {
    const { id, provider, lastPushAt } = state;
    // What somebody changed by hand is no history (docs/rules.md: History).
    const words = { dataSource: id, provider: provider.name, at, keepsHistory: false };
    this.rows = new RowVerifier(tx, state, find);
    this.binding = new DerivationVerifier(tx, words, lastPushAt ?? at, find);
    this.kinds = rowKinds[provider.template];
  }

  /**
   * Checks the rows first, then what is derived from them, and last who manages what, which depends
   * on both.
   */
  async run(): Promise<Verified> {
    await this.strays();
    const found = await this.repairRows();
    await this.eachPage((kind, nodes) => this.binding.rebind(kind, nodes));
    await this.eachPage(async (kind, nodes) => {
      const keys = nodes.map(({ key }) => key);
      await this.binding.manage(kind, keys);
      await this.binding.tidy(kind, keys);
    });
    await this.binding.finish();
    const { digest, rows, rulesVersion } = this.state;
    await this.tx.run(CORRECT_DATA_SOURCE, {
      data_source: this.state.id,
      digest: digest === null ? null : found.digest,
      rows: found.rows,
    });
    return {
      recorded: { digest, rows },
      found,
      areHashesKnown: rulesVersion === null || rulesVersion === RULES_VERSION,
    };
  }

  private async repairRows(): Promise<Verified['found']> {
    let digest = Digest.empty;
    let rows = 0;
    const found = new Set<NodeKind>();
    await this.eachPage(async (kind, nodes) => {
      found.add(kind);
      const { hashes, shared } = await this.rows.repair(kind, nodes);
      digest = digest.with(hashes);
      rows += hashes.length;
      await this.binding.rebind(kind, [], shared);
    });
    this.kinds = this.kinds.filter((kind) => found.has(kind));
    return { digest: digest.hex, rows };
  }

  private async eachPage(
    work: (kind: NodeKind, nodes: readonly FoundNode[]) => Promise<void>,
  ): Promise<void> {
    for (const kind of this.kinds) {
      for await (const nodes of this.rows.pages(kind)) await work(kind, nodes);
    }
  }

  /**
   * Repairs nodes that rows or shared nodes are, but for their labels. A node that lost a label gets
   * it back; the others are removed.
   */
  private async strays(): Promise<void> {
    const { records } = await this.tx.run<Stray>(STRAY_NODES, {
      data_source: this.state.id,
      prefix: `${this.state.id}|`,
      labels: this.kinds.map(({ label }) => label),
      kept: [...sharedKinds, ...this.records].map(({ label }) => label),
    });
    const shared = await this.tx.run<Stray>(STRAY_SHARED_NODES);
    const strays = [...records, ...shared.records].map((record) => record.toObject());
    const gone = new Map(strays.map((stray) => [stray.id, stray]));
    for (const kind of [...this.kinds, ...sharedKinds]) {
      const ids = strays
        .filter(({ label, is_ours }) => label === kind.label && is_ours)
        .map(({ id }) => id);
      if (ids.length === 0) continue;
      const expected = [kind.label, ...kind.also];
      const relabelled = await this.tx.run<{ id: string }>(RELABEL_NODES, {
        ids,
        labels: [expected],
      });
      for (const record of relabelled.records) {
        const stray = gone.get(record.get('id'));
        gone.delete(record.get('id'));
        this.find({
          what: 'LABELS_CHANGED',
          node: stray?.key ?? null,
          found: (stray?.labels ?? []).toSorted(),
          expected: expected.toSorted(),
          remedy: 'REPAIR',
        });
      }
    }
    await this.tx.run(REMOVE_STRAYS, { ids: [...gone.keys()] });
    for (const { key } of gone.values()) {
      this.find({ what: 'NODE_ADDED', node: key, remedy: 'REPAIR' });
    }
  }
}

interface Stray {
  readonly id: string;
  readonly key: string | null;
  /** The label that the key names. */
  readonly label: string | null;
  readonly labels: readonly string[];
  readonly is_ours: boolean;
  [column: string]: unknown;
}
