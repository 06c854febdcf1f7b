import { statedInApplication, statedOfPermission, statedOfResource } from './application-entity';
import type { Checks } from './checks';
import type { Content, Gone } from './content';
import type { Entity, Stated } from './entity';
import { idFields, meant, statedId, statedKey, type Around, type PlacedEntry } from './entry';
import type { Label } from './graph';
import { statedInFlat } from './flat-entity';
import { entriesIn, flatTemplates, type FlatTemplate } from './flat-templates';
import { isSomebody, type Traces } from './judgement';
import { called, mentionOfRole, mentionsOf } from './mentions';
import { idAfter, mergePatch } from './merge-patch';
import { holdsMoreThanDeletions, isForEntity, nestedIn, type Entry } from './operations';
import type { AnyEntity, Application, Resource, Tag } from './payload';
import { below } from './pointer';
import { tagsOf } from './stated-links';
import { given, listed } from './text';
import { ignored, missing, type Mention } from './warnings';

const top: Around = { application: null, parent: null, isKnown: true, inherited: null };

/** Applies the operations on entities, in document order (docs/rules.md: Increments). */
export class EntityChanges {
  readonly missing: Mention[] = [];
  readonly traces: Traces = {
    roots: [],
    applications: [],
    people: [],
    added: new Map(),
    placed: new Map(),
    dynamic: new Map(),
  };
  /** What the last entry that has a field says in it, by entity and field. */
  private readonly mentioned = new Map<string, Mention>();
  /** Keys that were added and not removed again. */
  private readonly addedKeys = new Set<string>();

  constructor(
    private readonly content: Content,
    private readonly dataSource: string,
    private readonly checks: Checks,
  ) {}

  /** Applies every entry of a payload of an identity provider or an HR system. */
  applyFlat({ lists }: FlatTemplate, payload: object): void {
    for (const [field, kind] of lists) this.list(payload, field, kind);
  }

  /** Applies every entry of an application payload that is about an entity. */
  applyApplication(payload: object): void {
    this.list(payload, 'applications', 'Application');
    this.list(payload, 'permissions', 'Permission');
  }

  /** What the entries mention of entities that still stand (docs/rules.md: Problems). */
  mentions(): readonly Mention[] {
    return [...this.mentioned.values()].filter(({ key }) => this.content.entities.has(key));
  }

  private list(payload: object, field: string, kind: Label): void {
    for (const { sent, pointer } of entriesIn<Entry>(payload, field)) {
      this.apply({ kind, sent, pointer, around: top });
    }
  }

  private apply(entry: PlacedEntry): void {
    const { kind, sent, pointer, around } = entry;
    const own = sent.operation ?? null;
    if (own !== null && !isForEntity(kind, own)) {
      this.refuse(below(pointer, 'operation'), 'OPERATION_NOT_ALLOWED');
      return;
    }
    const operation = own ?? around.inherited;
    if (operation === null) this.passThrough(entry);
    else if (operation === 'add') this.add(entry);
    else if (operation === 'modify') this.modify(entry);
    else if (operation === 'delete') this.delete(entry, operation);
    else if (operation === 'add_tag') this.addTags(entry);
    else if (operation.endsWith('_tag')) this.removeTags(entry, operation);
    else if (kind === 'Application') this.changeResources(entry, operation);
    else this.delete(entry, operation);
  }

  /** An entity without an operation is context only. */
  private passThrough(entry: PlacedEntry): void {
    const [fit] = meant(entry, this.content, this.dataSource);
    if (fit === undefined) {
      this.passUnknown(entry, 'context');
      return;
    }
    this.ignore(entry);
    this.nested(entry, this.inside(entry, fit));
  }

  /** Context that is not known: one warning for the outermost; with more than deletions inside it an error. */
  private passUnknown(entry: PlacedEntry, operation: string): void {
    const { kind, sent, pointer, around } = entry;
    if (holdsMoreThanDeletions(kind, sent)) {
      this.refuse(pointer, 'UNKNOWN_ENTITY');
      return;
    }
    this.miss(entry, operation);
    if (operation === 'context' && around.isKnown) this.ignore(entry);
    const application =
      kind === 'Application' ? { id: statedId(entry), type: '', sent: '' } : around.application;
    this.nested(entry, { application, parent: null, isKnown: false, inherited: null });
  }

  /** `add` puts the entity of its own id as a full push would; what it contains stays. */
  private add(entry: PlacedEntry): void {
    const { kind, sent, pointer, around } = entry;
    const id = statedId(entry);
    const key = statedKey(entry, this.dataSource);
    if (this.addedKeys.has(key)) {
      this.refuse(pointer, 'DUPLICATE_ID');
      return;
    }
    const before = this.content.entities.get(key);
    if (this.isMisplaced(entry, before)) return;
    this.addedKeys.add(key);
    const { values, resourceTypes, links, references } = this.stated(entry, null);
    const entity: Entity = {
      kind,
      key,
      id,
      parent: around.parent,
      values,
      resourceTypes,
      links,
      application: kind === 'Application' ? id : (around.application?.id ?? null),
      tags: [...(before?.tags ?? []), ...tagsOf((sent as AnyEntity).tags)],
    };
    this.content.put(entity, references);
    if (isRoot(kind) && before === undefined) this.traces.roots.push(pointer);
    if (kind === 'Resource') this.traces.added.set(key, pointer);
    this.forget(key);
    this.note(entry, entity, true);
    this.nested(entry, { ...this.inside(entry, entity), inherited: 'add' });
  }

