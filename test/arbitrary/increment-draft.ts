import fc, { type Arbitrary } from 'fast-check';
import {
  idOf,
  ownFields,
  patchOf,
  resourceTexts,
  spelled,
  type Surroundings,
} from './increment-entry';
import { flatTemplates } from '../mirror/flat-templates';
import { json, pick } from './optional';
import { branchesOf, chosen, itemsOf, mixed, textsOf, type Branch } from './standing';

type Item = Record<string, unknown>;

/** One thing that an increment does; the numbers choose among what there is. */
export interface Change {
  readonly kind: number;
  readonly operation: number;
  readonly at: number;
  readonly from: number;
  readonly seed: number;
}

/** A few changes. */
export const changes: Arbitrary<readonly Change[]> = fc.array(
  fc.record({ kind: pick, operation: pick, at: pick, from: pick, seed: pick }),
  { minLength: 1, maxLength: 14, size: 'max' },
);

const onAnything = ['add', 'add', 'modify', 'modify', 'delete'];
const onTags = ['add_tag', 'remove_tag', 'delete_tag'];
const onResources = ['add_resource', 'delete_resource'];
const operations = [...new Set([...onAnything, ...onTags, ...onResources])];

const localLists = [
  'local_users',
  'local_groups',
  'local_roles',
  'local_agents',
  'local_models',
  'local_access_creds',
];
const flatLists = {
  identity_provider: ['users', 'groups', 'apps', 'domains'],
  hris: ['employees', 'employees', 'groups', 'system'],
};
const elementLists = ['application_permissions', 'role_assignments'];
const identityLists: Readonly<Record<string, string>> = {
  local_user: 'local_users',
  local_group: 'local_groups',
  local_role: 'local_roles',
  local_access_creds: 'local_access_creds',
  local_agent: 'local_agents',
};

/** An increment of what stands; what comes is taken from another payload. Both are full payloads. */
export function incrementOf(standing: Item, donor: Item, some: readonly Change[]): Item {
  // Definitions may be in the payload or remembered (docs/rules.md: Increments).
  const draft = new Draft(standing, json(donor), (some[0]?.seed ?? 0) % 2 === 0);
  for (const change of some) draft.make(change);
  return json(draft.payload);
}

class Draft {
  readonly payload: Item;

  constructor(
    private readonly standing: Item,
    private readonly donor: Item,
    declares: boolean,
  ) {
    const { custom_property_definition } = donor;
    this.payload = {
      incremental_change: true,
      ...(declares ? { custom_property_definition } : {}),
      ...(this.flat === null
        ? { applications: [], permissions: [], identity_to_permissions: [] }
        : Object.fromEntries(
            flatLists[this.flat].filter((field) => field !== 'system').map((field) => [field, []]),
          )),
    };
  }

  /** The flat template of what stands; null for applications. */
  private get flat(): keyof typeof flatLists | null {
    if ('employees' in this.standing) return 'hris';
    return 'users' in this.standing ? 'identity_provider' : null;
  }

  make(change: Change): void {
    const { flat } = this;
    if (flat === null) this.inApplications(change);
    else if (change.kind % 17 === 0) this.top(change, Object.keys(flatTemplates[flat].top));
    else this.entity(change, chosen(flatLists[flat], change.kind) ?? '');
  }

  /** A field at the top, set or unset. */
  private top({ at, from }: Change, fields: readonly string[]): void {
    const field = chosen(fields, at) ?? '';
    this.payload[field] = chosen([this.donor[field], null, ''], from);
  }

  /** An entry in one of the lists of a flat template, or in `permissions`. */
  private entity(change: Change, field: string): void {
    const around = { payload: this.standing, application: undefined };
    const [item, other] = this.both(
      itemsOf(this.standing, field),
      itemsOf(this.donor, field),
      change,
    );
    if (item === undefined) return;
    const tagged = this.hasTags(field) ? [...onTags, ...onTags] : [];
    const operation = this.operation(change, [...onAnything, ...tagged]);
    const entry = this.entry(operation, item, other, field, around, change);
    // There is no list of systems.
    if (field === 'system') {
      this.payload.system = entry;
      return;
    }
    const entries = this.payload[field] as Item[];
    entries.push(entry);
    // A domain leaves only when another comes.
    if (operation === 'delete' && (field === 'domains' || change.seed % 5 === 0)) {
      const added = field === 'domains' ? other : item;
      entries.push({ ...ownFields(added, around, change.seed), operation: 'add' });
    }
  }

