import type { EntityPage } from '../../contract/answers/questions/entities';
import type { Instant } from '../../model/instant';
import { ENTITY_PAGE, FIND_ENTITY, POLICY_ACCOUNTS } from '../statements/entity-statements';
import { DEACTIVATED_LATER, PUSHES_THEN } from '../statements/instant-statements';
import { type Said, toEntity } from './entities';
import { toPlain } from '../../neo4j/plain-value';
import type { Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';

const first = (value: unknown): string | null =>
  Array.isArray(value) ? ((value[0] as string | undefined) ?? null) : null;

type Source = EntityPage['sources'][number];

/** Sources as they were at an instant. */
const sourcesThen = async (
  tx: Runner,
  sources: readonly Source[],
  at: Instant,
): Promise<readonly Source[]> => {
  const ids = sources.map(({ data_source }) => data_source);
  const { records } = await tx.run(PUSHES_THEN, { sources: [ids], at: toDateTime(at) });
  const then = records.map((record) => toPlain(record.toObject()) as unknown as Source);
  return sources.map((source) => ({
    ...source,
    ...then.find(({ data_source }) => data_source === source.data_source),
  }));
};

/**
 * Reads the page of the entity with this key, now or at an instant; `null` if there is none. `keyOf`
 * gives the key by which statements find a node.
 */
export const readEntityPage = async (
  tx: Runner,
  key: string,
  at: Instant | null,
  keyOf: (key: string) => string,
): Promise<EntityPage | null> => {
  const id = keyOf(key);
  const [found, more, kept] = await Promise.all([
    tx.run<{ label: string; name: string; properties: Said }>(FIND_ENTITY, { id }),
    tx.run(ENTITY_PAGE, { id, prefix: keyOf('') }),
    tx.run(POLICY_ACCOUNTS, { person: key, at: at === null ? null : toDateTime(at) }),
  ]);
  const [record] = found.records;
  const told = more.records[0]?.toObject() as Readonly<Record<string, unknown>> | undefined;
  if (record === undefined || told === undefined) return null;
  const { label, name, properties } = record.toObject();
  const said = properties.map(([property, value]): Said[number] => [
    property === DEACTIVATED_LATER ? 'deactivated_at' : property,
    value,
  ]);
  const entity = toEntity(label, name, said);
  // ENTITY_PAGE returns the shape of the answer.
  const page = toPlain(told) as unknown as EntityPage;
  const { labels, tags, memberships, members, contains } = page;
  const { managers, owners, resource_managers, totals, sources } = page;
  return {
    ...entity,
    // Neo4j gives the labels of a node in any order.
    labels: labels.toSorted(),
    tags,
    memberships,
    members,
    contains,
    managers,
    owners,
    resource_managers,
    totals,
    policy_accounts: kept.records.map(
      (record) => toPlain(record.get('account')) as EntityPage['policy_accounts'][number],
    ),
    sources: at === null ? sources : await sourcesThen(tx, sources, at),
    freshness: {
      since: entity.since,
      since_push: first(told.since_pushes),
      changed: entity.changed,
      changed_push: first(told.changed_pushes),
    },
  };
};
