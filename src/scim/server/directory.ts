import type { TaskEither } from 'fp-ts/TaskEither';
import neo4j from 'neo4j-driver';

import { fold, nfc } from '../../model/fold';
import { keyOf, keyStart } from '../../model/key';
import type { NodeKind } from '../../model/table';
import { IdpGroup } from '../../templates/identity-provider/groups';
import { IdpUser } from '../../templates/identity-provider/users';
import {
  SCIM_AFTER,
  SCIM_BY_EXTERNAL_ID,
  SCIM_BY_KEYS,
  SCIM_COUNT,
  SCIM_MEMBER_COUNTS,
  SCIM_MEMBERS,
  SCIM_PAGE,
  SCIM_SOURCE,
  SCIM_WAITING,
  scimByName,
} from './statements';
import type { Failure } from '../../problem';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, LATEST } from '../../neo4j/transaction';
import { fromGraph, utcOf } from '../../neo4j/values';
import { providerRecord } from '../../contract/records/provider';
import {
  type DataSourceOfProvider,
  type Stored,
  toDataSource,
} from '../../graph/records/provider-record';

/** The labels that hold what SCIM calls users and groups. */
export type DirectoryLabel = 'IdpUser' | 'IdpGroup';

/** A group by its id and name. */
export interface GroupOf {
  readonly id: string;
  readonly name: string;
}

/** A user or group as the graph holds it. */
export interface StoredResource {
  readonly key: string;
  /** Its id: `identity`, or else `name`. */
  readonly id: string;
  readonly identity: string | null;
  readonly properties: Readonly<Record<string, unknown>>;
  /** RFC 3339. */
  readonly since: string;
  /** RFC 3339. */
  readonly changed: string;
  /** The groups that it is a direct member of. */
  readonly groups: readonly GroupOf[];
}

/** A member of a group, or somebody who may become one. */
export interface MemberResource {
  readonly kind: 'User' | 'Group';
  readonly id: string;
  readonly identity: string | null;
  readonly name: string;
}

const KINDS: Readonly<Record<DirectoryLabel, NodeKind>> = { IdpUser, IdpGroup };

interface ResourceRecord {
  readonly properties: Stored;
  readonly groups: readonly (readonly [string, string])[];
  readonly [key: string]: unknown;
}

interface MemberRecord {
  readonly key: string;
  readonly id: string;
  readonly identity: string | null;
  readonly name: string;
  readonly is_user: boolean;
  readonly [key: string]: unknown;
}

const toResource = (stored: Stored, groups: ResourceRecord['groups']): StoredResource => {
  const properties = fromGraph(stored);
  const {
    key,
    identity = null,
    name,
  } = properties as unknown as {
    key: string;
    identity?: string | null;
    name: string;
  };
  return {
    key,
    identity,
    id: identity ?? name,
    properties,
    since: utcOf(properties.since) ?? '',
    changed: utcOf(properties.changed) ?? '',
    groups: groups.map(([id, groupName]) => ({ id, name: groupName })),
  };
};

