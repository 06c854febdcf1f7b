import type { DateTime } from 'neo4j-driver';

import { derivations, management } from '../../templates/graph/derivations';
import { rowKinds } from '../../templates/graph/nodes';
import type { Template } from '../../templates/templates';
import { type Instant, nanosOf } from '../../model/instant';
import type { Derivation, NodeKind } from '../../model/table';
import { type Trust, Trusts } from '../../templates/graph/trusts';
import { LOCK_BINDING, TAKE_TURN } from '../../graph/statements/data-source-statements';
import { LOCK_PROVIDERS, READ_PROVIDERS, SET_TRUST } from './statements';
import type { Graph } from '../../neo4j/driver';
import { Pipeline } from '../../neo4j/pipeline';
import { LATEST, runTransaction, type Runner } from '../../neo4j/transaction';
import { toInstant } from '../../neo4j/values';
import { pushInstant } from '../../graph/records/push-instant';
import { keepsHistory, type PushLimits, waitFor } from '../../push/graph/contract';
import { type EventRecord, writeEvent } from '../../graph/records/event-record';
import { type StoredTrust, storedTrust, trustOf } from '../../graph/write/stored-trust';
import type { DerivedChange } from '../../graph/write/derived-changes';
import { DerivationVerifier, type FoundNode, rowPages } from '../verification/checks/contract';

/** A provider, with what it may claim and whom it means. */
export interface TrustedProvider {
  readonly id: string;
  readonly template: Template;
  readonly state: string;
  readonly hasTrusts: boolean;
  readonly trust: Trust;
}

/** What became of the graph when trusts were set. */
export interface TrustsSet {
  readonly before: Trust;
  readonly after: Trust;
  readonly changes: readonly DerivedChange[];
  readonly at: Instant;
}

/** A request to set the trusts of a provider. */
export interface SetTrust {
  readonly provider: string;
  /** A name for the holder of the derivation lock. */
  readonly holder: string;
  /** Decides what to set by what is set. Throws to refuse. `null` removes the trusts. */
  readonly decide: (all: readonly TrustedProvider[]) => Trust | null;
  readonly tell: (set: TrustsSet) => EventRecord;
  /** Whether only to report what would happen to the graph. */
  readonly isDryRun: boolean;
}

interface StoredProvider {
  readonly id: string;
  readonly template: Template;
  readonly state: string | null;
  readonly stored: StoredTrust;
  readonly has_trusts: boolean;
  readonly sources: readonly { readonly id: string; readonly at: DateTime | null }[];
  [column: string]: unknown;
}

interface ReadProvider extends TrustedProvider {
  readonly sources: StoredProvider['sources'];
}

const readProviders = async (tx: Runner): Promise<readonly ReadProvider[]> => {
  const { records } = await tx.run<StoredProvider>(READ_PROVIDERS);
  return records.map((record): ReadProvider => ({
    id: record.get('id'),
    template: record.get('template'),
    state: record.get('state') ?? 'ENABLED',
    hasTrusts: record.get('has_trusts'),
    trust: trustOf(record.get('stored')),
    sources: record.get('sources'),
  }));
};

const trustsOf = (providers: readonly TrustedProvider[]): Trusts =>
  new Trusts(providers.filter(({ hasTrusts }) => hasTrusts).map(({ trust }) => trust));

const claims = derivations.filter(({ isClaim }) => isClaim === true);

/** Trusts before and after a change, by which rows are derived again. */
interface Change {
  readonly before: Trusts;
  readonly after: Trusts;
}

const textsOf = ({ properties }: FoundNode, names: readonly string[]): readonly string[] =>
  names.map((name) => properties[name]).filter((value) => typeof value === 'string');

/** Whether a change of trusts may change what a derivation draws for a node of a provider. */
const concerns = (
  { before, after }: Change,
  provider: string,
  kind: NodeKind,
  node: FoundNode,
  { asker, ask, answerer, answers }: Derivation,
): boolean => {
  const answering = answerer === kind ? textsOf(node, answers) : [];
  const asking = asker === kind ? textsOf(node, [ask]) : [];
  const meant = (trusts: Trusts, value: string): string =>
    JSON.stringify(trusts.answerersOf(provider, value));
  return (
    answering.some(
      (value) => before.mayClaim(provider, value) !== after.mayClaim(provider, value),
    ) || asking.some((value) => meant(before, value) !== meant(after, value))
  );
};

