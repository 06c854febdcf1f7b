import { AccessCredential } from '../application/access-credentials';
import { Application } from '../application/applications';
import { LocalAgent } from '../application/local-agents';
import { LocalGroup } from '../application/local-groups';
import { LocalRole } from '../application/local-roles';
import { LocalUser } from '../application/local-users';
import { Resource } from '../application/resources';
import { IdpGroup } from '../identity-provider/groups';
import { Employee } from '../hris/employees';
import { IdpUser } from '../identity-provider/users';
import { CloudRole, ExternalEntity, Identity } from '../../model/shared-nodes';
import type { Derivation, NodeKind } from '../../model/table';

const knownAs = (answerer: NodeKind, answers: readonly string[]): Derivation => ({
  name: `known_as_${answerer.label}`,
  type: 'KNOWN_AS',
  asker: Identity,
  ask: 'name',
  answerer,
  answers,
  from: 'answerer',
  isClaim: true,
  doc: "The identity is the entity's name, email (login) or identity.",
});

const sourceIdentityOf = (federated: NodeKind): Derivation => ({
  name: `source_identity_of_${federated.label}`,
  type: 'SOURCE_IDENTITY_OF',
  asker: federated,
  ask: 'fold_source_identity',
  answerer: federated,
  answers: ['fold_id'],
  from: 'answerer',
  where:
    'asker.data_source <> answerer.data_source AND (asker.fold_source_type IS NULL OR asker.fold_source_type = answerer.fold_idp_type)',
  isClaim: true,
  doc: 'The second names the first in `source_identity`. The first is in another data source, of the provider type that the second names.',
});

const managedBy: Derivation = {
  name: 'managed_by',
  type: 'MANAGED_BY',
  asker: IdpUser,
  ask: 'fold_manager_id',
  answerer: IdpUser,
  answers: ['fold_id'],
  from: 'asker',
  where:
    'asker.data_source = $data_source AND answerer.data_source = $data_source AND asker.key <> answerer.key',
  doc: "`manager_id` is the manager's id, in the same data source.",
};

/**
 * Whether an employee and a user have a name in common. This is needed because a number in an HR
 * system may by chance be the number of another person in a directory.
 */
const AGREE =
  'coalesce(any(name IN [asker.fold_name, coalesce(asker.fold_of_display_full_name, asker.display_full_name)] ' +
  'WHERE name IN [answerer.fold_name, coalesce(answerer.fold_of_full_name, answerer.full_name)]), false)';

const hasAccount: Derivation = {
  name: 'has_account',
  type: 'HAS_ACCOUNT',
  asker: Employee,
  ask: 'fold_account',
  answerer: IdpUser,
  answers: ['fold_id', 'fold_email'],
  from: 'asker',
  where: `(asker.fold_only_id IS NULL OR ${AGREE})`,
  isClaim: true,
  doc: "The employee's `idp_id`, else `email`, is the user's id or email. Else `id` is, and a name of the employee is one of the user.",
};

const actsAs: Derivation = {
  name: 'acts_as',
  type: 'ACTS_AS',
  asker: CloudRole,
  ask: 'arn',
  answerer: LocalRole,
  answers: ['fold_id', 'fold_other_id', 'fold_name'],
  from: 'asker',
  where: 'asker.arn IN [answerer.unique_id, answerer.id, answerer.name]',
  doc: 'The ARN is an id or the name of the local role.',
};

const resolvesTo = (
  answerer: NodeKind,
  answers: readonly string[],
  condition: Pick<Derivation, 'where' | 'asking'>,
): Derivation => ({
  name: `resolves_to_${answerer.label}`,
  type: 'RESOLVES_TO',
  asker: ExternalEntity,
  ask: 'id',
  answerer,
  answers,
  from: 'asker',
  ...condition,
  doc: 'The ExternalEntity names this entity (docs/rules.md: Derived relationships).',
});

const principal = (kind: NodeKind, answers: readonly string[]): Derivation =>
  resolvesTo(kind, answers, {
    asking: { property: 'node_type', value: kind.label.toLowerCase() },
  });

const local = ['fold_id', 'fold_other_id', 'fold_name'];

/** The derivations of RESOLVES_TO. They also decide who manages a resource. */
export const resolutions: readonly Derivation[] = [
  resolvesTo(Resource, ['fold_id', 'fold_path', 'fold_id_path'], {
    where:
      "asker.node_type IN [answerer.fold_resource_type, 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.resource', 'oaa.' + answerer.fold_application_type + '.' + answerer.fold_resource_type + '.subresource']",
  }),
  resolvesTo(Application, ['fold_name'], {
    where: "asker.node_type IN ['application', answerer.fold_application_type]",
  }),
  ...[LocalUser, LocalGroup, LocalAgent, AccessCredential].map((kind) => principal(kind, local)),
  resolvesTo(LocalRole, local, {
    where: "(asker.node_type = 'localrole' OR asker.id STARTS WITH 'arn:')",
  }),
  ...[IdpUser, IdpGroup].map((kind) => principal(kind, ['fold_id', 'fold_name'])),
];

/** Every derivation that joins two nodes by a value (docs/rules.md: Derived relationships). */
export const derivations: readonly Derivation[] = [
  knownAs(IdpUser, ['fold_id', 'fold_name', 'fold_email']),
  knownAs(IdpGroup, ['fold_id', 'fold_name']),
  sourceIdentityOf(IdpUser),
  sourceIdentityOf(IdpGroup),
  managedBy,
  hasAccount,
  actsAs,
  ...resolutions,
];

/** The kinds of node at the ends of these relationships. */
export const boundKinds: ReadonlySet<NodeKind> = new Set(
  derivations.flatMap(({ asker, answerer }) => [asker, answerer]),
);

/**
 * The type of the relationship from a resource to the person who manages it, and the name of the
 * tag that goes with it (docs/rules.md: Derived relationships).
 */
export const RESOURCE_MANAGERS = 'SYSTEM_resource_managers';

/**
 * The kinds at both ends of `SYSTEM_resource_managers`. The service derives the relationship where
 * an OWNS and a RESOLVES_TO meet.
 */
export const management = {
  managers: [IdpUser, IdpGroup],
  managed: [Resource, Application],
} as const;

/** Each kind of node from which a derived relationship starts, with the relationship's type. */
export const derivedFrom: readonly { readonly from: NodeKind; readonly type: string }[] = [
  ...new Map(
    [
      ...derivations.map(({ from, asker, answerer, type }) => ({
        from: from === 'asker' ? asker : answerer,
        type,
      })),
      ...management.managed.flatMap((from) =>
        [RESOURCE_MANAGERS, 'TAGGED'].map((type) => ({ from, type })),
      ),
    ].map((one) => [`${one.from.label} ${one.type}`, one]),
  ).values(),
];

/** The types of derived relationships that start or end at nodes of a kind. */
export const derivedTypesAt = (kind: NodeKind): readonly string[] => [
  ...new Set([
    ...derivations
      .filter(({ asker, answerer }) => asker === kind || answerer === kind)
      .map(({ type }) => type),
    ...(isOneOf([...management.managers, ...management.managed], kind) ? [RESOURCE_MANAGERS] : []),
  ]),
];

/** The same with the tags of managers, which the service derives too. */
export const derivedWithTagsAt = (kind: NodeKind): readonly string[] => [
  ...derivedTypesAt(kind),
  ...(isOneOf(management.managed, kind) ? ['TAGGED'] : []),
];

const isOneOf = (kinds: readonly NodeKind[], kind: NodeKind): boolean => kinds.includes(kind);
