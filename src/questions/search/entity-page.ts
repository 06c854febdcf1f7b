import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { type Around, aroundNode, MOST_LISTED, type Neighbours } from '../../access/around';
import { everybodyIn, type EverybodyInGroup } from '../../access/in-group';
import type { Pieces } from '../../access/pieces';
import type { EntityPage } from '../../contract/answers/questions/entities';
import type { Instant } from '../../model/instant';
import type { NodeKind } from '../../model/table';
import { toPlain } from '../../neo4j/plain-value';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, type Runner } from '../../neo4j/transaction';
import { toDateTime } from '../../neo4j/values';
import type { Failure } from '../../problem';
import { isSharedKey, kindOfKey, propertiesInKey } from '../../templates/graph/kind-of-key';
import { RESTLESS } from '../answering/settled-answer';
import { existedAt, notThere } from '../instant/existed';
import type { Answered } from '../answering/answered';
import type { Asked, AskMemory } from '../memory/asked-in-memory';
import {
  COMMIT_AND_PUSHES,
  FIND_ENTITY,
  MENTIONED_BY,
  POLICY_ACCOUNTS,
  SOURCES,
  TAGS_AND_OWNERS,
} from '../statements/entity-statements';
import { PUSHES_THEN } from '../statements/instant-statements';
import { type Said, toEntity } from './entities';
import { sinceOfLines } from './line-ages';
import { inGroupShown } from './members';

/**
 * Reads the page of an entity, now (`at` is null) or as it was at an instant; of a group also who is in it
 * in any way, if asked.
 */
export type EntityQuestion = (
  id: string,
  at: Instant | null,
  hasEverybody: boolean,
) => TE.TaskEither<Failure, Answered<EntityPage>>;

/** The relationships around an entity in memory, and the commit of which they are. */
interface Remembered {
  readonly around: Around;
  /** `null`: nobody asked, or it is no group. */
  readonly everybody: EverybodyInGroup | null;
  readonly turns: number;
}

/** An entity without what is around it. */
interface Found {
  readonly labels: readonly string[];
  readonly label: string;
  readonly name: string;
  readonly properties: Said;
  readonly since: string | null;
  readonly changed: string | null;
  readonly has_ended: boolean;
}

type Source = EntityPage['sources'][number];

/** What Neo4j has of the tags and owners of an entity, and how many there are. */
interface TagsAndOwners {
  readonly tags: { readonly total: number; readonly values: EntityPage['tags'] };
  readonly owners: {
    readonly total: number;
    readonly values: readonly (Pick<
      EntityPage['owners'][number],
      'owner_type' | 'primary' | 'since'
    > & { readonly key: string })[];
  };
}

/** The properties that the version of a node has itself. The other properties are those of the node. */
const OF_VERSIONS = ['label', 'from', 'until'];
const TIMES = ['since', 'changed'];

/** How often it reads again because something was committed meanwhile. */
const ATTEMPTS = 10;

/** Something was committed after the graph in memory was read. */
const OVERTAKEN = 'overtaken';

function* remembered(asked: Asked, id: string, hasEverybody: boolean): Pieces<Remembered> {
  const { graph, access, moment, turns } = asked.then;
  const node = graph.find(id);
  const isGroup = graph.kind(node)?.label.endsWith('Group') === true;
  return {
    around: yield* aroundNode(access, node, moment, asked.clock),
    everybody:
      hasEverybody && isGroup
        ? yield* everybodyIn(access, node, moment, asked.clock, MOST_LISTED)
        : null,
    turns,
  };
}

/** Who is in a group, as its page says it. */
const everybodyOf = ({
  total,
  people,
  values,
}: EverybodyInGroup): NonNullable<EntityPage['everybody']> => ({
  total,
  people,
  values: values.map(inGroupShown),
});

/** A shared node that is gone: its key has what it said. */
const goneShared = (kind: NodeKind, key: string): Found => {
  const inKey = Object.entries(propertiesInKey(kind, key)).filter(([, value]) => value !== null);
  const own = new Map(inKey);
  const name = ['name', 'arn', 'id', 'unique_id'].flatMap((one) => own.get(one) ?? [])[0];
  return {
    labels: [kind.label, ...kind.also],
    label: kind.label,
    since: null,
    changed: null,
    name: typeof name === 'string' ? name : '',
    properties: [...inKey, ['key', key]],
    has_ended: true,
  };
};

/** The entity, now or at an instant; `null` if it does not exist then. */
const findEntity = async (tx: Runner, id: string, at: Instant | null): Promise<Found | null> => {
  const kind = kindOfKey(id);
  const { records } = await tx.run<{ [F in keyof Found]: Found[F] }>(FIND_ENTITY, {
    id,
    at: at === null ? null : toDateTime(at),
  });
  const all = records.map((record) => record.toObject());
  // If a version covers the instant, it counts, and the present state does not.
  const ended = all.find(({ has_ended }) => has_ended);
  const found = ended ?? all[0] ?? null;
  if (at !== null && isSharedKey(id)) {
    if (kind === null || !(await existedAt(tx, at, [id])).has(id)) return null;
    return found ?? goneShared(kind, id);
  }
  if (ended === undefined || kind === null) return found;
  return {
    ...ended,
    labels: [kind.label, ...kind.also],
    properties: ended.properties.filter(([name]) => !OF_VERSIONS.includes(name)),
  };
};

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

