import type { Entity, Link, Statement, Target, Whole } from './entity';
import { flatTemplate, type FlatTemplate } from './flat-templates';
import {
  node,
  relationshipId,
  type End,
  type Relationship,
  type Row,
  type Value,
  type Values,
} from './graph';
import { keyOf } from './key';
import { sharedNode, tagTarget } from './stated-links';
import { fold, nfc } from './text';

/** A registered data source and its provider (spec). */
export interface DataSource {
  readonly id: string;
  /** The provider's name. */
  readonly provider: string;
  readonly template: 'identity_provider' | 'hris' | 'application';
}

/** The rows that a data source's whole asks for (docs/rules.md: Nodes, Relationships). */
export function rowsOf(whole: Whole, source: DataSource): readonly Row[] {
  const flat = flatTemplate(source.template);
  const everywhere = { data_source: source.id, provider: source.provider };
  const around = (kind: string, application: string | null): Values =>
    flat === null
      ? kind === 'Permission'
        ? {}
        : applicationValues(whole, application)
      : flatValues(flat, whole, kind);
  /** An entity may be several nodes, and links go to all of them (docs/rules.md: Relationships). */
  const ends = (target: Target): readonly End[] => {
    const entity = whole.entities.find((one) => one.key === target.key);
    return entity === undefined || target.shared !== undefined
      ? [{ label: target.label, key: target.key }]
      : nodesOf(entity, source, whole).map(({ key }) => ({ label: entity.kind, key }));
  };
  const row = (
    label: Entity['kind'],
    key: string,
    values: Values,
    stated: readonly Link[],
  ): Row => {
    const self: End = { label, key };
    return {
      node: node(label, key, { ...values, ...everywhere }),
      relationships: merged(
        stated.flatMap(({ type, target, properties, incoming }) =>
          ends(target).map((end) =>
            incoming === true
              ? { type, from: end, to: self, properties }
              : { type, from: self, to: end, properties },
          ),
        ),
      ),
      shared: stated.map(({ target }) => sharedNode(target)).filter((shared) => shared !== null),
    };
  };

  const entityRows = whole.entities.flatMap((entity) =>
    nodesOf(entity, source, whole).map(({ key, values }) => {
      const made = row(
        entity.kind,
        key,
        { ...values, ...around(entity.kind, entity.application) },
        [...entity.links, ...tagLinks(entity), ...place(entity, whole)],
      );
      if (entity.kind !== flat?.root && entity.kind !== 'Application') return made;
      return { ...made, relationships: [...made.relationships, from(made, source)] };
    }),
  );
  const statementRows = whole.statements.map((one) =>
    row(
      one.kind,
      one.key,
      { name: nameOf(one.held, whole), ...one.values, ...around(one.kind, one.application) },
      statementLinks(one, whole),
    ),
  );
  return [...entityRows, ...statementRows];
}

/** The nodes of an entity: one, but for a typed permission one for each type (docs/rules.md: Nodes). */
function nodesOf(
  entity: Entity,
  source: DataSource,
  whole: Whole,
): readonly { readonly key: string; readonly values: Values }[] {
  const { key, id, values, resourceTypes } = entity;
  if (entity.kind === 'Resource')
    return [{ key, values: { ...values, path: pathOf(entity, whole) } }];
  if (resourceTypes.length === 0) return [{ key, values }];
  return resourceTypes.map((type) => ({
    key: keyOf(source.id, 'Permission', id, fold(type)),
    values: { ...values, resource_type: nfc(type) },
  }));
}

/** The names from below the application down, joined by dots (docs/rules.md: Keys). */
function pathOf({ values, parent }: Entity, whole: Whole): string {
  const above = whole.entities.find((one) => parent !== null && one.key === parent);
  const name = textOf(values.name);
  return above === undefined ? name : `${pathOf(above, whole)}.${name}`;
}

function tagLinks({ tags }: Entity): readonly Link[] {
  return tags.map((tag) => ({ type: 'TAGGED', target: tagTarget(tag), properties: {} }));
}

/** CONTAINS: a resource states its own place in the tree (docs/rules.md: Increments). */
function place({ kind, parent, application }: Entity, whole: Whole): readonly Link[] {
  if (kind !== 'Resource') return [];
  const container: Target =
    parent === null ? applicationTarget(application, whole) : { label: 'Resource', key: parent };
  return [{ type: 'CONTAINS', target: container, properties: {}, incoming: true }];
}

/** HOLDS, OF and ON (docs/rules.md: Relationships). */
function statementLinks(one: Statement, whole: Whole): readonly Link[] {
  const scope: readonly Target[] = [
    ...(one.onApplication ? [applicationTarget(one.application, whole)] : []),
    ...one.resources.map((key) => ({ label: 'Resource', key }) as const),
  ];
  return [
    { type: 'HOLDS', target: one.holder, properties: {}, incoming: true },
    { type: 'OF', target: one.held, properties: {} },
    ...scope.map((target) => ({ type: 'ON', target, properties: {} })),
  ];
}

function from(row: Row, source: DataSource): Relationship {
  const { label, key } = row.node;
  return {
    type: 'FROM',
    from: { label, key },
    to: { label: 'DataSource', key: source.id },
    properties: {},
  };
}

function applicationOf(id: string | null, whole: Whole): Entity | undefined {
  return whole.entities.find((one) => one.kind === 'Application' && one.id === id);
}

function applicationTarget(id: string | null, whole: Whole): Target {
  return { label: 'Application', key: applicationOf(id, whole)?.key ?? '' };
}

/** `application` and `application_type` stand on everything in the application (docs/rules.md: Nodes). */
function applicationValues(whole: Whole, id: string | null): Values {
  const type = applicationOf(id, whole)?.values.application_type ?? '';
  return { application: id ?? '', application_type: type };
}

/** The root's name and the type stand on all; the other fields at the top on the root (docs/rules.md: Nodes). */
function flatValues(
  { root, rootName, typeName }: FlatTemplate,
  { top, entities }: Whole,
  kind: string,
): Values {
  const name = entities.find((one) => one.kind === root)?.values.name ?? '';
  const type = top[typeName];
  const shared: Values = { [rootName]: name, ...(type === undefined ? {} : { [typeName]: type }) };
  return kind === root ? { ...top, ...shared } : shared;
}

function nameOf(target: Target, whole: Whole): string {
  return textOf(whole.entities.find((one) => one.key === target.key)?.values.name);
}

/** Two relationships of one type between the same nodes are one (docs/rules.md: Relationships). */
function merged(relationships: readonly Relationship[]): readonly Relationship[] {
  return [...new Map(relationships.map((one) => [relationshipId(one), one])).values()];
}

function textOf(value: Value | undefined): string {
  return typeof value === 'string' ? value : '';
}
