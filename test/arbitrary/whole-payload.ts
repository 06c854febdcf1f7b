import { localLists, type KnownInApplication } from '../mirror/application-parts';
import type { Declaration } from '../mirror/definitions';
import type { Entity, Link, Statement, Whole } from '../mirror/entity';
import type { Label, Value, Values } from '../mirror/graph';
import { flatTemplate, type FlatTemplate } from '../mirror/flat-templates';
import { knownOf } from '../mirror/known';
import type { Held } from '../mirror/reception';
import { lookUp } from '../mirror/reference';

type Item = Record<string, unknown>;

/** A payload that says what a data source holds. */
export interface WholePayload {
  readonly payload: Item;
  /** False when some reference or declared type has no spelling that means the same: no full push can say it. */
  readonly isExact: boolean;
}

/** What a data source holds, as the full push that would bring it about (docs/rules.md: Increments). */
export function wholePayload({ whole, declarations, source }: Held): WholePayload {
  const writer = new Writer(whole, declarations);
  const flat = flatTemplate(source.template);
  const payload = flat === null ? writer.application() : writer.flat(flat);
  return { payload: JSON.parse(JSON.stringify(payload)) as Item, isExact: writer.isExact };
}

/** The fields in which each kind lists what it names, by relationship (docs/rules.md: Relationships). */
const referenceFields = new Map([
  ['HAS_CREDENTIAL', 'access_creds'],
  ['USES_MODEL', 'models'],
  ['ALLOWS', 'permissions'],
  ['INCLUDES', 'roles'],
]);

/** Fields that hold times, which the mirror keeps as instants. */
function plain(value: Value): unknown {
  return typeof value === 'object' && 'instant' in value ? value.instant : value;
}

class Writer {
  isExact = true;
  private readonly byKey: ReadonlyMap<string, Entity>;
  private readonly known: readonly KnownInApplication[];

  constructor(
    private readonly whole: Whole,
    private readonly declarations: readonly Declaration[],
  ) {
    this.byKey = new Map(whole.entities.map((one) => [one.key, one]));
    this.known = whole.entities.map((one) => knownOf(one, this.byKey));
  }

  flat({ top, lists }: FlatTemplate): Item {
    const fields = Object.entries(top).map(([field, name]) => [field, this.whole.top[name]]);
    return {
      ...(Object.fromEntries(fields) as Item),
      custom_property_definition: this.flatDefinitions(),
      ...(Object.fromEntries(
        lists.map(([field, kind]) => {
          const all = this.ofKind(kind).map((one) => this.entity(one));
          return [field, kind === 'HrisSystem' ? all[0] : all];
        }),
      ) as Item),
    };
  }

  application(): Item {
    const entries = this.whole.statements.map((one) => this.entry(one));
    // An entry without elements states nothing, but counts as an identity (docs/rules.md: Statements).
    const someone = [{ identity: 'nobody' }];
    return {
      custom_property_definition: { applications: this.applicationDefinitions() },
      applications: this.ofKind('Application').map((one) => ({
        ...this.entity(one),
        ...Object.fromEntries(
          localLists.map(([field, kind]) => [
            field,
            this.ofKind(kind)
              .filter(({ application }) => application === one.id)
              .map((local) => this.entity(local)),
          ]),
        ),
        resources: this.resources(one.id, null),
      })),
      permissions: this.ofKind('Permission').map((one) => this.entity(one)),
      identity_to_permissions: [...someone, ...entries],
    };
  }

  private ofKind(kind: Label): readonly Entity[] {
    return this.whole.entities.filter((one) => one.kind === kind);
  }

  private resources(application: string, parent: string | null): readonly Item[] {
    return this.ofKind('Resource')
      .filter((one) => one.application === application && one.parent === parent)
      .map((one) => ({
        ...this.entity(one),
        sub_resources: this.resources(application, one.key),
      }));
  }

  private entity(entity: Entity): Item {
    const { kind, values, tags, links, resourceTypes } = entity;
    const own = Object.entries(values).filter(([name]) => !/^(custom|dyn)prop_/.test(name));
    const { source_identity, source_identity_provider_type, application_types, ...fields } =
      Object.fromEntries(own.map(([name, value]) => [name, plain(value)]));
    const dynamic = propertiesOf(values, 'dynprop_');
    const lists = [...new Set(links.map(({ type }) => type))].map((type) => {
      const some = links.filter((link) => link.type === type);
      return this.listOf(type, some, entity);
    });
    return {
      ...fields,
      ...(source_identity === undefined
        ? {}
        : {
            source_identity: {
              identity: source_identity,
              provider_type: source_identity_provider_type,
            },
          }),
      ...(kind === 'Permission'
        ? { application_type: application_types, resource_types: resourceTypes }
        : { custom_properties: propertiesOf(values, 'customprop_') }),
      ...(Object.keys(dynamic).length === 0 ? {} : { dynamic_properties: dynamic }),
      ...(tags.length === 0 ? {} : { tags: tags.map(({ name, value }) => ({ key: name, value })) }),
      ...Object.fromEntries(lists),
    };
  }