  /** `modify` is a merge patch; a resource moves to where the entry stands. */
  private modify(entry: PlacedEntry): void {
    const { kind, sent, pointer, around } = entry;
    const before = this.findOne(entry);
    if (before === null) return;
    if (before === undefined || idAfter(before, idFields(kind), sent) !== before.id) {
      this.refuse(pointer, 'UNKNOWN_ENTITY');
      return;
    }
    if (this.isMisplaced(entry, before)) return;
    const waiting = this.content.references.get(before.key) ?? [];
    const stated = this.stated(entry, before);
    const { entity, references } = mergePatch(before, waiting, sent, stated);
    const tags = [...before.tags, ...tagsOf((sent as AnyEntity).tags)];
    this.content.put({ ...entity, tags, parent: around.parent }, references);
    this.note(entry, entity, false);
    this.nested(entry, this.inside(entry, this.content.entities.get(before.key) ?? before));
  }

  /** `delete` removes the entity with all that it owns; what is nested in the entry is ignored. */
  private delete(entry: PlacedEntry, operation: string): void {
    const { kind, pointer } = entry;
    const fit = this.findOne(entry);
    if (fit === null) return;
    if (fit === undefined) {
      this.miss(entry, operation);
      return;
    }
    const gone = this.content.remove(fit);
    for (const { key } of gone.entities) {
      this.addedKeys.delete(key);
      this.forget(key);
    }
    if (isRoot(kind)) this.traces.roots.push(pointer);
    if (kind === 'Application') this.traces.applications.push(pointer);
    if (tookSomebody(gone)) this.traces.people.push(pointer);
  }

  private addTags(entry: PlacedEntry): void {
    const fit = this.findOne(entry);
    if (fit === null) return;
    if (fit === undefined) {
      this.refuse(entry.pointer, 'UNKNOWN_ENTITY');
      return;
    }
    this.content.setTags(fit, [...fit.tags, ...tagsOf((entry.sent as AnyEntity).tags)]);
  }

  /** A tag without a value removes every tag of its key (docs/rules.md: Increments). */
  private removeTags(entry: PlacedEntry, operation: string): void {
    const fit = this.findOne(entry);
    if (fit === null) return;
    if (fit === undefined) {
      this.miss(entry, operation);
      return;
    }
    const sent = listed((entry.sent as AnyEntity).tags);
    let { tags } = fit;
    const absent = sent.filter((tag) => {
      const [wanted] = tagsOf([tag]);
      const stay = tags.filter(
        ({ name, value }) =>
          name !== wanted?.name || (wanted.value !== '' && value !== wanted.value),
      );
      const isMissing = stay.length === tags.length;
      tags = stay;
      return isMissing;
    });
    this.content.setTags(fit, tags);
    if (absent.length > 0) this.missTags(entry, operation, absent);
  }

  /** `add_resource` and `delete_resource` on an application: what they do to the resources listed in it. */
  private changeResources(entry: PlacedEntry, operation: string): void {
    const [fit] = meant(entry, this.content, this.dataSource);
    if (fit === undefined && operation === 'add_resource') {
      this.refuse(entry.pointer, 'UNKNOWN_ENTITY');
      return;
    }
    if (fit === undefined) {
      this.passUnknown(entry, operation);
      return;
    }
    const inherited = operation === 'add_resource' ? 'add' : 'delete_resource';
    const inside = this.inside(entry, fit);
    this.nested(entry, inside, { ...inside, inherited });
  }

  /** What is nested in an entry, one after the other. */
  private nested(entry: PlacedEntry, around: Around, aroundResources = around): void {
    for (const { field, kind, list } of nestedIn(entry.kind, entry.sent)) {
      list.forEach((sent, at) =>
        this.apply({
          kind,
          sent,
          pointer: below(entry.pointer, field, at),
          around: kind === 'Resource' ? aroundResources : around,
        }),
      );
    }
  }

  /** What is around the entries nested in one that stands for an entity; without an operation they are context. */
  private inside({ kind, sent, around }: PlacedEntry, entity: Entity): Around {
    const { name } = sent as AnyEntity;
    const application =
      kind === 'Application'
        ? { id: entity.id, type: typeOf(entity), sent: name ?? '' }
        : around.application;
    const parent = kind === 'Resource' ? entity.key : null;
    return { application, parent, isKnown: true, inherited: null };
  }

