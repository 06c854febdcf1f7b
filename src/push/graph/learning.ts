import { grouped } from '../../model/grouped';
import {
  type KnownRows,
  type Need,
  needId,
  type CurrentRow,
} from '../../increment/working/current-rows';
import { Application } from '../../templates/application/applications';
import { Permission } from '../../templates/application/permissions';
import { Resource } from '../../templates/application/resources';
import { keyStart, typedKeyStart } from '../../model/key';
import { rowKinds } from '../../templates/graph/nodes';
import type { Template } from '../../templates/templates';
import { kindsMentioning, longKindsOwnedBy } from '../../templates/graph/relationships';
import { Identity } from '../../model/shared-nodes';
import { type NodeKind, otherEnd, type RelationshipKind } from '../../model/table';
import { existingRelationships } from '../../graph/rows/relationship-statements';
import {
  listsOf,
  namingLookups,
  nodesNamed,
  resourcesOfType,
  RESOURCES_BELOW,
  ROWS_WITHIN,
  rowsReferring,
  SOME_ROWS,
  SPELLINGS,
} from '../../graph/rows/existing-statements';
import { Pipeline } from '../../neo4j/pipeline';
import { graphKey, localKey, readPlaced } from '../../graph/write/current-rows';
import type { Runner } from '../../neo4j/transaction';

type NeedOf<T extends Need['_tag']> = Extract<Need, { readonly _tag: T }>;

/** Needs of which the increment wants only the keys that they find, not the rows. */
const ONLY_KEYS: ReadonlySet<Need['_tag']> = new Set([
  'some',
  'typed',
  'spellings',
  'states',
  'list',
]);

/**
 * Loads what an increment needs to know of a data source, with one batch for each kind of question.
 */
export class Learner {
  private readonly pipeline: Pipeline;
  private readonly found = new Map<string, Set<string>>();
  private readonly kinds: ReadonlyMap<string, NodeKind>;

  constructor(
    private readonly tx: Runner,
    private readonly dataSource: string,
    private readonly template: Template,
  ) {
    this.pipeline = new Pipeline(tx);
    const kinds: readonly NodeKind[] = [...rowKinds[template], Identity];
    this.kinds = new Map(kinds.map((kind) => [kind.label, kind]));
  }

  /** Gives the known rows with the answers to the needs. */
  async learn(known: KnownRows, needs: readonly Need[]): Promise<KnownRows> {
    const of = <T extends Need['_tag']>(tag: T): readonly NeedOf<T>[] =>
      needs.filter((need): need is NeedOf<T> => need._tag === tag);
    for (const need of needs) if (need._tag !== 'row') this.found.set(needId(need), new Set());
    const rows = new Map(known.rows);
    await Promise.all([
      this.read(
        rows,
        of('row').map(({ key }) => key),
      ),
      this.named(of('named')),
      this.referring(of('referring')),
      this.below(of('below')),
      this.states(of('states')),
      this.lists(of('list')),
      ...of('within').map((need) => this.within(need)),
      ...of('some').map((need) => this.some(need)),
      ...of('typed').map((need) => this.typed(need)),
      ...of('spellings').map((need) => this.spellings(need)),
      ...of('all').map((need) => this.all(need)),
    ]);
    const wanted = new Set<string>();
    for (const need of needs) {
      if (ONLY_KEYS.has(need._tag)) continue;
      for (const key of this.found.get(needId(need)) ?? []) wanted.add(key);
    }
    await this.read(rows, wanted);
    return {
      rows,
      found: new Map([
        ...known.found,
        ...[...this.found].map(([id, keys]) => [id, [...keys]] as const),
      ]),
    };
  }

  private read(rows: Map<string, CurrentRow | null>, keys: Iterable<string>): Promise<void> {
    return readPlaced(this.tx, this.dataSource, this.template, rows, keys);
  }

  private async named(needs: readonly NeedOf<'named'>[]): Promise<void> {
    const sent: Promise<void>[] = [];
    for (const [label, group] of grouped(needs, (need) => need.label)) {
      const kind = this.kind(label);
      const byText = grouped(group, (need) => need.folded);
      const lookups = namingLookups(kind);
      // A data source holds one or two rows of such a kind, so the kind has no index on names.
      if (lookups.length === 0) {
        for (const need of group) sent.push(this.prefixed(need, SOME_ROWS, kind, { most: 1_000 }));
      }
      for (const lookup of lookups) {
        sent.push(
          this.pairs(nodesNamed(kind, lookup), 'texts', byText.keys()).then((found) => {
            for (const [text, key] of found) {
              for (const need of byText.get(text) ?? []) {
                if (key.startsWith(this.startOf(need))) this.note(need, key);
              }
            }
          }),
        );
      }
    }
    await Promise.all(sent);
  }

  private async referring(needs: readonly NeedOf<'referring'>[]): Promise<void> {
    const sent: Promise<void>[] = [];
    for (const [label, group] of grouped(needs, (need) => need.label)) {
      const node = this.kind(label);
      const byKey = new Map(group.map((need) => [graphKey(this.dataSource, node, need.key), need]));
      for (const kind of kindsMentioning(node)) {
        sent.push(this.from(rowsReferring(kind), byKey, { label: [kind[kind.owner].label] }));
      }
    }
    await Promise.all(sent);
  }

