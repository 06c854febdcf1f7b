import type { Doubt } from '../endpoints';
import { grouped } from '../../../model/grouped';
import { unescapePart } from '../../../model/key';
import { Identity } from '../../../model/shared-nodes';
import { hasProperties, type NodeKind, type RelationshipKind } from '../../../model/table';
import { Resource } from '../../../templates/application/resources';
import { sharedKinds } from '../../../templates/graph/nodes';
import { kindsMentioning, relationshipKinds } from '../../../templates/graph/relationships';
import { allRowKinds } from '../../../templates/templates';
import { allNamed, allReferring, allStated, RESOLVED_TO } from '../statements';
import { Pipeline } from '../../../neo4j/pipeline';
import type { Runner } from '../../../neo4j/transaction';
import { type Certain, differences, type ErasedRows, pairOf } from './changed-rows';
import type { Decisions, Doubtful } from '../person/doubt';
import {
  FOLLOWING,
  holdsAny,
  mayStay,
  isNamedAfter,
  isSharedName,
  isDistinguishedByName,
  stayingTexts,
  KIND_OF,
  mayBeNamedAfter,
  ownNames,
  type Properties,
  textIn,
} from '../person/named-entities';
import type { NamesHere } from '../person/names';
import { dataSourceOf, placeOf } from '../person/people';
import type { Person } from '../person/person-search';
import { nanosAt, overlapsAny, type Span } from '../person/span';
import { doubtOf, withoutNames } from './without-names';

/** An entity that has the person's name and stays, because it is something else. */
export interface StayingName {
  readonly key: string;
  readonly label: string;
  readonly name: string | null;
}

/** What goes and changes in the graph of now. */
export interface ErasedNow {
  readonly rows: readonly ErasedRows[];
  /**
   * Keys of all nodes to remove, including shared ones, with the times when they belonged to
   * somebody else.
   */
  readonly gone: ReadonlyMap<string, readonly Span[]>;
  /** Keys of nodes that the erasure removes or may change. */
  readonly touched: ReadonlySet<string>;
  readonly kept: readonly StayingName[];
  readonly doubtful: readonly Doubtful[];
}

/** Finds what of the present graph is removed with a person (docs/rules.md: Erasing a person). */
class RowSearch {
  private readonly pipeline: Pipeline;
  private readonly removed: Set<string>;
  private readonly gone: Map<string, readonly Span[]>;
  private readonly changed = new Set<string>();
  private readonly wholly = new Set<string>();
  /**
   * Since when each row exists, from Neo4j. It would cost more than everything else to read all
   * these times.
   */
  private readonly since = new Map<string, unknown>();
  /**
   * Relationships of rows to removed nodes that belong to somebody else: keys of the row and the
   * other end.
   */
  private readonly others = new Set<string>();
  private readonly kept = new Map<string, StayingName>();
  private readonly doubts: Map<string, Doubtful>;
  /** Shared nodes in whose names a name is, with their properties. */
  private readonly mentioned = new Map<string, Properties>();

  constructor(
    private readonly tx: Runner,
    private readonly person: Person,
    private readonly decisions: Decisions,
  ) {
    this.pipeline = new Pipeline(tx);
    this.removed = new Set(
      [...person.existing].filter((key) => !key.startsWith(`${Identity.label}|`)),
    );
    this.gone = new Map([...person.keys].map((key) => [key, person.taken.get(key) ?? []]));
    this.doubts = new Map(person.doubtful.map((one) => [one.key, one]));
  }

  async find(): Promise<ErasedNow> {
    for (const kind of allRowKinds.map(({ node }) => node)) await this.readKind(kind);
    for (const kind of sharedKinds) await this.readShared(kind);
    for (const kind of relationshipKinds.filter(hasProperties)) await this.readStated(kind);
    await this.findResolved();
    await this.findReferring();
    for (const [key, properties] of this.mentioned) {
      const rows = await this.refer([key], () => false, []);
      this.judgeMentioned(key, properties, rows);
    }
    for (const key of this.removed) this.changed.delete(key);
    const isThere = ({ key }: StayingName): boolean =>
      !this.removed.has(key) && !this.gone.has(key);
    return {
      rows: await differences(this.tx, this, this.removed, this.changed, (key) =>
        nanosAt(this.since.get(key)),
      ),
      gone: this.gone,
      touched: new Set([...this.gone.keys(), ...this.changed, ...this.mentioned.keys()]),
      kept: [...this.kept.values()].filter(isThere),
      doubtful: [...this.doubts.values()].filter(isThere),
    };
  }

