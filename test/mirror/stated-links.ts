import type { EntityTag, Link, Target } from './entity';
import { node, type Label, type Node, type Values } from './graph';
import { sharedKey } from './key';
import type { AssumedRoleArns, NamedEntity, Optional, Owner, Tag } from './payload';
import { withoutUnset } from './own-fields';
import { fold, given, listed, nfc } from './text';

/** Links of one type to several targets, without properties. */
export function links(type: string, targets: readonly Target[]): readonly Link[] {
  return targets.map((target) => ({ type, target, properties: {} }));
}

/** The shared Identity of a login, email or group name (docs/rules.md: Nodes). */
export function identity(name: string): Target {
  return sharedTarget('Identity', [fold(name)], { name: fold(name) });
}

/** The shared CloudRole of an ARN (docs/rules.md: Nodes). */
export function cloudRole(arn: string): Target {
  return sharedTarget('CloudRole', [nfc(arn)], { arn: nfc(arn) });
}

/** The shared ExternalEntity of a node type and id (docs/rules.md: Nodes). */
export function externalEntity({ node_type, id }: NamedEntity): Target {
  const properties = { node_type: fold(node_type), id: fold(id) };
  return sharedTarget('ExternalEntity', [properties.node_type, properties.id], properties);
}

/** The shared Tag node of a tag (docs/rules.md: Nodes, Shared nodes). */
export function tagTarget({ name, value }: EntityTag): Target {
  return sharedTarget('Tag', [name, value], value === '' ? { name } : { name, value });
}

/** The node of a shared target. */
export function sharedNode({ label, key, shared }: Target): Node | null {
  return shared === undefined ? null : node(label, key, shared);
}

function sharedTarget(label: Label, parts: readonly string[], shared: Values): Target {
  return { label, key: sharedKey(label, ...parts), shared };
}

/** Tags in their stored form (docs/rules.md: Tags). */
export function tagsOf(sent: Optional<readonly Tag[]>): readonly EntityTag[] {
  return listed(sent).map(({ key, value }) => ({ name: nfc(key), value: given(value) ?? '' }));
}

/** The ARNs of either shape of `assumed_role_arns` (spec). */
export function arnsOf(sent: Optional<AssumedRoleArns>): readonly string[] {
  if (sent === null || sent === undefined) return [];
  return Array.isArray(sent)
    ? (sent as readonly { readonly identity: string }[]).map((one) => one.identity)
    : listed((sent as { readonly identity?: Optional<readonly string[]> }).identity);
}

/** The entities of `entities_owned`, a list or a single one (spec); an empty object is none. */
export function ownedOf(
  sent: Optional<NamedEntity | readonly NamedEntity[]>,
): readonly NamedEntity[] {
  if (sent === null || sent === undefined || Object.keys(sent).length === 0) return [];
  return Array.isArray(sent) ? (sent as readonly NamedEntity[]) : [sent as NamedEntity];
}

/** OWNED_BY from `owners`, told apart by owner type and primary (docs/rules.md: Relationships). */
export function ownerLinks(owners: Optional<readonly Owner[]>): readonly Link[] {
  return listed(owners).map(({ external_id, owner_type, primary }) => ({
    type: 'OWNED_BY',
    target: identity(external_id),
    properties: withoutUnset({ owner_type: given(owner_type), primary: primary ?? null }),
  }));
}