  private inApplications(change: Change): void {
    const kinds = [
      ...localLists,
      'resources',
      'resources',
      'resources',
      'applications',
      'permissions',
      ...elementLists,
      ...elementLists,
      'entry',
      'entry',
    ];
    const kind = chosen(kinds, change.kind) ?? '';
    const application = chosen(itemsOf(this.standing, 'applications'), change.from);
    if (kind === 'permissions') this.entity(change, kind);
    else if (application === undefined) return;
    else if (kind === 'applications') this.application(change, application);
    else if (kind === 'resources') this.resource(change, application);
    else if (kind === 'entry') this.wholeEntry(change, application);
    else if (elementLists.includes(kind)) this.element(change, application, kind);
    else {
      const around = { payload: this.standing, application };
      const given = itemsOf(this.donor, 'applications').flatMap((one) => itemsOf(one, kind));
      const [item, other] = this.both(itemsOf(application, kind), given, change);
      if (item === undefined) return;
      const operation = this.operation(change, [...onAnything, ...onTags, ...onTags]);
      const entries = this.listIn(this.contextOf(application, change), kind);
      entries.push(this.entry(operation, item, other, kind, around, change));
      if (operation === 'delete' && change.seed % 5 === 0) {
        entries.push({ ...ownFields(item, around, change.seed), operation: 'add' });
      }
    }
  }

  /** An entry of an application itself, with a few things nested in it. */
  private application(change: Change, standing: Item): void {
    const { seed } = change;
    const around = { payload: this.standing, application: standing };
    const given = itemsOf(this.donor, 'applications');
    const [item, other] = this.both([standing], given, change);
    if (item === undefined) return;
    let operation = this.operation(change, [
      ...onAnything,
      ...onTags,
      ...onTags,
      ...onResources,
      ...onResources,
    ]);
    // With an application most of what stands is gone.
    if (operation === 'delete' && seed % 2 > 0) operation = 'add';
    const entry = this.entry(operation, item, other, 'applications', around, change);
    if (operation?.endsWith('_tag') !== true) {
      const lists = operation?.endsWith('_resource') === true ? [] : localLists.slice(0, seed % 7);
      for (const field of lists) {
        entry[field] = itemsOf(other, field)
          .slice(0, 2)
          .map((one, at) => this.nested(one, around, mixed(seed, at)));
      }
      const branches = [...branchesOf(other), ...branchesOf(standing)];
      const resources = [0, 1].flatMap((at) => chosen(branches, mixed(seed, at)) ?? []);
      entry.resources = resources.map((branch, at) =>
        this.nestedResource(branch, around, mixed(seed, at + 3)),
      );
    }
    (this.payload.applications as Item[]).push(entry);
  }

  private nested(item: Item, around: Surroundings, n: number): Item {
    const operation = n % 5 === 0 ? chosen(['delete', 'modify', 'add'], n) : undefined;
    return { ...ownFields(item, around, n), ...(operation === undefined ? {} : { operation }) };
  }

  private nestedResource({ item }: Branch, around: Surroundings, n: number): Item {
    const inside = itemsOf(item, 'sub_resources').slice(0, 1);
    return {
      ...this.nested(item, around, n),
      sub_resources: inside.map((one) => this.nested(one, around, mixed(n, 1))),
    };
  }

  /** An entry of a resource, in its place or, when it has an id, at times elsewhere. */
  private resource(change: Change, application: Item): void {
    const { seed } = change;
    const around = { payload: this.standing, application };
    const standing = branchesOf(application);
    const given = itemsOf(this.donor, 'applications').flatMap(branchesOf);
    const isNew = change.at % 4 === 0 || standing.length === 0;
    const branch = chosen(isNew ? given : standing, change.at);
    if (branch === undefined) return;
    const other = chosen(given, seed)?.item ?? branch.item;
    const elsewhere = chosen(standing, mixed(seed, 2));
    const moves = isNew || ((branch.item.id ?? '') !== '' && seed % 2 === 0);
    const above =
      !moves || elsewhere === undefined
        ? branch.above
        : seed % 3 === 0
          ? []
          : [...elsewhere.above, elsewhere.item];
    const operation = this.operation(change, [...onAnything, ...onTags]);
    const entry = this.entry(operation, branch.item, other, 'resources', around, change);
    if (operation === 'add' || operation === 'modify') {
      const inside = itemsOf(other, 'sub_resources').slice(0, 2);
      entry.sub_resources = [
        ...this.deletionAround([...above, branch.item], seed),
        ...inside.map((one, at) => this.nested(one, around, mixed(seed, at))),
      ];
    }
    this.resourcesBelow(this.contextOf(application, change), above).push(entry);
  }