  private async states(needs: readonly NeedOf<'states'>[]): Promise<void> {
    const sent = [...grouped(needs, (need) => need.relationship)].map(async ([code, group]) => {
      const kind = this.relationship(code);
      const byEnds = new Map(
        group.map((need) => {
          const row = graphKey(this.dataSource, kind[kind.owner], need.row);
          const other = graphKey(this.dataSource, otherEnd(kind), need.other);
          const ends = kind.owner === 'from' ? [row, other] : [other, row];
          return [JSON.stringify(ends), { need, ends }];
        }),
      );
      const records = await this.pipeline.ask<{ found: string[][] }>(
        existingRelationships(kind),
        'pairs',
        [...byEnds.values()].map(({ ends }) => ends),
      );
      for (const ends of records.flatMap((record) => record.get('found'))) {
        const need = byEnds.get(JSON.stringify(ends))?.need;
        if (need !== undefined) this.found.get(needId(need))?.add(need.other);
      }
    });
    await Promise.all(sent);
  }

  private async lists(needs: readonly NeedOf<'list'>[]): Promise<void> {
    const sent = [...grouped(needs, (need) => need.relationship)].map(async ([code, group]) => {
      const kind = this.relationship(code);
      const byKey = new Map(
        group.map((need) => [graphKey(this.dataSource, kind[kind.owner], need.row), need]),
      );
      const records = await this.pipeline.ask<{ key: string; found: string[] }>(
        listsOf(kind),
        'keys',
        [...byKey.keys()],
        { label: [otherEnd(kind).label] },
      );
      for (const record of records) {
        const need = byKey.get(record.get('key'));
        const found = need === undefined ? undefined : this.found.get(needId(need));
        for (const key of record.get('found')) {
          found?.add(localKey(this.dataSource, otherEnd(kind), key));
        }
      }
    });
    await Promise.all(sent);
  }

  private async below(needs: readonly NeedOf<'below'>[]): Promise<void> {
    const byKey = new Map(
      needs.map((need) => [graphKey(this.dataSource, Resource, need.key), need]),
    );
    await this.from(RESOURCES_BELOW, byKey);
  }

  private async within(need: NeedOf<'within'>): Promise<void> {
    const kinds = rowKinds[this.template].filter(
      (kind: NodeKind) => kind !== Application && kind !== Permission,
    );
    await Promise.all(
      kinds.map((kind) =>
        this.prefixed(need, ROWS_WITHIN, kind, { application: need.application }, need.application),
      ),
    );
  }

  private async some(need: NeedOf<'some'>): Promise<void> {
    const kind = this.kind(need.label);
    await this.prefixed(need, SOME_ROWS, kind, { most: need.most });
  }

  private async typed(need: NeedOf<'typed'>): Promise<void> {
    const { application, type, hasId, most } = need;
    const start = hasId
      ? typedKeyStart(Resource.label, application, type)
      : keyStart(Resource.label, application);
    await this.started(need, resourcesOfType(hasId), { application, type, most }, start);
  }

  private async spellings(need: NeedOf<'spellings'>): Promise<void> {
    const { label, application, most } = need;
    const parts = application === null ? [] : [application];
    const records = await this.pipeline.ask<{ found: (string | null)[][] }>(
      SPELLINGS,
      'none',
      [null],
      { most, prefix: `${this.dataSource}|${keyStart(label, ...parts)}` },
    );
    const found = this.found.get(needId(need));
    for (const record of records) {
      for (const text of record.get('found').flat()) if (text !== null) found?.add(text);
    }
  }

  private async all(need: NeedOf<'all'>): Promise<void> {
    await Promise.all(
      rowKinds[this.template].map((kind) =>
        this.prefixed(need, SOME_ROWS, kind, { most: Number.MAX_SAFE_INTEGER }),
      ),
    );
  }

  /** Runs a statement that finds rows from nodes, by key. */
  private async from(
    statement: string,
    byKey: ReadonlyMap<string, Need>,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<void> {
    for (const [key, row] of await this.pairs(statement, 'keys', byKey.keys(), more)) {
      const need = byKey.get(key);
      if (need !== undefined) this.note(need, row);
    }
  }

  /**
   * Runs a statement that finds rows by texts or keys. Returns pairs of the text or key and the key
   * that was found.
   */
  private async pairs(
    statement: string,
    name: string,
    sought: Iterable<string>,
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<readonly (readonly [string, string])[]> {
    const records = await this.pipeline.ask<{ found: [string, string][] }>(
      statement,
      name,
      [...sought],
      { ...more, data_source: this.dataSource },
    );
    return records.flatMap((record) => record.get('found'));
  }

  /** Finds keys that begin with a label and some parts. */
  private async prefixed(
    need: Need,
    statement: string,
    { label }: NodeKind,
    parameters: Readonly<Record<string, unknown>>,
    ...parts: readonly string[]
  ): Promise<void> {
    await this.started(need, statement, parameters, keyStart(label, ...parts));
  }

  /** Finds keys that begin with `start`. */
  private async started(
    need: Need,
    statement: string,
    parameters: Readonly<Record<string, unknown>>,
    start: string,
  ): Promise<void> {
    const prefix = `${this.dataSource}|${start}`;
    const records = await this.pipeline.ask<{ key: string }>(statement, 'none', [null], {
      ...parameters,
      prefix,
    });
    for (const record of records) this.note(need, record.get('key'));
  }

  /** The start of the keys of all rows that a name may mean. */
  private startOf({ label, application }: NeedOf<'named'>): string {
    return `${this.dataSource}|${keyStart(label, ...(application === null ? [] : [application]))}`;
  }

  private note(need: Need, key: string): void {
    this.found.get(needId(need))?.add(key.slice(this.dataSource.length + 1));
  }

  private relationship(code: string): RelationshipKind {
    const kind = rowKinds[this.template].flatMap(longKindsOwnedBy).find((one) => one.code === code);
    if (kind === undefined) throw new Error(`no long list has the code ${code}`);
    return kind;
  }

  private kind(label: string): NodeKind {
    const kind = this.kinds.get(label);
    if (kind === undefined) throw new Error(`no kind of row is called ${label}`);
    return kind;
  }
}
