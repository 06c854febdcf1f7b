import * as E from 'fp-ts/Either';

import { Hints } from '../codec/hints/hints';
import { FirstProblems } from '../codec/first-problems';
import type { Step } from '../codec/pointer';
import { quote } from '../codec/quote';
import type { PropertyType } from '../codec/shared';
import type { CsvPlace, ProblemList } from '../problem';
import { type CellFault, namesIn } from './cell';
import { type CsvColumn, GRANT, HELD, KIND, PARENT } from './columns';
import type { CsvKind, CsvKinds } from './kinds';
import type { CsvPlaces } from './places';
import { type PlacedResource, ResourcePlaces } from './resource-places';
import { CSV_POINTER, type CsvRow } from './table';
import { listAt } from '../model/grouped';

/** An entity as a row describes it. */
export type CsvEntity = Record<string, unknown>;

/** Something that somebody holds, as a row states it. */
interface Held {
  readonly holder: CsvEntity;
  readonly place: CsvPlace;
  readonly permissions: readonly string[];
  readonly roles: readonly string[];
  /** `null` means the complete application. */
  readonly resources: readonly string[] | null;
}

/** A name that a row mentions. */
interface Mention {
  readonly name: string;
  readonly place: CsvPlace;
}

/** Reads rows one after the other, and collects what they state. */
export class CsvReading {
  /** The entities of each kind, by its word. */
  readonly entities = new Map<string, CsvEntity[]>();
  readonly held: Held[] = [];
  /** The declared custom properties of each kind; those of resources by their type. */
  readonly declared = new Map<string, Map<string, PropertyType>>();
  private readonly resources: PlacedResource[] = [];
  /** The names that rows mention, as spelled, by the kind that they name. */
  private readonly mentioned = new Map<string, Map<string, Mention>>();
  private readonly problems = new FirstProblems();
  private readonly hints = new Hints();

  /** `listOf` returns the place of a kind's list in the payload. */
  constructor(
    private readonly kinds: CsvKinds,
    private readonly columns: readonly CsvColumn[],
    private readonly places: CsvPlaces,
    private readonly listOf: (kind: CsvKind) => readonly Step[],
  ) {}

  /** All problems of the rows that were read. */
  get faults(): ProblemList {
    return this.problems.list;
  }

  /** Reads a row. */
  read({ row, cells }: CsvRow): void {
    const filled = this.columns.flatMap((column) => {
      const cell = cells[column.index] ?? '';
      return cell === '' ? [] : [{ column, cell }];
    });
    const stated = filled.find(({ column }) => column.field === KIND);
    const [usual = ''] = this.kinds.keys();
    const word = stated === undefined ? usual : stated.cell.toLowerCase();
    const rest = filled.filter((one) => one !== stated);
    if (word === GRANT && this.kinds.has('resource')) return this.readGrant(row, rest);
    const kind = this.kinds.get(word);
    if (kind === undefined) {
      return this.refuse(row, stated?.column.header, () => {
        const words = [...this.kinds.keys(), ...(this.kinds.has('resource') ? [GRANT] : [])];
        const hint = this.hints.didYouMean(word, words, 1);
        const message = `${quote(word)} is none of ${words.join(', ')}${hint}`;
        return { code: 'UNKNOWN_VALUE', message };
      });
    }
    this.readEntity(row, kind, rest);
  }

  /** Ends the reading: nests resources, and makes the entities that rows only mention. */
  end(): void {
    this.nestResources();
    for (const [word, names] of this.mentioned) {
      const kind = this.kinds.get(word);
      // If rows describe some entities of a kind, they must describe all of them. Other names of
      // that kind are mistakes.
      if (kind === undefined || !kind.needsNameAlone || this.entities.has(word)) continue;
      for (const { name, place } of names.values()) this.add(kind, { name }, place);
    }
  }