  /** At times an entry that deletes one of the resources that it is nested in, which it can name by id only. */
  private deletionAround(path: readonly Item[], seed: number): readonly Item[] {
    const withId = path.filter(({ id }) => (id ?? '') !== '');
    const step = mixed(seed, 5) % 4 === 0 ? chosen(withId, mixed(seed, 6)) : undefined;
    return step === undefined ? [] : [{ ...idOf(step, 'resources', 2), operation: 'delete' }];
  }

  /** The list below a path of context, from the application or from the last step that has an id. */
  private resourcesBelow(entry: Item, path: readonly Item[]): Item[] {
    const withId = path.findLastIndex(({ id }) => (id ?? '') !== '');
    let of = entry;
    let field = 'resources';
    for (const step of path.slice(Math.max(withId, 0))) {
      const context = idOf(step, 'resources', 2);
      this.listIn(of, field).push(context);
      of = context;
      field = 'sub_resources';
    }
    return this.listIn(of, field);
  }

  /** An element of a statement that stands, or of a new one. */
  private element(change: Change, application: Item, list: string): void {
    const { seed, at } = change;
    const operation = this.operation(change, [...onAnything, ...onResources, ...onResources]);
    const standing = itemsOf(this.standing, 'identity_to_permissions').filter(
      (one) => itemsOf(one, list).length > 0,
    );
    const isNew = operation === 'add' ? at % 3 > 0 : at % 6 === 0;
    const entry = isNew ? undefined : chosen(standing, at);
    const found = itemsOf(entry, list)[0];
    const identity = entry === undefined ? this.identity(application, change) : entry;
    const element = {
      ...(found ?? this.held(application, list, seed)),
      ...this.scope(change, application, found),
    };
    // The operation stands on the entry at times, and counts for its elements.
    const isOnEntry = seed % 4 === 0 && !['modify', ...onResources].includes(operation ?? '');
    this.entries().push({
      identity: this.respelled(identity, seed),
      identity_type: identity.identity_type,
      ...(isOnEntry ? { operation } : {}),
      [list]: [{ ...element, ...(isOnEntry || operation === undefined ? {} : { operation }) }],
    });
  }

  /** A whole entry: all that an identity holds leaves, or its lists are made anew. */
  private wholeEntry(change: Change, application: Item): void {
    const { seed, at } = change;
    const standing = chosen(itemsOf(this.standing, 'identity_to_permissions'), at);
    const identity =
      at % 3 === 0 || standing === undefined ? this.identity(application, change) : standing;
    const operation = this.operation(change, onAnything);
    const lists =
      operation === 'delete' ? [] : elementLists.filter((_list, i) => mixed(seed, i) % 3 > 0);
    const entry: Item = {
      identity: this.respelled(identity, seed),
      identity_type: identity.identity_type,
    };
    if (operation !== undefined) entry.operation = operation;
    for (const list of lists) {
      const old = itemsOf(standing, list).slice(0, seed % 2);
      const more = Array.from({ length: seed % 3 }, (_, i) =>
        this.held(application, list, mixed(seed, i + 20)),
      );
      entry[list] = [...old, ...more].map((one, i) => {
        const own =
          mixed(seed, i + 30) % 5 === 0
            ? { operation: chosen(['add', 'delete', 'add_resource'], i + seed) }
            : {};
        return {
          ...one,
          ...this.scope({ ...change, seed: mixed(seed, i) }, application, undefined),
          ...own,
        };
      });
    }
    this.entries().push(entry);
  }

  /** Who may hold something: somebody in the application, or somebody federated. */
  private identity(application: Item, { from, seed }: Change): Item {
    const types = Object.keys(identityLists);
    const type = seed % 3 === 0 ? 'idp' : (chosen(types, seed) ?? '');
    const somebody = chosen(itemsOf(application, identityLists[type] ?? ''), from);
    const federated =
      chosen(itemsOf(this.donor, 'identity_to_permissions'), from)?.identity ?? 'Ghost';
    return somebody === undefined
      ? { identity: federated, identity_type: seed % 2 === 0 ? 'idp' : null }
      : { identity: chosen(textsOf(somebody), seed), identity_type: type };
  }

  private respelled({ identity }: Item, n: number): unknown {
    return spelled(identity as string, n);
  }