  get certain(): Certain {
    const { person, decisions, gone, others, wholly } = this;
    return { person, decisions, gone, others, wholly };
  }

  private doubt(key: string, label: string, properties: Properties, reason: Doubt): void {
    if (this.doubts.has(key)) return;
    this.doubts.set(key, { key, label, name: textIn(properties, 'name'), reason });
  }

  /** `taken`: when it belonged to somebody else, as far as its history shows. */
  private remove(key: string, taken: readonly Span[]): void {
    this.removed.add(key);
    this.gone.set(key, taken);
  }

  /** Removes what has a name of the person. It belonged to somebody else when the name did. */
  private removeNamed(key: string, label: string, properties: Properties): void {
    const { names } = this.person;
    this.remove(
      key,
      names.spansOfOthersBefore((name) => isNamedAfter(label, properties, name)),
    );
  }

  private async readKind(kind: NodeKind): Promise<void> {
    for await (const record of this.tx.stream(allNamed(kind))) {
      const key = String(record.get('key'));
      if (this.removed.has(key)) continue;
      this.readRow(key, kind.label, record.get('properties') as Properties);
    }
  }

  private readRow(key: string, label: string, properties: Properties): void {
    this.since.set(key, properties.since);
    const { names } = this.person;
    if (!holdsAny(properties, names.all)) return;
    const since = nanosAt(properties.since);
    const here = names.at(placeOf({ key, properties }), { from: since, until: null });
    const { decisions } = this;
    if (isNamedAfter(label, properties, here.certain)) {
      if (decisions.stays(key)) this.keep(key, label, properties);
      else this.removeNamed(key, label, properties);
      return;
    }
    if (this.isAlike(label, properties, here)) {
      if (decisions.goes(key)) this.removeNamed(key, label, properties);
      else this.doubt(key, label, properties, 'SAME_NAME');
    }
    const isFollowing = FOLLOWING.has(label);
    const holds = (text: string): boolean =>
      [here.certain, here.display, here.foreign].some((names) => names.isUnmistakablyIn(text));
    const own = isFollowing
      ? isDistinguishedByName(properties, here.certain) ||
        isDistinguishedByName(properties, here.display)
      : ownNames(label, properties).some(
          (name) => here.certain.isIn(name) || here.display.isIn(name) || holds(name),
        ) || stayingTexts(label, properties).some(holds);
    if (own) this.keep(key, label, properties);
    if (isFollowing) return;
    if (withoutNames(label, properties, here, (name) => mayStay(label, name)) !== properties) {
      if (decisions.stays(key)) this.keep(key, label, properties);
      else this.changed.add(key);
    }
    if (doubtOf(label, properties, here) === 'MENTIONS') {
      if (!decisions.goes(key)) this.doubt(key, label, properties, 'MENTIONS');
      else {
        this.wholly.add(key);
        this.changed.add(key);
      }
    }
  }

  private keep(key: string, label: string, properties: Properties): void {
    if (!this.doubts.has(key)) this.kept.set(key, { key, label, name: textIn(properties, 'name') });
  }

  /** Whether an entity has a name that others may have too. */
  private isAlike(label: string, properties: Properties, here: NamesHere): boolean {
    if (!mayBeNamedAfter(label)) return false;
    if (isNamedAfter(label, properties, here.display)) return true;
    if (isNamedAfter(label, properties, here.foreign)) return true;
    const name = textIn(properties, 'name') ?? '';
    return /\p{L}/u.test(name) && this.person.names.all.isOne(name);
  }

  private async readShared(kind: NodeKind): Promise<void> {
    const { label } = kind;
    const { names } = this.person;
    const anywhere = names.at({ dataSource: '', application: null }, { from: 0n, until: null });
    for await (const record of this.tx.stream(allNamed(kind))) {
      const key = String(record.get('key'));
      if (this.gone.has(key)) continue;
      const properties = record.get('properties') as Properties;
      if (label === Identity.label) {
        if (!anywhere.certain.isUnmistakablyIn(textIn(properties, 'name') ?? '')) continue;
      } else if (!isSharedName(key, names.all)) continue;
      else this.mentioned.set(key, properties);
      if (label !== Identity.label) {
        if (isSharedName(key, anywhere.certain) && this.decisions.stays(key)) {
          this.keep(key, label, properties);
        }
      } else if (this.decisions.goes(key)) this.gone.set(key, []);
      else this.doubt(key, label, properties, 'SAME_NAME');
    }
  }