  private readEntity(
    row: number,
    kind: CsvKind,
    filled: readonly { readonly column: CsvColumn; readonly cell: string }[],
  ): void {
    const entity: CsvEntity = {};
    const custom = new Map<string, unknown>();
    const holds: { permissions: readonly string[]; roles: readonly string[] } = {
      permissions: [],
      roles: [],
    };
    let parent = '';
    for (const { column, cell } of filled) {
      const { field, header } = column;
      const place = { row, column: header };
      if (column.custom !== undefined && kind.isDeclared) {
        const value = column.custom.read(cell);
        if (E.isLeft(value)) this.refuse(row, header, () => value.left);
        else custom.set(column.custom.name, value.right);
        continue;
      }
      const read = kind.cells.get(field);
      if (read !== undefined) {
        const value = read(cell);
        if (E.isLeft(value)) this.refuse(row, header, () => value.left);
        else entity[field] = value.right;
        const named = kind.names.get(field);
        if (named !== undefined) this.mention(named, namesIn(cell), place);
      } else if (kind.identityType !== null && (field === 'permissions' || field === 'roles')) {
        holds[field] = namesIn(cell);
        this.mention(HELD[field], holds[field], place);
      } else if (kind.word === 'resource' && field === PARENT) {
        parent = cell;
      } else {
        this.refuse(row, header, () => {
          const message = `a row of the kind ${kind.word} has no field ${quote(field)}`;
          return { code: 'UNKNOWN_FIELD', message };
        });
      }
    }
    if (custom.size > 0) {
      // This reads like JSON: `__proto__` is a name like any other.
      entity.custom_properties = Object.fromEntries(custom);
      this.declare(kind, entity, custom);
    }
    if (kind.word === 'resource') {
      const { name } = entity;
      const path = parent === '' ? String(name) : `${parent}.${String(name)}`;
      this.resources.push({ entity, place: { row }, parent, path });
      return;
    }
    this.add(kind, entity, { row });
    if (holds.permissions.length + holds.roles.length === 0) return;
    const identity = kind.ids.map((id) => entity[id]).find((id) => id !== undefined);
    const holder = { identity: identity ?? '', identity_type: kind.identityType };
    this.held.push({ ...holds, holder, place: { row }, resources: null });
  }

  private readGrant(
    row: number,
    filled: readonly { readonly column: CsvColumn; readonly cell: string }[],
  ): void {
    const holder: CsvEntity = {};
    const lists: Record<string, readonly string[]> = {};
    for (const { column, cell } of filled) {
      const { field, header } = column;
      if (field === 'identity' || field === 'identity_type') holder[field] = cell;
      else if (field === 'resources') lists[field] = namesIn(cell);
      else if (field === 'permissions' || field === 'roles') {
        lists[field] = namesIn(cell);
        this.mention(HELD[field], lists[field], { row, column: header });
      } else {
        this.refuse(row, header, () => {
          const message = `a row of the kind ${GRANT} has no field ${quote(field)}`;
          return { code: 'UNKNOWN_FIELD', message };
        });
      }
    }
    const { permissions = [], roles = [], resources = null } = lists;
    if (permissions.length + roles.length === 0) {
      const message = `a row of the kind ${GRANT} needs one of permissions, roles`;
      this.refuse(row, undefined, () => ({ code: 'MISSING_FIELD', message }));
    }
    this.held.push({ holder, place: { row }, permissions, roles, resources });
  }

  private add(kind: CsvKind, entity: CsvEntity, place: CsvPlace): void {
    listAt(this.entities, kind.word).push(entity);
    this.places.note(this.listOf(kind), place);
  }

  private mention(word: string, names: readonly string[], place: CsvPlace): void {
    const known = this.mentioned.get(word) ?? new Map<string, Mention>();
    this.mentioned.set(word, known);
    // Names that differ only by case may be two names. The checks of the payload decide.
    for (const name of names) if (!known.has(name)) known.set(name, { name, place });
  }

  private declare(
    kind: CsvKind,
    { resource_type }: CsvEntity,
    custom: ReadonlyMap<string, unknown>,
  ): void {
    const owner = kind.word === 'resource' ? `resource ${String(resource_type)}` : kind.word;
    const types = this.declared.get(owner) ?? new Map<string, PropertyType>();
    this.declared.set(owner, types);
    for (const { custom: column } of this.columns) {
      if (column !== undefined && custom.has(column.name)) types.set(column.name, column.type);
    }
  }

  private nestResources(): void {
    const kind = this.kinds.get('resource');
    if (kind === undefined) return;
    const places = new ResourcePlaces(this.resources);
    const header = this.columns.find(({ field }) => field === PARENT)?.header;
    const children = new Map<PlacedResource | null, PlacedResource[]>();
    for (const resource of this.resources) {
      const parents = resource.parent === '' ? [null] : places.at(resource.parent);
      const [parent = null, ...others] = parents;
      if (parents.length === 0 || others.length > 0) {
        const { row = 0 } = resource.place;
        this.refuse(row, header, () => places.fault(resource.parent, this.hints));
      }
      listAt(children, parent).push(resource);
    }
    // A child's path is longer than that of its parent, so this walk ends.
    const place = (parent: PlacedResource | null, list: readonly Step[]): void => {
      (children.get(parent) ?? []).forEach((resource, index) => {
        this.places.note(list, resource.place);
        const inside = children.get(resource) ?? [];
        if (inside.length === 0) return;
        resource.entity.sub_resources = inside.map(({ entity }) => entity);
        place(resource, [...list, index, 'sub_resources']);
      });
    };
    const top = children.get(null) ?? [];
    if (top.length > 0) {
      this.entities.set(
        kind.word,
        top.map(({ entity }) => entity),
      );
    }
    place(null, this.listOf(kind));
  }

  private refuse(row: number, column: string | undefined, fault: () => CellFault): void {
    const place = column === undefined ? { row } : { row, column };
    this.problems.add(() => ({ pointer: CSV_POINTER, ...fault(), ...place }));
  }
}
