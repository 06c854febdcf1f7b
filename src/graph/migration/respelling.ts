import { grouped } from '../../difference/grouped';
import { Grant, RoleAssignment } from '../../templates/application/statements';
import { Permission } from '../../templates/application/permissions';
import { Resource } from '../../templates/application/resources';
import { fold, nfc } from '../../model/fold';
import { Instant } from '../../model/instant';
import { rowKinds, sharedKinds } from '../../templates/graph/nodes';
import type { NodeKind } from '../../model/table';
import { distinctFolded } from '../../rows/row/custom-values';
import { lookupsOf } from '../../rows/row/lookups';
import type { PropertyValues, Row } from '../../rows/row/row';
import { UNKNOWN_HASH } from '../../rows/row/row-hash';
import { type KeyEnd, keyOfStanding, type KeySurroundings } from './standing-key';
import { standingNodes, updateLookups } from '../../translate/push/node-statements';
import {
  DATA_SOURCES_TO_MIGRATE,
  markedNodes,
  markKeys,
  markProven,
  nodesToRehash,
  nodesToRespell,
  PROVIDERS_TO_MIGRATE,
  RECORD_RULES,
  RESPELL_PROVIDERS,
  respellNodes,
  rowsToJudge,
  rowsToLookUp,
  setHashes,
  unmark,
} from '../../translate/upkeep/store-statements';
import type { Graph } from '../connection/driver';
import type { Runner } from '../connection/transaction';
import { fromGraph, toGraph } from '../connection/values';
import { KEPT_BY_SERVICE, readRows } from '../write/current-rows';
import { Batches, type Paged, recount } from './batches';
import { formerRowHash } from './former-hash';
import { drawDerived, drawManagers } from './redrawing';
import { CURRENT, FORMER, FORMER_RULES, RULES } from './spellings';
import { unite } from './uniting';

type Stored = Readonly<Record<string, unknown>>;

interface Standing extends Paged {
  readonly properties: Stored;
  readonly steps: readonly Stored[] | null;
  readonly holder: { readonly labels: readonly string[]; readonly properties: Stored } | null;
  readonly role: { readonly labels: readonly string[]; readonly properties: Stored } | null;
}

interface Marked extends Paged {
  readonly next: string;
  readonly properties: Stored;
}

const rowsOfAll: readonly NodeKind[] = Object.values(rowKinds).flat();
const kinds: readonly NodeKind[] = [...rowsOfAll, ...sharedKinds];

/**
 * Whether two nodes of this kind that now have the same key are certainly the same thing. For two
 * resources with one id that is not certain.
 */
const isUniting = (kind: NodeKind): boolean =>
  kind.keeper === 'shared' || [Grant, RoleAssignment, Permission].includes(kind);

// The properties with which the migration marks nodes until it is done.
const MARKS = new Set(['next_key', 'rehash']);

const unmarked = (properties: PropertyValues): PropertyValues =>
  Object.fromEntries(Object.entries(properties).filter(([name]) => !MARKS.has(name)));

const sourceOf = (key: string): string => key.slice(0, key.indexOf('|'));
const localOf = (key: string): string => key.slice(key.indexOf('|') + 1);

const endOf = (end: Standing['holder']): KeyEnd | null =>
  end === null ? null : { labels: end.labels, properties: fromGraph(end.properties) };

const around = ({ steps, holder, role }: Standing): KeySurroundings => ({
  steps: (steps ?? []).map(fromGraph),
  holder: endOf(holder),
  role: endOf(role),
});

interface Source {
  readonly id: string;
  readonly provider: string;
  readonly rulesVersion: number | null;
  readonly at: Instant | null;
}

/**
 * Version 2: folded text is in NFC, and `#` is escaped in keys (docs/rules.md: Folding, Keys).
 * Nodes keep their relationships and dates. The migration first marks nodes and then changes them,
 * step by step. After a crash it runs all steps again, which does no harm.
 */
export const respell = async (graph: Graph, stillHolds: () => Promise<void>): Promise<void> => {
  const batches = new Batches(graph, stillHolds);
  await new Respelling(batches, await batches.once(readSources)).run();
};

const readSources = async (tx: Runner): Promise<ReadonlyMap<string, Source>> => {
  const { records } = await tx.run(DATA_SOURCES_TO_MIGRATE);
  const sources = records.map((record): Source => {
    const { rules_version: version, at, ...said } = fromGraph(record.toObject());
    return {
      id: said.id as string,
      provider: said.provider as string,
      rulesVersion: typeof version === 'number' ? version : null,
      at: at instanceof Instant ? at : null,
    };
  });
  return new Map(sources.map((source) => [source.id, source]));
};