  /**
   * Rows still have the name of a shared node if it means somebody else. Shared nodes that nothing
   * states are removed anyway.
   */
  private judgeMentioned(key: string, properties: Properties, rows: readonly string[]): void {
    if (this.gone.has(key) || this.decisions.isLeft(key)) return;
    const isCertain = (row: string): boolean => {
      const place = { dataSource: dataSourceOf(row), application: applicationOf(row) };
      const since = nanosAt(this.since.get(row));
      const { certain, display } = this.person.names.at(place, { from: since, until: null });
      return isSharedName(key, certain) || isSharedName(key, display);
    };
    if (rows.every((row) => this.removed.has(row) || isCertain(row))) return;
    if (this.decisions.goes(key)) this.gone.set(key, []);
    else this.doubt(key, labelOf(key), properties, 'SAME_NAME');
  }

  private async readStated(kind: RelationshipKind): Promise<void> {
    for await (const record of this.tx.stream(allStated(kind))) {
      const key = String(record.get('key'));
      if (this.changed.has(key) || this.removed.has(key)) continue;
      const texts = Object.values(record.get('properties') as Properties).flat();
      const { all } = this.person.names;
      if (texts.some((text) => typeof text === 'string' && all.isUnmistakablyIn(text))) {
        this.changed.add(key);
      }
    }
  }

  /** External entities that are the person and nobody else are removed too. */
  private async findResolved(): Promise<void> {
    const found = await this.pipeline.ask<{ entity: string; ends: string[] }>(RESOLVED_TO, 'keys', [
      ...this.person.existing,
    ]);
    for (const record of found) {
      const [entity, ends] = [record.get('entity'), record.get('ends')];
      if (!ends.every((end) => this.person.keys.has(end)) || this.decisions.stays(entity)) continue;
      if (this.decisions.goes(entity) || (await this.person.isLedTo(entity, ends))) {
        this.gone.set(entity, []);
      } else this.doubt(entity, labelOf(entity), { name: nameInKey(entity) }, 'OTHER_PROVIDER');
    }
  }

  private async findReferring(): Promise<void> {
    let frontier = [...this.gone.keys()];
    while (frontier.length > 0) {
      const next: string[] = [];
      await this.refer(frontier, goesWith, next);
      frontier = next;
    }
  }

  private async refer(
    frontier: readonly string[],
    goes: typeof goesWith,
    next: string[],
  ): Promise<readonly string[]> {
    const rows: string[] = [];
    for (const [label, keys] of grouped(frontier, labelOf)) {
      const node = KIND_OF.get(label);
      if (node === undefined) continue;
      for (const kind of kindsMentioning(node)) {
        const owner = kind[kind.owner];
        const records = await this.pipeline.ask<{ found: [string, string, unknown][] }>(
          allReferring(kind),
          'keys',
          [...keys],
          { label: [owner.label] },
        );
        for (const [end, row, at] of records.flatMap((record) => record.get('found'))) {
          const since = nanosAt(at);
          rows.push(row);
          // If somebody else had that end at the time, the relationship stays with them. An end
          // that the erasure removes keeps no relationship.
          const isTaken =
            !this.removed.has(end) &&
            overlapsAny({ from: since, until: null }, this.gone.get(end) ?? []);
          if (isTaken) {
            this.others.add(pairOf(row, end));
            const name = end.slice(end.indexOf('|') + 1);
            if (!this.doubts.has(end)) this.kept.set(`${end}|`, { key: end, label, name });
          } else if (!goes(kind.type, owner)) this.changed.add(row);
          else if (!this.removed.has(row)) {
            this.remove(row, this.gone.get(end) ?? []);
            next.push(row);
          }
        }
      }
    }
    return rows;
  }
}

/** Finds what of the present graph is removed with a person (docs/rules.md: Erasing a person). */
export const findRows = (tx: Runner, person: Person, decisions: Decisions): Promise<ErasedNow> =>
  new RowSearch(tx, person, decisions).find();

/** The application of a row, as its key has it. */
export const applicationOf = (key: string): string => unescapePart(key.split('|')[2] ?? '');

const nameInKey = (key: string): string => unescapePart(key.split('|').at(-1) ?? '');

const labelOf = (key: string): string => {
  const [first = '', second = ''] = key.split('|', 2);
  return KIND_OF.has(first) ? first : second;
};

/** Whether the row is removed with the other end of a relationship, or only the relationship is. */
const goesWith = (type: string, kind: NodeKind): boolean =>
  type === 'HOLDS' ||
  (type === 'OF' && FOLLOWING.has(kind.label)) ||
  (type === 'CONTAINS' && kind === Resource);
