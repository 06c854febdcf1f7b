import {
  BindingLock,
  DataSource,
  ErasedName,
  ErasedNames,
  Event,
  EventOrder,
  KnownPayload,
  LargePush,
  Provider,
  Push,
  ScimConnection,
  ScimImport,
  Store,
  TeamKey,
  Upload,
  UploadPart,
  UploadSlice,
} from '../../model/service-nodes';
import {
  LifecycleAction,
  LifecyclePolicy,
  LifecycleState,
  ManagedAccount,
  ManagedAccountVersion,
} from '../../model/lifecycle-nodes';
import { PastNode, PastRelationship } from '../../model/past-facts';
import { CloudRole, ExternalEntity, Identity, Tag } from '../../model/shared-nodes';
import type { NodeKind } from '../../model/table';
import { allRowKinds, type Template, templates } from '../templates';

/** The kinds of shared nodes (docs/rules.md: Shared nodes). */
export const sharedKinds: readonly NodeKind[] = [Identity, CloudRole, ExternalEntity, Tag];

/** Every kind of node, in the order in which `cypher/model.md` shows them. */
export const nodeKinds: readonly NodeKind[] = [
  ...allRowKinds.map(({ node }) => node),
  ...sharedKinds,
  PastNode,
  PastRelationship,
  Provider,
  ScimConnection,
  ScimImport,
  LifecyclePolicy,
  ManagedAccount,
  ManagedAccountVersion,
  LifecycleAction,
  LifecycleState,
  DataSource,
  KnownPayload,
  LargePush,
  Push,
  Event,
  Upload,
  UploadPart,
  UploadSlice,
  TeamKey,
  ErasedName,
  ErasedNames,
  BindingLock,
  EventOrder,
  Store,
];

/** The kinds of rows that a data source of each template owns. */
export const rowKinds = Object.fromEntries(
  Object.entries(templates).map(([name, { rows }]) => [name, rows.map(({ node }) => node)]),
) as unknown as { readonly [T in Template]: readonly NodeKind[] };