class Respelling {
  constructor(
    private readonly batches: Batches,
    private readonly sources: ReadonlyMap<string, Source>,
  ) {}

  async run(): Promise<void> {
    for (const kind of kinds) await this.markKeys(kind);
    // A row's hash covers the keys of the nodes that it leads to. So all hashes must be judged
    // before the first key changes.
    for (const kind of rowsOfAll) await this.judge(kind);
    for (const kind of kinds) await this.respell(kind);
    for (const kind of rowsOfAll) await this.rehash(kind);
    for (const kind of rowsOfAll) await this.lookUp(kind);
    for (const kind of sharedKinds) await this.redraw(kind);
    await this.batches.once(async (tx) => {
      const { records } = await tx.run<{ key: string; name: string }>(PROVIDERS_TO_MIGRATE);
      const rows = records.map((record) => ({
        key: record.get('key'),
        fold_name: fold(record.get('name')),
      }));
      await tx.run(RESPELL_PROVIDERS, { rows: [rows] });
      await tx.run(RECORD_RULES, { former: FORMER_RULES, version: RULES });
    });
  }

  /**
   * Marks nodes with their new keys. A node whose key was changed by hand keeps it, and the next
   * full push repairs the node.
   */
  private async markKeys(kind: NodeKind): Promise<void> {
    await this.batches.each<Standing>(nodesToRespell(kind), async (tx, page) => {
      const rows = page.flatMap((node) => {
        const isRow = kind.keeper === 'row';
        const own = isRow ? localOf(node.key) : node.key;
        const properties = unmarked(fromGraph(node.properties));
        const places = around(node);
        if (keyOfStanding(FORMER, kind, properties, places) !== own) return [];
        const next = keyOfStanding(CURRENT, kind, properties, places);
        const isAsItWas = next === own && (!isRow || setBy(kind, properties) === null);
        if (next === null || isAsItWas) return [];
        return [{ key: node.key, next: isRow ? `${sourceOf(node.key)}|${next}` : next }];
      });
      await tx.run(markKeys(kind, isUniting(kind)), { rows: [rows] });
    });
  }

  /**
   * Marks rows whose hash is right, so that they get a new hash later. A wrong hash becomes 64
   * zeros.
   */
  private async judge(kind: NodeKind): Promise<void> {
    await this.batches.each<Paged>(rowsToJudge(kind), async (tx, page) => {
      for (const [id, rows] of await this.read(tx, kind, page)) {
        if (this.sources.get(id)?.rulesVersion !== FORMER_RULES) continue;
        const proven = rows.filter(({ row, hash }) => formerRowHash(row) === hash);
        const unproven = rows.filter((row) => !proven.includes(row) && row.hash !== UNKNOWN_HASH);
        await tx.run(markProven(kind), { keys: [proven.map(({ row }) => `${id}|${row.key}`)] });
        await tx.run(setHashes(kind), {
          pairs: [unproven.map(({ row }) => [`${id}|${row.key}`, UNKNOWN_HASH])],
        });
        if (unproven.length > 0) await recount(tx, id, { taken: unproven.map(({ hash }) => hash) });
      }
    });
  }

  /** Gives marked nodes their new keys, and unites nodes that now have the same key. */
  private async respell(kind: NodeKind): Promise<void> {
    await this.batches.each<Marked>(markedNodes(kind), async (tx, page) => {
      const { records } = await tx.run<{ keys: string[] }>(standingNodes(kind), {
        keys: [page.map(({ next }) => next)],
      });
      const taken = new Set(records.flatMap((record) => record.get('keys')));
      const alone: { key: string; next: string; set: Stored }[] = [];
      const united: Marked[] = [];
      for (const node of page) {
        const { key, next } = node;
        const set = toGraph(setBy(kind, fromGraph(node.properties)) ?? {});
        if (key === next || !taken.has(next)) alone.push({ key, next, set });
        else if (isUniting(kind)) united.push(node);
        else alone.push({ key, next: key, set: {} });
        taken.add(next);
      }
      await tx.run(respellNodes(kind), { rows: [alone] });
      for (const { key, next } of united) await unite(tx, kind, key, next);
    });
  }

