import type { EntityPage } from '../../contract/answers/entities';
import type { Failure } from '../../problem';
import { ENTITY_PAGE, FIND_ENTITY } from '../../translate/questions/entity-statements';
import { type Said, toEntity } from './entities';
import { toPlain } from '../connection/plain-value';
import type { Runner } from '../connection/transaction';

/** The failure "not found". */
export const noEntity: Failure = {
  _tag: 'NotFound',
  message: 'There is no entity with this id.',
};

const first = (value: unknown): string | null =>
  Array.isArray(value) ? ((value[0] as string | undefined) ?? null) : null;

/** Reads the page of the entity with this key; `null` if there is none. */
export const readEntityPage = async (tx: Runner, id: string): Promise<EntityPage | null> => {
  const [found, more] = await Promise.all([
    tx.run<{ label: string; name: string; properties: Said }>(FIND_ENTITY, { id }),
    tx.run(ENTITY_PAGE, { id }),
  ]);
  const [record] = found.records;
  const told = more.records[0]?.toObject() as Readonly<Record<string, unknown>> | undefined;
  if (record === undefined || told === undefined) return null;
  const { label, name, properties } = record.toObject();
  const entity = toEntity(label, name, properties);
  // ENTITY_PAGE answers in the shape that is told.
  const page = toPlain(told) as unknown as EntityPage;
  const { labels, tags, memberships, managers, owners, resource_managers, sources } = page;
  return {
    ...entity,
    labels,
    tags,
    memberships,
    managers,
    owners,
    resource_managers,
    sources,
    freshness: {
      since: entity.since,
      since_push: first(told.since_pushes),
      changed: entity.changed,
      changed_push: first(told.changed_pushes),
    },
  };
};