/** The directory of the graph. Each of its answers may last `seconds`; any time if unset. */
export const graphDirectory = (graph: Graph, seconds?: number) => {
  const options = { ...LATEST, ...(seconds !== undefined && { timeoutSeconds: seconds }) };
  const prefix = (label: DirectoryLabel, source: string): string => `${source}|${keyStart(label)}`;
  const resources = (
    statement: string,
    parameters: Readonly<Record<string, unknown>>,
  ): TaskEither<Failure, readonly StoredResource[]> =>
    inTransaction(graph, options, async (tx) =>
      (await tx.run<ResourceRecord>(statement, parameters)).records.map((record) =>
        toResource(record.get('properties'), record.get('groups')),
      ),
    );
  return {
    /** A data source with its provider; null if there is none. */
    source: (id: string): TaskEither<Failure, DataSourceOfProvider | null> =>
      inTransaction(graph, options, async (tx) => {
        const { records } = await tx.run<{ provider: Stored; source: Stored }>(SCIM_SOURCE, {
          source: id,
        });
        const [record] = records;
        if (record === undefined) return null;
        const provider = providerRecord.read(record.get('provider'));
        return { provider, dataSource: toDataSource(record.get('source'), provider.id) };
      }),

    /** Users or groups by their ids; unknown ids give nothing. */
    byIds: (
      label: DirectoryLabel,
      source: string,
      ids: readonly string[],
    ): TaskEither<Failure, readonly StoredResource[]> =>
      resources(SCIM_BY_KEYS, {
        keys: [[...new Set(ids.map((id) => `${source}|${keyOf(label, nfc(id))}`))]],
      }),

    /** Users or groups by a name, in any case. */
    byName: (
      label: DirectoryLabel,
      source: string,
      name: string,
    ): TaskEither<Failure, readonly StoredResource[]> =>
      resources(scimByName(KINDS[label]), { source, name: [fold(name)] }),

    /** Users or groups by an external id. */
    byExternalId: (
      label: DirectoryLabel,
      source: string,
      external: string,
    ): TaskEither<Failure, readonly StoredResource[]> =>
      resources(SCIM_BY_EXTERNAL_ID, {
        prefix: prefix(label, source),
        external: [external],
      }),

    count: (label: DirectoryLabel, source: string): TaskEither<Failure, number> =>
      inTransaction(graph, options, async (tx) => {
        const { records } = await tx.run(SCIM_COUNT, {
          prefix: prefix(label, source),
        });
        return Number(records[0]?.get('total') ?? 0);
      }),

    /** Some users or groups in the order of their keys. */
    page: (
      label: DirectoryLabel,
      source: string,
      skip: number,
      most: number,
    ): TaskEither<Failure, readonly StoredResource[]> =>
      resources(SCIM_PAGE, {
        prefix: prefix(label, source),
        skip: neo4j.int(skip),
        most: neo4j.int(most),
      }),

    /** Users or groups after a key, in the order of keys. */
    after: (
      label: DirectoryLabel,
      source: string,
      key: string,
      most: number,
    ): TaskEither<Failure, readonly StoredResource[]> =>
      resources(SCIM_AFTER, {
        prefix: prefix(label, source),
        after: [key],
        most: neo4j.int(most),
      }),

    /** The direct members of groups, by the keys of the groups. */
    members: (
      keys: readonly string[],
    ): TaskEither<Failure, ReadonlyMap<string, readonly MemberResource[]>> =>
      inTransaction(graph, options, async (tx) => {
        const members = new Map<string, MemberResource[]>(keys.map((key) => [key, []]));
        const { records } = await tx.run<MemberRecord>(SCIM_MEMBERS, { keys: [[...keys]] });
        for (const record of records) {
          members.get(record.get('key'))?.push({
            kind: record.get('is_user') ? 'User' : 'Group',
            id: record.get('id'),
            identity: record.get('identity'),
            name: record.get('name'),
          });
        }
        return members;
      }),

    /** How many direct members groups have, by their keys. */
    memberCounts: (keys: readonly string[]): TaskEither<Failure, ReadonlyMap<string, number>> =>
      inTransaction(graph, options, async (tx) => {
        const { records } = await tx.run(SCIM_MEMBER_COUNTS, { keys: [[...keys]] });
        return new Map(
          records.map((record) => [String(record.get('key')), Number(record.get('members'))]),
        );
      }),

    /** Groups that wait for a member of this id. */
    waitingFor: (source: string, member: string): TaskEither<Failure, readonly StoredResource[]> =>
      resources(SCIM_WAITING, { prefix: prefix('IdpGroup', source), member: [member] }),
  };
};

/** The users and groups of the data sources of identity providers. */
export type Directory = ReturnType<typeof graphDirectory>;
