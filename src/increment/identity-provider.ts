import { checkDeclarations } from '../check/custom-properties';
import type { Definitions } from '../check/definitions';
import { declaredByIdentityProvider } from '../check/identity-provider';
import type { IdentityProviderIncrement } from '../contract/increment';
import { nfc } from '../model/fold';
import { IdpDomain } from '../model/identity-provider-nodes';
import { relationshipKind } from '../model/relationships';
import { DataSource } from '../model/service-nodes';
import { RowContext } from '../rows/context';
import type { EntityKind } from '../rows/entity-kind';
import { apps, domains, groups, users } from '../rows/federated-kinds';
import { Entities } from './entities';
import { Edits } from './edits';
import { Entries } from './entries';
import { bindReferences, entityRows, judgeDynamicProperties, unbind } from './finish';
import type { Outcome } from './outcome';
import { Remarks } from './problems';
import type { Standing } from './standing';
import { textOf } from './working';

const KINDS = [domains, users, groups, apps];

/** Fields of the payload itself and the properties that they become: of the domain, or of all rows. */
const TOP = [
  { field: 'name', property: 'idp_name', isEverywhere: false },
  { field: 'idp_type', property: 'idp_type', isEverywhere: true },
  { field: 'idp_description', property: 'idp_description', isEverywhere: false },
] as const;

/** What an increment of an identity provider leads to (graph.md 7). */
export const identityProviderIncrement = (
  payload: IdentityProviderIncrement,
  remembered: Definitions,
  standing: Standing,
): Outcome => {
  const remarks = new Remarks();
  const declared = checkDeclarations(
    declaredByIdentityProvider(payload),
    remembered,
    remarks.problems,
  );
  const definitions = declared.merge(remembered);
  const entities = new Entities(standing, KINDS, null);
  const context = new RowContext(entities, definitions);
  const entries = new Entries(
    entities,
    new Edits(entities, standing, definitions, context, remarks),
    remarks,
  );

  // There is one, and all else carries its name.
  for (const key of standing.some(IdpDomain.label, 2)) entities.at(IdpDomain, key);
  const [domainBefore] = [...entities.touched];
  const before = domainBefore?.before?.row.properties ?? {};

  const around = { application: null, parent: null, operation: null, isUnknown: false };
  for (const kind of KINDS as readonly EntityKind<never>[]) {
    const list = payload[kind.list as 'users'] ?? [];
    list.forEach((entry, index) => {
      entries.enter(kind, entry, `/${kind.list}/${index}`, around);
    });
  }

  unbind(standing, entities, () => undefined);
  entities.settle();
  bindReferences(entities, context);
  judgeDynamicProperties(entities, remarks);

  const standingDomains = [...entities.touched].filter(
    ({ kind, isAlive }) => kind === IdpDomain && isAlive,
  );
  const [domain] = standingDomains;
  if (standingDomains.length !== 1) {
    for (const { kind, cameAt, wentAt } of entities.touched) {
      if (kind !== IdpDomain) continue;
      for (const pointer of [...cameAt, ...wentAt]) {
        remarks.refuse(
          pointer,
          'DOMAIN_COUNT',
          () => `leads to ${standingDomains.length} domains: expected exactly one`,
        );
      }
    }
  }

  const top: Record<string, string> = {};
  for (const { field, property } of TOP) {
    const stated = payload[field];
    const value = stated === undefined ? textOf(before, property) : nfc(stated ?? '');
    if (value !== '') top[property] = value;
  }
  // Without a domain nothing is written: it is not known yet, or the increment is refused.
  const isEverywhere =
    domain !== undefined &&
    (domain.name !== textOf(before, 'name') || top.idp_type !== before.idp_type);
  if (isEverywhere) for (const row of standing.everything()) entities.of(row);

  const from = relationshipKind(IdpDomain, 'FROM', DataSource);
  const rows = entityRows(entities, (draft, { kind }) => {
    for (const property of ['domain', 'idp_type']) delete draft.properties[property];
    draft.text('domain', domain?.name);
    draft.text('idp_type', top.idp_type);
    if (kind !== IdpDomain) return;
    for (const { property } of TOP) {
      delete draft.properties[property];
      draft.text(property, top[property]);
    }
    draft.relate(from, '');
  });

  return {
    problems: [remarks.problems.list(), context.problems.list()],
    rows,
    shared: context.shared,
    mentions: context.mentions,
    remarks: [...context.remarks, ...remarks.warnings],
    definitions: declared,
    types: {
      application_types: [],
      resource_types: [],
      idp_types: top.idp_type === undefined ? [] : [top.idp_type],
    },
  };
};