  /** The field that states links of one type, and what it holds. */
  private listOf(
    type: string,
    links: readonly Link[],
    { kind, application }: Entity,
  ): readonly [string, unknown] {
    const shared = (name: string): readonly unknown[] =>
      links.map(({ target }) => target.shared?.[name]);
    const named = (): readonly string[] =>
      links.map(({ target }) => this.spelled(target.key, application));
    switch (type) {
      case 'IDENTITY_OF':
        return ['identities', shared('name')];
      case 'OWNED_BY':
        return [
          'owners',
          links.map(({ target, properties }) => ({
            external_id: target.shared?.name,
            ...properties,
          })),
        ];
      case 'ASSUMES_ROLE':
        return ['assumed_role_arns', shared('arn').map((identity) => ({ identity }))];
      case 'OWNS':
        return ['entities_owned', links.map(({ target }) => target.shared)];
      case 'CONNECTS_TO':
        return ['connections', links.map(({ target }) => target.shared)];
      case 'ASSIGNED_TO':
        return [
          'app_assignments',
          links.map(({ target, properties: { id, name, ...custom } }) => ({
            id,
            name,
            app_id: this.spelled(target.key, application),
            custom_properties: propertiesOf(custom, 'customprop_'),
          })),
        ];
      case 'MANAGED_BY':
        return ['managers', named().map((id) => ({ id }))];
      case 'IN_DEPARTMENT':
        return ['department', { id: named()[0] }];
      case 'IN_COST_CENTER':
        return ['cost_center', { id: named()[0] }];
      case 'MEMBER_OF':
        if (kind === 'Employee') return ['groups', named().map((id) => ({ id }))];
        return ['groups', isIdp(kind) ? named().map((identity) => ({ identity })) : named()];
      default:
        return [referenceFields.get(type) ?? type, named()];
    }
  }

  /** A statement as an entry of its own. */
  private entry(one: Statement): Item {
    const { kind, holder, held, application, values, onApplication } = one;
    const types: Partial<Record<Label, string>> = {
      Identity: 'idp',
      LocalUser: 'local_user',
      LocalGroup: 'local_group',
      LocalRole: 'local_role',
      AccessCredential: 'local_access_creds',
      LocalAgent: 'local_agent',
    };
    const element = {
      application,
      resources: one.resources.map((key) => this.spelled(key, application)),
      apply_to_application: onApplication,
    };
    const name = this.spelled(held.key, application);
    return {
      identity: holder.shared?.name ?? this.spelled(holder.key, application),
      identity_type: types[holder.label],
      ...(kind === 'Grant'
        ? { application_permissions: [{ ...element, permission: name }] }
        : {
            role_assignments: [
              { ...element, role: name, custom_properties: propertiesOf(values, 'customprop_') },
            ],
          }),
    };
  }

  /** A text that means one entity and no other; whatever comes near when there is none. */
  private spelled(key: string, application: string | null): string {
    const target = this.known.find((one) => one.key === key);
    if (target === undefined) throw new Error(`${key} is bound and does not stand.`);
    const among = this.known.filter(
      (one) =>
        one.kind === target.kind &&
        (one.kind === 'Permission' || one.application === (application ?? '')),
    );
    const texts = [...target.ids, ...target.otherIds, ...target.paths, ...target.names];
    const exact = texts.find((text) => {
      const [fit, second] = lookUp(text, among);
      return fit === target && second === undefined;
    });
    if (exact === undefined) this.isExact = false;
    return exact ?? texts[0] ?? '';
  }

  private flatDefinitions(): Item {
    const fields = [...new Set(this.declarations.map(({ scope }) => scope))];
    return Object.fromEntries(
      fields.map((field) => {
        const some = this.declarations.filter(({ scope }) => scope === field);
        return [field, Object.fromEntries(some.map(({ name, type }) => [name, type]))];
      }),
    );
  }

  /** An entry for each declaration: those of one application type unite (docs/rules.md: Custom properties). */
  private applicationDefinitions(): readonly Item[] {
    return this.declarations.map(({ scope, name, type }) => {
      const [application_type, field = '', resource_type] = JSON.parse(scope) as readonly string[];
      const properties = { [name]: type };
      return resource_type === undefined
        ? { application_type, [field]: properties }
        : { application_type, resources: [{ resource_type, properties }] };
    });
  }
}

function propertiesOf(values: Values, prefix: string): Item {
  return Object.fromEntries(
    Object.entries(values)
      .filter(([name]) => name.startsWith(prefix))
      .map(([name, value]) => [name.slice(prefix.length), plain(value)]),
  );
}

function isIdp(kind: Label): boolean {
  return kind === 'IdpUser' || kind === 'IdpGroup';
}