  /** What may be held: a permission, or a role of the application with custom properties. */
  private held(application: Item, list: string, n: number): Item {
    const permission = chosen(itemsOf(this.standing, 'permissions'), n);
    if (list === 'application_permissions') {
      return { application: application.name, permission: permission?.name ?? 'no permission' };
    }
    const role = chosen(itemsOf(application, 'local_roles'), n);
    const given = itemsOf(this.donor, 'identity_to_permissions').flatMap((one) =>
      itemsOf(one, list),
    );
    return {
      application: application.name,
      role: role === undefined ? 'no role' : chosen(textsOf(role), n),
      custom_properties: n % 2 === 0 ? chosen(given, n)?.custom_properties : null,
    };
  }

  /** Halves of a scope, each given, empty or left out. */
  private scope({ seed }: Change, application: Item, found: Item | undefined): Item {
    const some = resourceTexts(application, (seed % 3) + 1, seed);
    const own = itemsOf(found, 'resources') as unknown as string[];
    const resources = chosen([some, some, [...own, ...some], own, [], null], mixed(seed, 6));
    const onApplication = chosen([true, false, null, undefined], mixed(seed, 7));
    return {
      resources: mixed(seed, 8) % 4 === 0 ? undefined : resources,
      apply_to_application: onApplication,
    };
  }

  private entries(): Item[] {
    return this.payload.identity_to_permissions as Item[];
  }

  /** An entry that is context for what is nested in it: the last one of the application, or a new one. */
  private contextOf({ name, application_type }: Item, { seed }: Change): Item {
    const entries = this.payload.applications as Item[];
    const last = entries.at(-1);
    if (last?.name === name && last?.operation === undefined && seed % 4 > 0) return last as Item;
    const entry = seed % 3 === 0 ? { name, application_type } : { name };
    entries.push(entry);
    return entry;
  }

  private listIn(of: Item, field: string): Item[] {
    return (of[field] ??= []) as Item[];
  }

  /** What a change is about, mostly something that stands, and something else to take fields from. */
  private both(
    standing: readonly Item[],
    given: readonly Item[],
    { at, seed }: Change,
  ): readonly [Item | undefined, Item] {
    const other = chosen(given, mixed(seed, 4));
    const item = at % 5 === 0 || standing.length === 0 ? chosen(given, at) : chosen(standing, at);
    return [item, other ?? item ?? {}];
  }

  /** One of the operations that there are, none at times, and rarely one that there is not. */
  private operation({ operation, seed }: Change, among: readonly string[]): string | undefined {
    if (seed % 29 === 0) return chosen(operations, operation);
    return seed % 13 === 0 ? undefined : chosen(among, operation);
  }

  /** An entry about an item: with an operation, or as context. */
  private entry(
    operation: string | undefined,
    item: Item,
    other: Item,
    list: string,
    around: Surroundings,
    { seed }: Change,
  ): Item {
    const id = idOf(item, list, seed);
    switch (operation) {
      case undefined:
        return seed % 2 === 0 ? id : { ...other, ...idOf(item, list, 2) };
      case 'add': {
        // Its own id, with the fields of another.
        const all = idOf(item, list, 2);
        const fields = { ...ownFields(other, around, seed), ...all };
        const kept = ['identity', 'unique_id', 'id'].filter((field) => !Object.hasOwn(all, field));
        return { ...without(fields, kept), operation };
      }
      case 'modify':
        return {
          ...patchOf({ ...other, ...('name' in id ? idOf(item, list, 2) : {}) }, around, seed),
          ...id,
          operation,
        };
      case 'delete':
        return { ...(seed % 3 === 0 ? ownFields(item, around, seed) : {}), ...id, operation };
      case 'add_tag':
      case 'remove_tag':
      case 'delete_tag': {
        // They have no such field: another problem, of the shape.
        if (!this.hasTags(list)) return { ...id, operation };
        const tags = [...itemsOf(item, 'tags'), ...itemsOf(other, 'tags')];
        return {
          ...id,
          operation,
          tags: tags.slice(0, (seed % 3) + 1).map((tag, at) => this.tag(tag, operation, seed + at)),
        };
      }
      default:
        return { ...id, operation };
    }
  }

  private hasTags(list: string): boolean {
    return list !== 'permissions' && this.flat !== 'hris';
  }

  /** A tag as it is, or without its value. */
  private tag({ key, value }: Item, operation: string, n: number): Item {
    return operation !== 'add_tag' && n % 3 === 0
      ? { key, value: n % 2 === 0 ? null : '' }
      : { key, value };
  }
}

function without(item: Item, fields: readonly string[]): Item {
  return Object.fromEntries(Object.entries(item).filter(([field]) => !fields.includes(field)));
}