/** Derives again the rows of a data source that a change concerns. */
const bindAgain = async (
  tx: Runner,
  change: Change,
  words: ConstructorParameters<typeof DerivationVerifier>[1],
  template: Template,
): Promise<readonly DerivedChange[]> => {
  const { dataSource, provider, at } = words;
  const pipeline = new Pipeline(tx);
  const verifier = new DerivationVerifier(tx, words, at, () => undefined);
  for (const kind of rowKinds[template]) {
    const judged = claims.filter(({ asker, answerer }) => asker === kind || answerer === kind);
    if (judged.length === 0) continue;
    for await (const nodes of rowPages(pipeline, dataSource, kind)) {
      const concerned = nodes.filter((node) =>
        judged.some((derivation) => concerns(change, provider, kind, node, derivation)),
      );
      if (concerned.length > 0) await verifier.rebind(kind, concerned);
    }
  }
  const meant = ({ identityProviders }: Trusts): string =>
    JSON.stringify(identityProviders[provider] ?? null);
  if (meant(change.before) !== meant(change.after)) {
    for (const kind of management.managed.filter((one) => rowKinds[template].includes(one))) {
      for await (const nodes of rowPages(pipeline, dataSource, kind)) {
        await verifier.manage(
          kind,
          nodes.map(({ key }) => key),
        );
      }
    }
    await verifier.removeLeftTags();
  }
  return verifier.changes;
};

/** The trusts in a graph. */
export const graphTrusts = (graph: Graph, limits: PushLimits) => ({
  list: (): Promise<readonly TrustedProvider[]> => runTransaction(graph, LATEST, readProviders),

  /** Sets the trusts of a provider, and derives again what they concern. */
  set: ({ provider, holder, decide, tell, isDryRun }: SetTrust): Promise<TrustsSet> => {
    const timeoutSeconds = limits.pushSeconds;
    const end = isDryRun ? 'rollback' : 'commit';
    return runTransaction(graph, { mode: 'write', timeoutSeconds, end }, async (tx) => {
      // Pushes that arrive during this derive under the new trusts, since they wait for this lock.
      await waitFor(limits, [tx.run(LOCK_BINDING, { push: holder })]);
      const unlocked = await readProviders(tx);
      await tx.run(LOCK_PROVIDERS, { providers: unlocked.map(({ id }) => id).sort() });
      const all = await readProviders(tx);
      const trust = decide(all);
      await tx.run(TAKE_TURN);
      await tx.run(SET_TRUST, { provider, trust: storedTrust(trust) });
      const set = await readProviders(tx);
      const change = { before: trustsOf(all), after: trustsOf(set) };
      const pushed = all.flatMap(({ sources }) =>
        sources.flatMap(({ at }) => (at === null ? [] : [toInstant(at)])),
      );
      const at = pushInstant(latest(pushed));
      const keeps = isDryRun || keepsHistory(limits);
      const changes: DerivedChange[] = [];
      for (const { template, trust: of, sources } of set) {
        for (const { id } of sources) {
          const words = { dataSource: id, provider: of.provider, at, keepsHistory: keeps };
          changes.push(...(await bindAgain(tx, change, words, template)));
        }
      }
      const trustIn = (providers: readonly TrustedProvider[]): Trust =>
        (providers.find(({ id }) => id === provider) as TrustedProvider).trust;
      const done = { before: trustIn(all), after: trustIn(set), changes: distinct(changes), at };
      await writeEvent(tx, tell(done));
      return done;
    });
  },
});

/** What administrators say about claims of providers (docs/rules.md: Trusts). */
export type TrustRecords = ReturnType<typeof graphTrusts>;

const latest = (instants: readonly Instant[]): Instant | null =>
  instants.reduce<Instant | null>(
    (last, one) => (last === null || nanosOf(one) > nanosOf(last) ? one : last),
    null,
  );

/** Both ends of a relationship may be derived again; it changes once. */
const distinct = (changes: readonly DerivedChange[]): readonly DerivedChange[] => [
  ...new Map(changes.map((one) => [JSON.stringify([one.type, one.from, one.to]), one])).values(),
];
