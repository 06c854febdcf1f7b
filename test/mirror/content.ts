import type { Entity, EntityTag, Reference, Statement, Whole } from './entity';
import type { Values } from './graph';

/** What left with an entity. */
export interface Gone {
  readonly entities: readonly Entity[];
  readonly statements: readonly Statement[];
}

/** What a data source holds while an increment is applied to it. */
export class Content {
  readonly entities: Map<string, Entity>;
  readonly statements: Map<string, Statement>;
  /** What entities name that is not bound yet, by the entity's key. */
  readonly references = new Map<string, readonly Reference[]>();

  constructor(before: Whole) {
    this.entities = new Map(before.entities.map((one) => [one.key, one]));
    this.statements = new Map(before.statements.map((one) => [one.key, one]));
  }

  put(entity: Entity, references: readonly Reference[]): void {
    this.entities.set(entity.key, entity);
    this.references.set(entity.key, references);
  }

  setTags(entity: Entity, tags: readonly EntityTag[]): void {
    this.entities.set(entity.key, { ...entity, tags });
  }

  /**
   * Removes an entity with all that it owns, every bound reference to it, and every statement of or about it
   * (docs/rules.md: Increments).
   */
  remove(entity: Entity): Gone {
    const entities = [...this.entities.values()].filter((one) => this.isOwnedBy(one, entity));
    const keys = new Set(entities.map(({ key }) => key));
    for (const key of keys) {
      this.entities.delete(key);
      this.references.delete(key);
    }
    for (const [key, one] of this.entities) {
      const links = one.links.filter(({ target }) => !keys.has(target.key));
      this.entities.set(key, { ...one, links });
    }
    const statements = [...this.statements.values()].filter(
      ({ holder, held, application }) =>
        keys.has(holder.key) ||
        keys.has(held.key) ||
        (entity.kind === 'Application' && application === entity.id),
    );
    for (const { key } of statements) this.statements.delete(key);
    for (const [key, one] of this.statements) {
      const resources = one.resources.filter((resource) => !keys.has(resource));
      this.statements.set(key, { ...one, resources });
    }
    return { entities, statements };
  }

  /** Whether an entity is another, or in it: in an application, or below a resource. */
  private isOwnedBy(one: Entity, owner: Entity): boolean {
    if (owner.kind === 'Application') return one.application === owner.id;
    return one.key === owner.key || (one.kind === 'Resource' && this.isWithin(one.parent, owner));
  }

  /** Whether the resource of a key is another one, or anywhere below it. */
  isWithin(key: string | null, resource: Entity): boolean {
    const one = key === null ? undefined : this.entities.get(key);
    if (one === undefined) return false;
    return one.key === resource.key || this.isWithin(one.parent, resource);
  }

  whole(top: Values): Whole {
    return {
      top,
      entities: [...this.entities.values()],
      statements: [...this.statements.values()],
    };
  }
}