/** The data sources that an entity comes from: its own, or those of all that mention a shared node. */
const sourcesOf = async (
  tx: Runner,
  id: string,
  own: string | null,
  at: Instant | null,
): Promise<readonly Source[]> => {
  const mentioning = async (): Promise<readonly string[]> => {
    const then = at === null ? null : toDateTime(at);
    const { records } = await tx.run<{ id: string }>(MENTIONED_BY, { id, at: then });
    return records.map((record) => record.get('id'));
  };
  const ids = own === null ? await mentioning() : [own];
  const { records } = await tx.run(SOURCES, { ids });
  const sources = records.map((record) => toPlain(record.toObject()) as unknown as Source);
  return at === null ? sources : sourcesThen(tx, sources, at);
};

/**
 * Reads the page of an entity. What the access graph knows of it is given; `OVERTAKEN` if something
 * was committed since; `null` if there is no such entity.
 */
const readPage = async (
  tx: Runner,
  id: string,
  at: Instant | null,
  { around, everybody, turns }: Remembered,
): Promise<EntityPage | typeof OVERTAKEN | null> => {
  const then = at === null ? null : toDateTime(at);
  const found = await findEntity(tx, id, at);
  if (found === null) return null;
  const times = TIMES.map((name): Said[number] => [
    name,
    name === 'since' ? found.since : found.changed,
  ]);
  const shownProperties = found.properties.filter(([name]) => !TIMES.includes(name));
  const entity = toEntity(found.label, found.name, [...shownProperties, ...times]);
  const [{ records: facts }, { records: accounts }] = await Promise.all([
    tx.run(TAGS_AND_OWNERS, { id, at: then }),
    tx.run(POLICY_ACCOUNTS, { person: id, at: then }),
  ]);
  const { tags, owners } = toPlain(facts[0]?.toObject()) as unknown as TagsAndOwners;
  const sources = await sourcesOf(tx, id, entity.data_source, at);
  const { memberships, members, contains, managers, resourceManagers } = around;
  const lists = [memberships, members, contains, managers, resourceManagers];
  const sinceOf = await sinceOfLines(
    tx,
    at,
    lists.flatMap(({ values }) => values),
  );
  const shown = ({ values }: Neighbours): EntityPage['managers'] =>
    values.map(({ about, lines }) => ({ about, since: sinceOf(lines) }));
  const { records } = await tx.run<{
    turns: unknown;
    since_pushes: readonly string[];
    changed_pushes: readonly string[];
  }>(COMMIT_AND_PUSHES, { since: entity.since, changed: entity.changed });
  const last = records[0];
  // What is true at an instant, later commits do not change.
  if (at === null && Number(last?.get('turns')) !== turns) return OVERTAKEN;
  return {
    ...entity,
    // Neo4j gives the labels of a node in any order.
    labels: found.labels.toSorted(),
    tags: tags.values,
    memberships: shown(memberships),
    members: { total: members.total, groups: members.groups, values: shown(members) },
    ...(everybody === null ? {} : { everybody: everybodyOf(everybody) }),
    contains: { total: contains.total, values: shown(contains) },
    managers: shown(managers),
    owners: owners.values.flatMap(({ key, owner_type, primary, since }) => {
      const owner = around.owners.get(key);
      return owner === undefined
        ? []
        : {
            about: owner.about,
            since,
            owner_type,
            primary,
            people: owner.people,
            people_total: owner.peopleTotal,
          };
    }),
    resource_managers: shown(resourceManagers),
    totals: {
      tags: tags.total,
      memberships: memberships.total,
      managers: managers.total,
      owners: owners.total,
      resource_managers: resourceManagers.total,
    },
    policy_accounts: accounts.map(
      (record) => toPlain(record.get('account')) as EntityPage['policy_accounts'][number],
    ),
    sources,
    freshness: {
      since: entity.since,
      since_push: last?.get('since_pushes')[0] ?? null,
      changed: entity.changed,
      changed_push: last?.get('changed_pushes')[0] ?? null,
    },
  };
};

/**
 * Reads pages of entities: the relationships around an entity from memory, and its properties, tags,
 * sources and pushes from Neo4j, by its key.
 */
export const entityQuestion =
  (ask: AskMemory, graph: Graph, timeoutSeconds: number): EntityQuestion =>
  (id, at, hasEverybody) => {
    const attempt = (number: number): TE.TaskEither<Failure, Answered<EntityPage>> =>
      pipe(
        ask(at, [], (asked) => remembered(asked, id, hasEverybody)),
        TE.flatMap(({ answer, asOf }) =>
          pipe(
            // The graph in memory follows the leader of a cluster.
            inTransaction(graph, { mode: 'write', isReading: true, timeoutSeconds }, (tx) =>
              readPage(tx, id, at, answer),
            ),
            TE.flatMap((page): TE.TaskEither<Failure, Answered<EntityPage>> => {
              if (page === null) return TE.left(notThere('entity', at));
              if (page !== OVERTAKEN) return TE.right({ answer: page, asOf });
              return number === ATTEMPTS ? TE.left(RESTLESS) : attempt(number + 1);
            }),
          ),
        ),
      );
    return attempt(1);
  };
