import type { Failure } from '../../problem';
import { ENTITY_PAGE, FIND_ENTITY } from '../../translate/questions/entity-statements';
import { type Entity, type Said, toEntity } from './entities';
import { type Plain, toPlain } from '../connection/plain-value';
import type { Runner } from '../connection/transaction';

/** An entity with its tags, memberships, managers and owners (docs/rules.md: Searches). */
export interface EntityPage extends Entity {
  readonly labels: Plain;
  readonly tags: Plain;
  readonly memberships: Plain;
  readonly managers: Plain;
  readonly owners: Plain;
  readonly resource_managers: Plain;
  /** The data sources whose rows this page shows, each with the time of its newest push. */
  readonly sources: Plain;
  /** When the entity came and when it last changed, and which pushes did that. */
  readonly freshness: {
    readonly since: string | null;
    readonly since_push: Plain;
    readonly changed: string | null;
    readonly changed_push: Plain;
  };
}

/** The failure "not found". */
export const noEntity: Failure = {
  _tag: 'NotFound',
  message: 'There is no entity with this id.',
};

const first = (value: unknown): Plain => toPlain(Array.isArray(value) ? value[0] : null);

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
  const { labels, tags, memberships, managers, owners, resource_managers, sources } = told;
  return {
    ...entity,
    labels: toPlain(labels),
    tags: toPlain(tags),
    memberships: toPlain(memberships),
    managers: toPlain(managers),
    owners: toPlain(owners),
    resource_managers: toPlain(resource_managers),
    sources: toPlain(sources),
    freshness: {
      since: entity.since,
      since_push: first(told.since_pushes),
      changed: entity.changed,
      changed_push: first(told.changed_pushes),
    },
  };
};