  private async rehash(kind: NodeKind): Promise<void> {
    await this.batches.each<Paged>(nodesToRehash(kind), async (tx, page) => {
      for (const [id, rows] of await this.read(tx, kind, page)) {
        const pairs = rows.map(({ row }) => [`${id}|${row.key}`, formerRowHash(row)] as const);
        await tx.run(setHashes(kind), { pairs: [pairs] });
        const [added, taken] = [pairs.map(([, hash]) => hash), rows.map(({ hash }) => hash)];
        await recount(tx, id, { added, taken });
      }
    });
  }

  /** Sets the look-up properties anew, and draws what is derived through them. */
  private async lookUp(kind: NodeKind): Promise<void> {
    await this.batches.each<Standing>(rowsToLookUp(kind), async (tx, page) => {
      const found: { readonly key: string; readonly set: Stored; readonly row: Row }[] = [];
      for (const node of page) {
        const said = Object.entries(unmarked(fromGraph(node.properties)));
        const properties = Object.fromEntries(
          said.filter(([name]) => !KEPT_BY_SERVICE.has(name) && !name.startsWith('fold_')),
        );
        const { steps } = around(node);
        const idPath = steps.map(({ id, name }) => (id ?? name) as string).join('.');
        const lookups = lookupsOf(kind, properties, kind === Resource ? idPath : null);
        const set = Object.fromEntries(
          Object.keys(kind.lookups)
            .filter(
              (name) => JSON.stringify(node.properties[name]) !== JSON.stringify(lookups[name]),
            )
            .map((name) => [name, lookups[name] ?? null]),
        );
        if (Object.keys(set).length === 0) continue;
        const row = {
          kind,
          key: localOf(node.key),
          properties,
          lookups,
          relationships: [],
          tags: [],
        };
        found.push({ key: node.key, set, row });
      }
      await tx.run(updateLookups(kind), { rows: [found.map(({ key, set }) => ({ key, set }))] });
      for (const [id, group] of grouped(found, ({ key }) => sourceOf(key))) {
        await drawDerived(
          tx,
          this.words(id),
          group.map(({ row }) => row),
        );
      }
    });
  }

  /** Draws what is derived through the new spelling of shared nodes. */
  private async redraw(kind: NodeKind): Promise<void> {
    await this.batches.each<Standing>(nodesToRehash(kind), async (tx, page) => {
      const keys = page.map(({ key }) => key);
      const shared = page.map(({ key, properties }) => ({
        ...{ kind, key },
        properties: unmarked(fromGraph(properties)),
      }));
      await drawDerived(tx, this.words(''), [], shared);
      await drawManagers(tx, this.words(''), kind, keys);
      await tx.run(unmark(kind), { keys: [keys] });
    });
  }

  private async read(tx: Runner, kind: NodeKind, page: readonly Paged[]) {
    const sources = [
      ...grouped(
        page.map(({ key }) => key),
        sourceOf,
      ),
    ];
    return Promise.all(
      sources.map(async ([id, keys]) => {
        const rows = await readRows(tx, id, new Map([[kind, keys.map(localOf)]]));
        const read = [...rows.values()].map(({ row, hash }) => ({
          row: { ...row, properties: unmarked(row.properties) },
          hash,
        }));
        return [id, read] as const;
      }),
    );
  }

  /**
   * The relationships that a migration draws get the date of the newest push, since every date must
   * lead to a push.
   */
  private words(dataSource: string) {
    const dates = [...this.sources.values()].flatMap(({ at }) => (at === null ? [] : [at.utc]));
    const at = new Instant(dates.toSorted().at(-1) ?? '1970-01-01T00:00:00Z');
    return { dataSource, provider: this.sources.get(dataSource)?.provider ?? '', at };
  }
}

/** The other properties that change with the key of a node; `null` if there are none. */
const setBy = (kind: NodeKind, properties: PropertyValues): PropertyValues | null => {
  if (kind.keeper === 'shared') {
    const said = Object.keys(kind.properties).flatMap((name) => {
      const value = properties[name];
      return typeof value === 'string' ? [[name, nfc(value)] as const] : [];
    });
    return { ...Object.fromEntries(said), rehash: true };
  }
  if (kind !== Permission || !Array.isArray(properties.application_types)) return null;
  const types = properties.application_types as readonly string[];
  const distinct = distinctFolded(types);
  return distinct.length === types.length ? null : { application_types: distinct };
};
