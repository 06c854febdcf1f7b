import type { PropertyType } from '../codec/shared';
import { byCodeUnits, fold } from '../model/fold';
import { keyOf } from '../model/key';
import type { DeclaredPlace } from './declaration-line';
import type { PropertyOwner } from './property-owner';

/** The declaration of one property. */
export interface Declaration extends PropertyOwner {
  readonly property: string;
  readonly type: PropertyType;
}

const declarationKey = (owner: PropertyOwner, property: string): string =>
  keyOf(owner.kind, fold(owner.application_type ?? ''), fold(owner.resource_type ?? ''), property);

/** The declared types, by the name of the property. */
export type TypesByName = ReadonlyMap<string, PropertyType>;

/** The types of owners without declared properties. */
export const NO_TYPES: TypesByName = new Map();

type Spelling = string | undefined;
type OfResources = Map<Spelling, TypesByName>;
type OfApplications = Map<Spelling, OfResources>;

const newMap = <K, V>(): Map<K, V> => new Map();

const entered = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const existing = map.get(key);
  if (existing !== undefined) return existing;
  const made = make();
  map.set(key, made);
  return made;
};

const typesByOwner = (declarations: Iterable<Declaration>): ReadonlyMap<string, TypesByName> => {
  const byOwner = new Map<string, Map<string, PropertyType>>();
  for (const declaration of declarations) {
    const key = declarationKey(declaration, '');
    entered(byOwner, key, newMap<string, PropertyType>).set(declaration.property, declaration.type);
  }
  return byOwner;
};

/**
 * The declared types of custom properties. They come from one payload, or from a data source's
 * newest full push and the increments after it (docs/rules.md: Custom properties).
 */
export class Definitions {
  /** Without any declaration. */
  static readonly none = new Definitions([]);

  private readonly declared: ReadonlyMap<string, Declaration>;
  private readonly byOwner: ReadonlyMap<string, TypesByName>;
  /**
   * A cache. The service looks up the types of each entity, but a payload spells its types in few
   * ways.
   */
  private readonly known = new Map<string, OfApplications>();

  /**
   * If one property is declared several times, the first declaration counts. This constructor
   * accepts the list that `toJSON` returns.
   */
  constructor(
    declarations: readonly Declaration[],
    /** The places of the declarations in the payload, for hints. */
    readonly places: readonly DeclaredPlace[] = [],
  ) {
    const declared = new Map<string, Declaration>();
    for (const declaration of declarations) {
      const key = declarationKey(declaration, declaration.property);
      if (!declared.has(key)) declared.set(key, declaration);
    }
    this.declared = declared;
    this.byOwner = typesByOwner(declared.values());
  }

  /** The declared types of an owner's properties. */
  typesOf(owner: PropertyOwner): TypesByName {
    const { kind, application_type: application, resource_type: resource } = owner;
    const ofKind = entered(this.known, kind, newMap<Spelling, OfResources>);
    const ofResource = entered(ofKind, application, newMap<Spelling, TypesByName>);
    return entered(
      ofResource,
      resource,
      () => this.byOwner.get(declarationKey(owner, '')) ?? NO_TYPES,
    );
  }

  /**
   * These declarations, followed by later ones. The types agree, because a push cannot change a
   * type.
   */
  merge(later: Definitions): Definitions {
    return new Definitions([...this.declared.values(), ...later.declared.values()], this.places);
  }

  toJSON(): readonly Declaration[] {
    return [...this.declared]
      .sort(([a], [b]) => byCodeUnits(a, b))
      .map(([, declaration]) => declaration);
  }
}
