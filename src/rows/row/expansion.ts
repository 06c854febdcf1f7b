import type { ApplicationPayload } from '../../templates/application/payload';
import { pointerOf } from '../../codec/pointer';
import { localKinds } from '../../templates/application/local-kinds';
import { entitiesOf } from '../../templates/flat-payload';
import type { FlatTemplate } from '../../templates/flat-template';
import type { ApplicationIncrement, ResourceEntry } from '../../templates/application/payload';
import {
  type IncrementOf,
  type PayloadOf,
  type Template,
  templates,
} from '../../templates/templates';
import { fold, nfc } from '../../model/fold';

/**
 * The size of what the service makes from a payload: nodes, relationships, and the list entries and
 * paths that it writes more than once.
 */
export interface Expansion {
  readonly elements: number;
  /** The pointer of the place that contributes most. */
  readonly most: string;
}

/** Rows would state more relationships to the nodes of typed permissions than the limit allows. */
export class ExpandsTooFar extends Error {
  constructor(readonly pointer: string) {
    super();
  }
}

/** Adds up the sizes of all places in a payload. */
class Tally {
  elements = 0;
  private largest = 0;
  private pointer = '';

  /** Adds the size of one place. `pointer` is called only if this is the largest place so far. */
  add(elements: number, pointer: () => string): void {
    this.elements += elements;
    if (elements <= this.largest) return;
    this.largest = elements;
    this.pointer = pointer();
  }

  get expansion(): Expansion {
    return { elements: this.elements, most: this.pointer };
  }
}

/** Counts an entity and the entries of its own lists. */
const listed = (entity: object): number => {
  let count = 1;
  for (const value of Object.values(entity) as unknown[]) {
    if (Array.isArray(value)) count += value.length;
  }
  return count;
};

/**
 * A permission: how many nodes it becomes, and how many nodes, relationships and list entries
 * result.
 */
interface Multiplied {
  readonly nodes: number;
  readonly place: number;
  drawn: number;
}

type PermissionLike = NonNullable<ApplicationIncrement['permissions']>[number];

/** The permissions of a payload by name, exact and folded. */
class Permissions {
  private readonly exact = new Map<string, Multiplied>();
  private readonly folded = new Map<string, Multiplied>();
  readonly all: readonly Multiplied[];

  constructor(permissions: readonly PermissionLike[]) {
    this.all = permissions.map(({ name, resource_types, application_type }, place) => {
      const nodes = Math.max(1, new Set((resource_types ?? []).map(fold)).size);
      const permission = { nodes, place, drawn: nodes * (1 + (application_type ?? []).length) };
      this.exact.set(nfc(name ?? ''), permission);
      this.folded.set(fold(name ?? ''), permission);
      return permission;
    });
  }

  /** Counts a relationship from a holder to each node of the permission. */
  draw(reference: string): void {
    const found = this.exact.get(nfc(reference)) ?? this.folded.get(fold(reference));
    if (found !== undefined) found.drawn += found.nodes;
  }
}

/** This many characters of a path count as one element. */
const CHARACTERS = 32;

const addResources = (resources: readonly ResourceEntry[], pointer: string, tally: Tally): void => {
  const open: {
    list: readonly ResourceEntry[];
    depth: number;
    characters: number;
    pointer: string;
  }[] = [{ list: resources, depth: 1, characters: 0, pointer }];
  for (let level = open.pop(); level !== undefined; level = open.pop()) {
    const { list, depth, characters, pointer: at } = level;
    // A resource's path repeats the names of all resources around it.
    const path = depth + Math.floor(characters / CHARACTERS);
    tally.add(list.length * path, () => at);
    list.forEach((resource, index) => {
      const { sub_resources: below, ...own } = resource;
      tally.add(listed(own), () => `${at}/${index}`);
      if (below?.length) {
        open.push({
          list: below,
          depth: depth + 1,
          characters: characters + (resource.name ?? '').length,
          pointer: `${at}/${index}/sub_resources`,
        });
      }
    });
  }
};

const ofApplications = (payload: ApplicationPayload | ApplicationIncrement): Expansion => {
  const tally = new Tally();
  const permissions = new Permissions(payload.permissions ?? []);
  (payload.applications ?? []).forEach((application, index) => {
    const pointer = `/applications/${index}`;
    tally.add(2, () => pointer);
    for (const { list } of localKinds) {
      (application[list] ?? []).forEach((entity, at) =>
        tally.add(listed(entity), () => `${pointer}/${list}/${at}`),
      );
    }
    for (const role of application.local_roles ?? []) {
      for (const name of new Set(role.permissions ?? [])) permissions.draw(name);
    }
    addResources(application.resources ?? [], `${pointer}/resources`, tally);
  });
  (payload.identity_to_permissions ?? []).forEach((entry, index) => {
    for (const element of entry.application_permissions ?? []) permissions.draw(element.permission);
    for (const list of ['application_permissions', 'role_assignments'] as const) {
      (entry[list] ?? []).forEach((element, at) =>
        tally.add(
          3 + (element.resources ?? []).length,
          () => `/identity_to_permissions/${index}/${list}/${at}`,
        ),
      );
    }
  });
  for (const { drawn, place } of permissions.all) {
    tally.add(drawn, () => `/permissions/${place}/resource_types`);
  }
  return tally.expansion;
};

const ofFlat = ({ kinds }: FlatTemplate, payload: object): Expansion => {
  const tally = new Tally();
  for (const kind of kinds) {
    for (const [entity, steps] of entitiesOf(payload, kind)) {
      tally.add(listed(entity), () => pointerOf(...steps));
    }
  }
  return tally.expansion;
};

/**
 * Computes the expansion of a payload from the payload alone. The time grows with the size of the
 * payload, not with that of the result.
 */
export const expansionOf = <T extends Template>(
  template: T,
  payload: PayloadOf[T] | IncrementOf[T],
): Expansion => {
  const { flat } = templates[template];
  return flat === null ? ofApplications(payload) : ofFlat(flat, payload);
};

/**
 * Every payload may expand to this many elements, however small it is. This also limits what an
 * increment may make of current rows.
 */
export const ALWAYS = 200_000;

/**
 * The number of elements that a payload of this length may expand to: `ALWAYS`, and one more for
 * each character, up to the limit.
 */
export const mayExpandTo = (characters: number, limit: number): number =>
  Math.min(limit, ALWAYS + characters);
