import { Application } from '../../templates/application/applications';
import { Grant, RoleAssignment } from '../../templates/application/statements';
import { LocalRole } from '../../templates/application/local-roles';
import { Permission } from '../../templates/application/permissions';
import { Resource } from '../../templates/application/resources';
import { holders } from '../../templates/application/statements';
import { idOf } from '../../model/entity-id';
import { CUSTOM_PREFIX } from '../../model/property-name';
import { Identity } from '../../model/shared-nodes';
import type { NodeKind } from '../../model/table';
import type { PropertyValues } from '../../rows/row/row';
import { canonical } from '../../rows/statement';

/** A spelling: how keys are made of ids. */
export interface KeySpelling {
  readonly fold: (text: string) => string;
  readonly keyOf: (...parts: readonly string[]) => string;
  readonly keyBelow: (owner: string, ...parts: readonly string[]) => string;
  readonly keyOfTyped: (label: string, application: string, type: string, id: string) => string;
  /** Spells the properties of shared nodes, which are folded already. */
  readonly said: (text: string) => string;
}

/** A node at the other end of a relationship. */
export interface KeyEnd {
  readonly labels: readonly string[];
  readonly properties: PropertyValues;
}

/** The nodes around a node on which its key depends. */
export interface KeySurroundings {
  /** The resources from the top down to the resource itself. */
  readonly steps: readonly PropertyValues[];
  /** The holder of a grant or a role assignment. */
  readonly holder: KeyEnd | null;
  /** The role of a role assignment. */
  readonly role: KeyEnd | null;
}

const textOf = (properties: PropertyValues, name: string): string => {
  const value = properties[name];
  return typeof value === 'string' ? value : '';
};

const resourceKey = (
  spelling: KeySpelling,
  application: string,
  steps: readonly PropertyValues[],
): string | null =>
  steps.reduce<string | null>((parent, step) => {
    const type = spelling.fold(textOf(step, 'resource_type'));
    const [id, name] = [textOf(step, 'id'), textOf(step, 'name')];
    if (id !== '') return spelling.keyOfTyped(Resource.label, application, type, id);
    return parent === null
      ? spelling.keyOf(Resource.label, application, `/${type}`, name)
      : spelling.keyBelow(parent, `/${type}`, name);
  }, null);

/** The identity type and the id of a holder. */
const holderParts = (
  spelling: KeySpelling,
  { labels, properties }: KeyEnd,
): readonly [string, string] | null => {
  const type = [...holders].find(([, { node }]) => labels.includes(node.label));
  if (type === undefined) return null;
  const [word, { node }] = type;
  return node === Identity
    ? [word, spelling.said(textOf(properties, 'name'))]
    : [word, idOf(node, properties)];
};

const entitlementKey = (
  spelling: KeySpelling,
  kind: NodeKind,
  properties: PropertyValues,
  { holder, role }: KeySurroundings,
): string | null => {
  const held = holder === null ? null : holderParts(spelling, holder);
  if (held === null) return null;
  const start = [kind.label, textOf(properties, 'application'), ...held];
  if (kind === Grant) return spelling.keyOf(...start, textOf(properties, 'name'));
  if (role === null || !role.labels.includes(LocalRole.label)) return null;
  const custom = Object.entries(properties).filter(([name]) => name.startsWith(CUSTOM_PREFIX));
  const said = canonical(Object.fromEntries(custom));
  return spelling.keyOf(...start, idOf(LocalRole, role.properties), said);
};

/**
 * Computes the key of a node from its properties and the nodes around it, for a row without the
 * data source id. Gives `null` if they do not tell the key.
 */
export const keyOfStanding = (
  spelling: KeySpelling,
  kind: NodeKind,
  properties: PropertyValues,
  around: KeySurroundings,
): string | null => {
  const { keyOf } = spelling;
  const application = textOf(properties, 'application');
  if (kind.keeper === 'shared') {
    const said = Object.keys(kind.properties).map((name) =>
      spelling.said(textOf(properties, name)),
    );
    return keyOf(kind.label, ...said);
  }
  switch (kind) {
    case Permission: {
      const type = textOf(properties, 'resource_type');
      const name = textOf(properties, 'name');
      return type === '' ? keyOf(kind.label, name) : keyOf(kind.label, name, spelling.fold(type));
    }
    case Resource:
      return resourceKey(spelling, application, around.steps);
    case Grant:
    case RoleAssignment:
      return entitlementKey(spelling, kind, properties, around);
    default: {
      const id = idOf(kind, properties);
      // The `application` of an Application is its own name, so it is no part of the key.
      return application === '' || kind === Application
        ? keyOf(kind.label, id)
        : keyOf(kind.label, application, id);
    }
  }
};
