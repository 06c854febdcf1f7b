import type { PropertyType } from '../contract/shared';
import { byCodeUnits, fold } from '../model/fold';
import { keyOf } from '../model/key';

/** The kinds of entity that have declared custom properties (spec: Custom property definition; api.md 4). */
export type PropertyKind =
  | 'domain'
  | 'user'
  | 'group'
  | 'app'
  | 'app_assignment'
  | 'application'
  | 'local_user'
  | 'local_group'
  | 'local_role'
  | 'local_access_creds'
  | 'local_agent'
  | 'local_model'
  | 'role_assignment'
  | 'resource';

/** Whose custom properties: a kind, within applications also the type of application, of resources also theirs. */
export interface PropertyOwner {
  readonly kind: PropertyKind;
  readonly application_type?: string;
  readonly resource_type?: string;
}

/** One declared property. */
export interface Declaration extends PropertyOwner {
  readonly property: string;
  readonly type: PropertyType;
}

const declarationKey = (owner: PropertyOwner, property: string): string =>
  keyOf(owner.kind, fold(owner.application_type ?? ''), fold(owner.resource_type ?? ''), property);

type Types = Map<string, PropertyType | undefined>;
type Kinds = Map<PropertyKind, Types>;
type Known = Map<string | undefined, Kinds>;

const entered = <K, V>(map: Map<K, V>, key: K, make: () => V): V => {
  const standing = map.get(key);
  if (standing !== undefined || map.has(key)) return standing as V;
  const made = make();
  map.set(key, made);
  return made;
};

const propertiesByOwner = (
  declarations: Iterable<Declaration>,
): ReadonlyMap<string, readonly string[]> => {
  const properties = new Map<string, string[]>();
  for (const declaration of declarations) {
    const owned = entered(properties, declarationKey(declaration, ''), (): string[] => []);
    owned.push(declaration.property);
  }
  return properties;
};

/** The declared types of custom properties: of a payload, or of all pushes to a data source so far (docs/design.md 3.11). */
export class Definitions {
  /** Nothing is declared. */
  static readonly none = new Definitions([]);

  private readonly declared: ReadonlyMap<string, Declaration>;
  /** Asked for each property of each entity, in the few spellings that a payload has. */
  private readonly known = new Map<string | undefined, Known>();

  private byOwner: ReadonlyMap<string, readonly string[]> | null = null;

  /** Of several declarations of one property the first holds; `toJSON` gives what this takes. */
  constructor(declarations: readonly Declaration[]) {
    const declared = new Map<string, Declaration>();
    for (const declaration of declarations) {
      const key = declarationKey(declaration, declaration.property);
      if (!declared.has(key)) declared.set(key, declaration);
    }
    this.declared = declared;
  }

  typeOf(owner: PropertyOwner, property: string): PropertyType | undefined {
    const { application_type: application, resource_type: resource, kind } = owner;
    const inApplication = entered(this.known, application, (): Known => new Map());
    const ofResource = entered(inApplication, resource, (): Kinds => new Map());
    const types = entered(ofResource, kind, (): Types => new Map());
    return entered(types, property, () => this.declared.get(declarationKey(owner, property))?.type);
  }

  /** The properties that are declared for an owner. */
  declaredFor(owner: PropertyOwner): readonly string[] {
    this.byOwner ??= propertiesByOwner(this.declared.values());
    return this.byOwner.get(declarationKey(owner, '')) ?? [];
  }

  /** These and the later ones; a type once declared is permanent (graph.md 8). */
  merge(later: Definitions): Definitions {
    return new Definitions([...this.declared.values(), ...later.declared.values()]);
  }

  toJSON(): readonly Declaration[] {
    return [...this.declared]
      .sort(([a], [b]) => byCodeUnits(a, b))
      .map(([, declaration]) => declaration);
  }
}
