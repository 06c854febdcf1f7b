import type { Application, ApplicationPayload, Resource } from '../contract/application';
import type { PayloadOf } from '../contract/decode';
import type { Template } from '../model/nodes';
import { fold, nfc } from '../model/fold';

/** What a whole payload comes to: nodes, relationships, and entries of lists and paths that are written more than once. */
export interface Expansion {
  readonly elements: number;
  /** The pointer of what adds most to that. */
  readonly most: string;
}

/** Adds up what each place of a payload comes to. */
class Tally {
  elements = 0;
  private largest = 0;
  private pointer = '';

  /** Adds what one place comes to; the place is named only where it is the largest so far. */
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

const LISTS = [
  'local_users',
  'local_groups',
  'local_roles',
  'local_agents',
  'local_models',
  'local_access_creds',
] as const;

/** Entries of the lists that an entity itself has. */
const listed = (entity: object): number => {
  let count = 1;
  for (const value of Object.values(entity) as unknown[]) {
    if (Array.isArray(value)) count += value.length;
  }
  return count;
};

/** A permission with the nodes that it becomes, and how much is drawn to them. */
interface Multiplied {
  readonly nodes: number;
  readonly place: number;
  drawn: number;
}

/** The permissions of a payload by name, exactly and without regard to case. */
class Permissions {
  private readonly exact = new Map<string, Multiplied>();
  private readonly folded = new Map<string, Multiplied>();
  readonly all: readonly Multiplied[];

  constructor(permissions: NonNullable<ApplicationPayload['permissions']>) {
    this.all = permissions.map(({ name, resource_types, application_type }, place) => {
      const nodes = Math.max(1, new Set((resource_types ?? []).map(fold)).size);
      const permission = { nodes, place, drawn: nodes * (1 + (application_type ?? []).length) };
      this.exact.set(nfc(name), permission);
      this.folded.set(fold(name), permission);
      return permission;
    });
  }

  /** Each holder of a permission leads to all its nodes. */
  draw(reference: string): void {
    const found = this.exact.get(nfc(reference)) ?? this.folded.get(fold(reference));
    if (found !== undefined) found.drawn += found.nodes;
  }
}

const addResources = (application: Application, pointer: string, tally: Tally): void => {
  const open: { list: readonly Resource[]; depth: number; pointer: string }[] = [
    { list: application.resources ?? [], depth: 1, pointer: `${pointer}/resources` },
  ];
  for (let level = open.pop(); level !== undefined; level = open.pop()) {
    const { list, depth, pointer: at } = level;
    // A resource's path names all that it stands in.
    tally.add(list.length * depth, () => at);
    list.forEach((resource, index) => {
      const { sub_resources: below, ...own } = resource;
      tally.add(listed(own), () => `${at}/${index}`);
      if (below?.length) {
        open.push({ list: below, depth: depth + 1, pointer: `${at}/${index}/sub_resources` });
      }
    });
  }
};

const ofApplications = (payload: ApplicationPayload): Expansion => {
  const tally = new Tally();
  const permissions = new Permissions(payload.permissions ?? []);
  (payload.applications ?? []).forEach((application, index) => {
    const pointer = `/applications/${index}`;
    tally.add(2, () => pointer);
    for (const list of LISTS) {
      (application[list] ?? []).forEach((entity, at) =>
        tally.add(listed(entity), () => `${pointer}/${list}/${at}`),
      );
    }
    for (const role of application.local_roles ?? []) {
      for (const name of new Set(role.permissions ?? [])) permissions.draw(name);
    }
    addResources(application, pointer, tally);
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

const ofIdentityProvider = (payload: PayloadOf['identity_provider']): Expansion => {
  const tally = new Tally();
  for (const list of ['domains', 'users', 'groups', 'apps'] as const) {
    (payload[list] ?? []).forEach((entity, at) =>
      tally.add(listed(entity), () => `/${list}/${at}`),
    );
  }
  return tally.expansion;
};

/** Counts what a whole payload of each template comes to, in time that follows the payload's own size. */
export const expansions: {
  readonly [T in Template]: (payload: PayloadOf[T]) => Expansion;
} = { application: ofApplications, identity_provider: ofIdentityProvider };

/** So much any payload may come to, however small it is. */
const ALWAYS = 200_000;

/** What a payload of some characters may come to: an element a character beyond what any may, and never more than the limit. */
export const mayExpandTo = (characters: number, limit: number): number =>
  Math.min(limit, ALWAYS + characters);
