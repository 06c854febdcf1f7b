import type { PropertyOwner } from '../../check/property-owner';
import type { AppAssignment } from '../../templates/identity-provider/federated';
import type { Operation } from '../../codec/shared';
import { Resource } from '../../templates/application/resources';
import { nfc } from '../../model/fold';
import { idOf, keyOf } from '../../model/key';
import type { NodeKind } from '../../model/table';
import type { EntityKind } from '../../templates/kind';
import { resourceKey } from '../../rows/resource';
import { type Subject, subjectOf } from '../../warning';
import { textOf, type Working } from './working';

/** An entry with the fields that several kinds have in common. */
export interface AnyEntry {
  readonly operation?: Operation | null;
  readonly name?: string | null;
  readonly id?: string | null;
  readonly unique_id?: string | null;
  readonly identity?: string | null;
  readonly resource_type?: string | null;
  readonly tags?: readonly { readonly key: string; readonly value?: string | null }[] | null;
  readonly custom_properties?: object | null;
  readonly dynamic_properties?: object | null;
  readonly app_assignments?: readonly AppAssignment[] | null;
}

/** What surrounds an entry. */
export interface Around {
  readonly application: Working | null;
  /** The key of the resource that contains it. */
  readonly parent: string | null;
  /** The operation that entries without one inherit. */
  readonly operation: 'add' | 'delete_resource' | null;
  /** Whether the surrounding context does not exist. Then only deletions can have an effect. */
  readonly isUnknown: boolean;
}

/** The key of the entity that the entry would add at its place. */
export const entryKey = (node: NodeKind, entry: AnyEntry, around: Around): string => {
  const application = around.application?.id ?? '';
  if (node === Resource) {
    const { id, name, resource_type } = entry;
    return resourceKey(
      application,
      { ...(id ? { id } : {}), name: name ?? '', resource_type: resource_type ?? '' },
      around.parent,
    );
  }
  const id = idOf(node, entry);
  return application === '' ? keyOf(node.label, id) : keyOf(node.label, application, id);
};

/** The id that the entity would have after the entry sets its id fields. */
export const idAfter = ({ kind, draft }: Working, entry: AnyEntry): string => {
  const after = (field: 'name' | 'id' | 'unique_id' | 'identity'): string => {
    const stated = entry[field];
    if (stated !== undefined) return nfc(stated ?? '');
    return textOf(draft.properties, field);
  };
  return idOf(kind, {
    name: after('name'),
    id: after('id'),
    unique_id: after('unique_id'),
    identity: after('identity'),
  });
};

/** The owner under which the custom properties of an entity are declared. */
export const ownerOf = (
  kind: PropertyOwner['kind'],
  { draft }: Working,
  { application }: Around,
): PropertyOwner => {
  const type = textOf((application?.draft ?? draft).properties, 'application_type');
  if (kind === 'resource') {
    const resource_type = textOf(draft.properties, 'resource_type');
    return { kind, application_type: type, resource_type };
  }
  return type === '' ? { kind } : { kind, application_type: type };
};

/** The entity that an entry is about, called as the entry spells it. */
export const subjectOfEntry =
  (kind: EntityKind, entry: AnyEntry, { application }: Around) =>
  (): Subject =>
    subjectOf(kind.word, nameOf(entry), application?.sentName ?? application?.name);

/** What messages call the entry. */
export const nameOf = ({ name, unique_id, id, identity }: AnyEntry): string =>
  name || unique_id || id || identity || '';
