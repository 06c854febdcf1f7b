import { effectiveAccess, type Rule } from './access';
import type { Node, Values } from './graph';
import { Mirror, type Outcome } from './mirror';
import type { ApplicationPayload } from './payload';
import type { DataSource } from './rows';

const sources: Readonly<Record<string, DataSource>> = {
  I: { id: 'I', provider: 'people', template: 'identity_provider' },
  J: { id: 'J', provider: 'partners', template: 'identity_provider' },
  H: { id: 'H', provider: 'staff', template: 'hris' },
  A: { id: 'A', provider: 'apps', template: 'application' },
  B: { id: 'B', provider: 'more apps', template: 'application' },
};

/** A mirror told by small payloads: I and J are identity providers, H an HR system, A and B applications; `at` counts up. */
export class Scene {
  private readonly mirror = new Mirror();
  private pushes = 0;

  /** Pushes and returns the scene, for chaining. */
  with(id: keyof typeof sources, payload: object): this {
    const outcome = this.push(id, payload);
    if (!outcome.accepted) throw new Error(JSON.stringify(outcome.problems));
    return this;
  }

  /** Pushes at the next instant: 1, 2, 3, … */
  push(id: keyof typeof sources, payload: object): Outcome {
    const source = sources[id];
    if (source === undefined) throw new Error(`No data source ${id}.`);
    this.pushes += 1;
    return this.mirror.accept(source, payload, String(this.pushes));
  }

  /** The warnings of a push. */
  warnings(id: keyof typeof sources, payload: object): readonly string[] {
    const outcome = this.push(id, payload);
    return outcome.accepted ? outcome.warnings.map(({ message }) => message) : ['refused'];
  }

  /** What a push is refused for, as `pointer code`, sorted; nothing when it is accepted. */
  problems(id: keyof typeof sources, payload: object): readonly string[] {
    const outcome = this.push(id, payload);
    if (outcome.accepted) return [];
    return outcome.problems.map(({ pointer, code }) => `${pointer} ${code}`).toSorted();
  }

  /** Every relationship of a type as `from > to`, sorted. */
  all(type: string): readonly string[] {
    return this.mirror
      .graph()
      .relationships.filter((one) => one.type === type)
      .map(({ from, to }) => `${from.key} > ${to.key}`)
      .toSorted();
  }

  /** The properties of a relationship, given as `from > to`. */
  relationship(type: string, pair: string): Values | undefined {
    return this.mirror
      .graph()
      .relationships.find((one) => one.type === type && `${one.from.key} > ${one.to.key}` === pair)
      ?.properties;
  }

  /** The node of a key. */
  node(key: string): Node | undefined {
    return this.mirror.graph().nodes.find((node) => node.key === key);
  }

  /** The keys of a label's nodes, sorted. */
  keys(label: string): readonly string[] {
    return this.mirror
      .graph()
      .nodes.filter((node) => node.labels.includes(label))
      .map(({ key }) => key)
      .toSorted();
  }

  /** When a node came and last changed, as `since/changed`. */
  dates(key: string): string {
    const { since, changed } = this.node(key)?.properties ?? {};
    return `${instant(since)}/${instant(changed)}`;
  }

  /** What one has access to, as `what: permission, …`, sorted. */
  access(who: string, among?: ReadonlySet<Rule>): readonly string[] {
    const answer = effectiveAccess(this.mirror.graph(), among).get(who) ?? [];
    return [...answer]
      .map(([on, held]) => `${on}: ${[...held].map(permissionName).toSorted().join(', ')}`)
      .toSorted();
  }
}

/** An identity provider's payload with one domain. */
export function idp(parts: object): object {
  return { idp_type: 'okta', domains: [{ name: 'corp' }], ...parts };
}

/** An application payload of one application `crm` and someone in it. */
export function crm(
  inside: object,
  beside: Omit<ApplicationPayload, 'applications'> = {},
): ApplicationPayload {
  const application = { name: 'crm', application_type: 'sales', ...inside };
  const someone = { local_users: [{ name: 'someone' }] };
  return { applications: [{ ...someone, ...application }], ...beside };
}

/** An increment of either template. */
export function change(parts: object): object {
  return { incremental_change: true, ...parts };
}

/** An increment inside the application `crm`, which is context. */
export function inCrm(inside: object, beside: object = {}): object {
  return change({ applications: [{ name: 'crm', ...inside }], ...beside });
}

/** Two people, one with all there is, in two groups and an app. */
export function people(): Scene {
  return new Scene().with(
    'I',
    idp({
      custom_property_definition: { user_properties: { level: 'NUMBER', note: 'STRING' } },
      users: [
        {
          name: 'ann',
          identity: '1',
          email: 'ann@x',
          department: ['a', 'b'],
          groups: [{ identity: 'g' }],
          custom_properties: { level: 1, note: '' },
          dynamic_properties: { a: 1, b: 2 },
          tags: [{ key: 't', value: 'x' }, { key: 't', value: 'y' }, { key: 'u' }],
          app_assignments: [{ id: '7', app_id: 'p' }],
          source_identity: { identity: 'z', provider_type: 'any' },
        },
        { name: 'bob' },
      ],
      groups: [{ name: 'g' }, { name: 'h' }],
      apps: [{ id: 'p', name: 'Portal' }],
    }),
  );
}

function permissionName(held: string): string {
  const [name] = JSON.parse(held) as readonly string[];
  return name ?? '';
}

function instant(value: unknown): string {
  return typeof value === 'object' && value !== null && 'instant' in value
    ? String(value.instant)
    : '';
}