  /** What an entry says; custom properties are read by the type that its application now has. */
  private stated({ kind, sent, pointer, around }: PlacedEntry, before: Entity | null): Stated {
    const type = around.application?.type ?? '';
    if (kind === 'Application') {
      const application = sent as unknown as Application;
      const own = given(application.application_type) ?? (before === null ? '' : typeOf(before));
      return statedInApplication(kind, application, own, pointer, this.checks);
    }
    if (kind === 'Permission') return statedOfPermission(sent);
    if (kind === 'Resource') {
      return statedOfResource(sent as unknown as Resource, type, pointer, this.checks);
    }
    return around.application === null
      ? statedInFlat(kind, sent, pointer, this.checks)
      : statedInApplication(kind, sent, type, pointer, this.checks);
  }

  /** Notes what the end is judged by, and what may deserve a warning. */
  private note(
    { kind, sent, pointer, around }: PlacedEntry,
    { key }: Entity,
    isAdd: boolean,
  ): void {
    const application = around.application?.sent ?? null;
    const found = [...mentionsOf(kind, key, sent, pointer, application)];
    const changesContents = ['permissions', 'roles'].some((field) => Object.hasOwn(sent, field));
    if (kind === 'LocalRole' && (isAdd || changesContents)) {
      found.push(mentionOfRole(key, sent, pointer, application));
    }
    for (const one of found) this.mentioned.set(`${one.field} ${key}`, one);
    if (kind === 'Resource') this.traces.placed.set(key, pointer);
    if (Object.keys((sent as AnyEntity).dynamic_properties ?? {}).length > 0) {
      this.traces.dynamic.set(key, below(pointer, 'dynamic_properties'));
    }
  }

  /** What earlier entries said of an entity holds no more. */
  private forget(key: string): void {
    for (const [name, mention] of this.mentioned) {
      if (mention.key === key) this.mentioned.delete(name);
    }
    this.traces.dynamic.delete(key);
  }

  /** The one entity that an entry means; undefined when it does not stand, null when it is one of several. */
  private findOne(entry: PlacedEntry): Entity | undefined | null {
    const [fit, second] = meant(entry, this.content, this.dataSource);
    if (second === undefined) return fit;
    this.refuse(entry.pointer, 'AMBIGUOUS_REFERENCE');
    return null;
  }

  /** Whether an entry would put a resource inside itself, or in what an entry nested in the same one has deleted; it is refused then. */
  private isMisplaced({ kind, pointer, around }: PlacedEntry, before: Entity | undefined): boolean {
    const { parent } = around;
    if (kind !== 'Resource' || parent === null) return false;
    const isGone = !this.content.entities.has(parent);
    const isInItself = before !== undefined && this.content.isWithin(parent, before);
    if (isGone) this.refuse(pointer, 'UNKNOWN_ENTITY');
    else if (isInItself) this.refuse(pointer, 'SELF_REFERENCE');
    return isGone || isInItself;
  }

  private refuse(pointer: string, code: string): void {
    this.checks.problems.push({ pointer, code });
  }

  /** One warning for what is not there, but inside context that has one already. */
  private miss({ kind, sent, pointer, around }: PlacedEntry, operation: string): void {
    if (!around.isKnown) return;
    const where = `${called(kind, sent, around.application?.sent ?? null)} (${operation})`;
    this.missing.push(missing(where, pointer));
  }

  /** Without an operation all but an entry's id and what is nested in it is in vain. */
  private ignore({ kind, sent, pointer, around }: PlacedEntry): void {
    const nested = nestedIn(kind, sent).map(({ field }) => field);
    const isInVain = (field: string): boolean =>
      !['name', 'resource_type', ...idFields(kind), ...nested].includes(field);
    const where = called(kind, sent, around.application?.sent ?? null);
    this.missing.push(...ignored(sent, isInVain, where, pointer));
  }

  private missTags(
    { kind, sent, pointer, around }: PlacedEntry,
    operation: string,
    tags: readonly Tag[],
  ): void {
    const names = tags.map(({ key, value }) => (given(value) === null ? key : `${key}=${value}`));
    const who = called(kind, sent, around.application?.sent ?? null);
    const where = `tags ${JSON.stringify(names)} (${who}: ${operation})`;
    const at = below(pointer, 'tags');
    this.missing.push(missing(where, at));
  }
}

/** Whether a kind is one of which there is exactly one. */
function isRoot(kind: Label): boolean {
  return Object.values(flatTemplates).some(({ root }) => root === kind);
}

/** The type of an application. */
function typeOf({ values }: Entity): string {
  return typeof values.application_type === 'string' ? values.application_type : '';
}

/** Whether somebody who can hold something left, or somebody federated holds less (docs/rules.md: Problems). */
function tookSomebody({ entities, statements }: Gone): boolean {
  return (
    entities.some(({ kind }) => isSomebody(kind)) ||
    statements.some(({ holder }) => holder.label === 'Identity')
  );
}
