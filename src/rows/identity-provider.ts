import type { IdentityProviderPayload } from '../contract/identity-provider';
import { Definitions } from '../check/definitions';
import { Names } from '../check/names';
import { federatedId } from '../model/entity-id';
import { nfc } from '../model/fold';
import { keyOf } from '../model/key';
import { IdpApp, IdpDomain, IdpGroup } from '../model/identity-provider-nodes';
import { CUSTOM_PREFIX, DYNAMIC_PREFIX } from '../model/property-name';
import { DataSource } from '../model/service-nodes';
import { relationshipKind } from '../model/relationships';
import type { NodeKind } from '../model/table';
import { RowContext } from './context';
import { Draft } from './draft';
import type { EntityKind } from './entity-kind';
import { apps, domains, groups, users } from './federated-kinds';
import { putPrefixed } from './field';
import { lookupsOf } from './lookups';
import type { Place } from './place';
import type { Row } from './row';
import type { Rows, Words } from './rows';

const enter = (
  names: Names,
  kind: NodeKind,
  pointer: string,
  id: string,
  name: string,
  title: () => string,
): void => {
  names.add(kind.label, '', {
    id,
    name: nfc(name),
    pointer,
    steps: [[id], [], [nfc(name)]],
    keys: [keyOf(kind.label, id)],
    title,
  });
};

/** The entities that references of the payload may name. */
const namesOf = ({ groups, apps }: IdentityProviderPayload): Names => {
  const names = new Names();
  (groups ?? []).forEach((group, index) => {
    enter(
      names,
      IdpGroup,
      `/groups/${index}`,
      federatedId(group),
      group.name,
      () => `group ${JSON.stringify(group.name)}`,
    );
  });
  (apps ?? []).forEach((app, index) => {
    enter(
      names,
      IdpApp,
      `/apps/${index}`,
      nfc(app.id),
      app.name,
      () => `app ${JSON.stringify(app.id)}`,
    );
  });
  return names;
};

interface FederatedCommon {
  readonly name: string;
  readonly custom_properties?: object | null;
  readonly dynamic_properties?: object | null;
}

const placeOf = <E extends FederatedCommon>(
  { list, word }: EntityKind<E>,
  { name }: E,
  index: number,
): Place => ({
  pointer: `/${list}/${index}`,
  subject: () => ({ kind: word, name }),
  application: '',
});

/** What is to be said about a good payload (graph.md 8), without making its rows. */
export const identityProviderWords = (payload: IdentityProviderPayload): Words => {
  const context = new RowContext(new Names(), Definitions.none);
  const mention = <E extends FederatedCommon>(
    kind: EntityKind<E>,
    entities: readonly E[] | null | undefined,
  ): void => {
    (entities ?? []).forEach((entity, index) => {
      const place = placeOf(kind, entity, index);
      for (const field of kind.fields) field.mention?.(entity, place, context);
    });
  };
  mention(domains, payload.domains);
  mention(users, payload.users);
  mention(groups, payload.groups);
  mention(apps, payload.apps);
  return context;
};

/** The rows of an identity provider payload (graph.md 2 and 3). */
export const identityProviderRows = (
  payload: IdentityProviderPayload,
  definitions: Definitions,
): Rows => {
  const context = new RowContext(namesOf(payload), definitions);
  const [domain] = payload.domains ?? [];
  const rows: Row[] = [];

  const add = <E extends FederatedCommon>(
    kind: EntityKind<E>,
    entities: readonly E[] | null | undefined,
    idOf: (entity: E) => string,
    finish?: (draft: Draft) => void,
  ): void => {
    const { node, fields, definition } = kind;
    const types = definitions.typesOf({ kind: definition });
    (entities ?? []).forEach((entity, index) => {
      const draft = new Draft(node, keyOf(node.label, idOf(entity)));
      const place = placeOf(kind, entity, index);
      for (const field of fields) field.write(draft, entity, place, context);
      draft.text('domain', domain?.name);
      draft.text('idp_type', payload.idp_type);
      finish?.(draft);
      putPrefixed(draft.properties, CUSTOM_PREFIX, entity.custom_properties, types);
      putPrefixed(draft.properties, DYNAMIC_PREFIX, entity.dynamic_properties);
      rows.push(draft.row(lookupsOf(node, draft.properties)));
    });
  };

  const from = relationshipKind(IdpDomain, 'FROM', DataSource);
  add(
    domains,
    payload.domains,
    ({ name }) => nfc(name),
    (draft) => {
      draft.text('idp_description', payload.idp_description);
      draft.text('idp_name', payload.name);
      draft.relate(from, '');
    },
  );
  add(users, payload.users, federatedId);
  add(groups, payload.groups, federatedId);
  add(apps, payload.apps, ({ id }) => nfc(id));

  return {
    rows,
    shared: context.shared,
    problems: context.problems.list(),
    mentions: context.mentions,
    remarks: context.remarks,
    types: {
      application_types: [],
      resource_types: [],
      idp_types: payload.idp_type ? [nfc(payload.idp_type)] : [],
    },
  };
};
