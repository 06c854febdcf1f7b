import { IdpDomain, IdpUser, IdpGroup, IdpApp } from './identity-provider-nodes';
import {
  Application,
  LocalUser,
  LocalGroup,
  LocalRole,
  LocalAgent,
  LocalModel,
  AccessCredential,
  Resource,
  Permission,
  Grant,
  RoleAssignment,
} from './application-nodes';
import { Identity, CloudRole, ExternalEntity, Tag } from './shared-nodes';
import {
  BindingLock,
  EventOrder,
  DataSource,
  Event,
  KnownPayload,
  LargePush,
  LargePushLane,
  Provider,
  ProviderIcon,
  Push,
  Store,
  TeamKey,
  Upload,
  UploadPart,
  UploadSlice,
} from './service-nodes';
import type { NodeKind } from './table';

/** Every kind of node, in the order in which `cypher/model.md` shows them. */
export const nodeKinds: readonly NodeKind[] = [
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
  Permission,
  Grant,
  RoleAssignment,
  Identity,
  CloudRole,
  ExternalEntity,
  Tag,
  Provider,
  ProviderIcon,
  DataSource,
  KnownPayload,
  LargePush,
  LargePushLane,
  Push,
  Event,
  Upload,
  UploadPart,
  UploadSlice,
  TeamKey,
  BindingLock,
  EventOrder,
  Store,
];

/** The kinds that belong to nobody (graph.md 5). */
export const sharedKinds: readonly NodeKind[] = nodeKinds.filter(
  ({ keeper }) => keeper === 'shared',
);

/** The kinds whose rows a data source of a template owns. */
export const rowKinds = {
  identity_provider: [IdpDomain, IdpUser, IdpGroup, IdpApp],
  application: [
    Application,
    LocalUser,
    LocalGroup,
    LocalRole,
    LocalAgent,
    LocalModel,
    AccessCredential,
    Resource,
    Permission,
    Grant,
    RoleAssignment,
  ],
} as const satisfies Record<string, readonly NodeKind[]>;

/** The two payload templates. */
export type Template = keyof typeof rowKinds;
