import {
  AccessCredential,
  Application,
  Grant,
  LocalAgent,
  LocalGroup,
  LocalModel,
  LocalRole,
  LocalUser,
  Permission,
  Resource,
  RoleAssignment,
} from './application-nodes';
import { IdpApp, IdpDomain, IdpGroup, IdpUser } from './identity-provider-nodes';
import { DataSource } from './service-nodes';
import { CloudRole, ExternalEntity, Identity, Tag } from './shared-nodes';
import {
  flag,
  kindsOf,
  otherEnd,
  stated,
  text,
  type NodeKind,
  type RelationshipKind,
} from './table';

const entitlements = [Grant, RoleAssignment];

/** Every relationship that rows state (graph.md 3), but TAGGED last: tags accumulate. */
export const relationshipKinds: readonly RelationshipKind[] = kindsOf([
  stated([IdpUser, IdpGroup], 'MEMBER_OF', IdpGroup, 'Direct membership.'),
  stated([LocalUser, LocalGroup, LocalAgent], 'MEMBER_OF', LocalGroup, 'Direct membership.'),
  stated(Identity, 'IDENTITY_OF', [LocalUser, LocalGroup], 'From `identities`.', { owner: 'to' }),
  stated([IdpUser, IdpGroup], 'OWNS', ExternalEntity, 'From `entities_owned`.'),
  stated([IdpUser, IdpGroup], 'ASSIGNED_TO', IdpApp, 'From `app_assignments`.', {
    properties: { id: text('Id of the assignment.'), name: text('Its display name.') },
    toldApartBy: ['id'],
    custom: true,
  }),
  stated([IdpUser, IdpGroup, IdpApp], 'ASSUMES_ROLE', CloudRole, 'From `assumed_role_arns`.'),
  stated([LocalUser, LocalAgent], 'HAS_CREDENTIAL', AccessCredential, 'From `access_creds`.'),
  stated(LocalAgent, 'USES_MODEL', LocalModel, 'From `models`.'),
  stated(
    [LocalUser, LocalGroup, LocalRole, LocalAgent, AccessCredential, Identity],
    'HOLDS',
    entitlements,
    'Who holds it.',
    {
      owner: 'to',
    },
  ),
  stated(Grant, 'OF', Permission, 'The permission: each of its nodes.'),
  stated(RoleAssignment, 'OF', LocalRole, 'The role.'),
  stated(entitlements, 'ON', [Application, Resource], 'The scope.'),
  stated(LocalRole, 'ALLOWS', Permission, 'Permissions of the role: each of their nodes.'),
  stated(LocalRole, 'INCLUDES', LocalRole, 'Nested roles.'),
  stated([Application, Resource], 'CONTAINS', Resource, 'Where a resource stands.', {
    owner: 'to',
  }),
  stated(
    Resource,
    'CONNECTS_TO',
    ExternalEntity,
    "The resource can assume that entity's permissions.",
  ),
  stated(
    [
      Application,
      LocalUser,
      LocalGroup,
      LocalRole,
      LocalAgent,
      LocalModel,
      AccessCredential,
      Resource,
    ],
    'OWNED_BY',
    Identity,
    'From `owners`.',
    {
      properties: { owner_type: text('Kind of owner.'), primary: flag('Is the primary owner.') },
      toldApartBy: ['owner_type', 'primary'],
    },
  ),
  stated([IdpDomain, Application], 'FROM', DataSource, 'Where it comes from.'),
  stated(
    [
      IdpDomain,
      IdpUser,
      IdpGroup,
      IdpApp,
      Application,
      LocalUser,
      LocalGroup,
      LocalRole,
      LocalAgent,
      LocalModel,
      AccessCredential,
      Resource,
    ],
    'TAGGED',
    Tag,
    'From `tags`; they accumulate (graph.md 6).',
  ),
]);

// By the ends themselves: asked for each relationship of each push, so that no text is made for it.
const byEnds = new Map<NodeKind, Map<NodeKind, RelationshipKind[]>>();
for (const kind of relationshipKinds) {
  const from = byEnds.get(kind.from) ?? new Map<NodeKind, RelationshipKind[]>();
  byEnds.set(kind.from, from.set(kind.to, [...(from.get(kind.to) ?? []), kind]));
}

/** The declared kind between two labels, if there is one. */
export const relationshipKindIfAny = (
  from: NodeKind,
  type: string,
  to: NodeKind,
): RelationshipKind | null =>
  byEnds
    .get(from)
    ?.get(to)
    ?.find((kind) => kind.type === type) ?? null;

/** The declared kind between two labels; asking for one that is not declared is a mistake in the code. */
export const relationshipKind = (from: NodeKind, type: string, to: NodeKind): RelationshipKind => {
  const kind = relationshipKindIfAny(from, type, to);
  if (kind === null) throw new Error(`${from.label} ${type} ${to.label} is not in the model`);
  return kind;
};

/** The kinds that rows of a label state. */
export const kindsOwnedBy = (node: NodeKind): readonly RelationshipKind[] =>
  relationshipKinds.filter((kind) => kind[kind.owner] === node);

/** The kinds by which rows refer to nodes of a label; a shared node stays in the graph as long as one of them does (graph.md 5). */
export const kindsMentioning = (node: NodeKind): readonly RelationshipKind[] =>
  relationshipKinds.filter((kind) => otherEnd(kind) === node);
