import { nfc } from '../../model/fold';
import { keyOf, keyStart } from '../../model/key';
import {
  STANDING_ACCOUNT_IDS,
  STANDING_ACCOUNTS,
  STANDING_GROUP_IDS,
  STANDING_GROUPS,
} from '../import/statements';
import type { Graph } from '../../neo4j/driver';
import { LATEST, runTransaction } from '../../neo4j/transaction';

/** A group as the graph holds it: ids of the groups that it is in, and of its members. */
export interface ExistingGroup {
  readonly groups: ReadonlySet<string>;
  readonly accounts: ReadonlySet<string>;
  readonly members: ReadonlySet<string>;
}

/** The ids of all imported accounts and groups. */
export interface ExistingIds {
  readonly accounts: readonly string[];
  readonly groups: readonly string[];
  /** Whether any account is in a group. */
  readonly areMembers: boolean;
}

type Row = Readonly<Record<'id' | 'groups' | 'accounts' | 'members', unknown>>;

const AT_ONCE = 1_000;

const ids = (value: unknown): ReadonlySet<string> =>
  new Set((value as readonly unknown[]).filter((id) => typeof id === 'string'));

/** Reads what exists of an application of a data source. */
export const graphImportedAccounts = (graph: Graph, dataSource: string, application: string) => {
  const read = async (
    statement: string,
    label: string,
    wanted: readonly string[],
  ): Promise<readonly Row[]> => {
    const keys = wanted.map((id) => `${dataSource}|${keyOf(label, nfc(application), nfc(id))}`);
    const rows: Row[] = [];
    for (let from = 0; from < keys.length; from += AT_ONCE) {
      const some = keys.slice(from, from + AT_ONCE);
      const { records } = await runTransaction(graph, LATEST, (tx) =>
        tx.run(statement, { keys: [some] }),
      );
      rows.push(...records.map((record) => record.toObject() as Row));
    }
    return rows;
  };
  return {
    /** All that was imported. */
    all: (): Promise<ExistingIds> =>
      runTransaction(graph, LATEST, async (tx) => {
        const prefix = (label: string): string => `${dataSource}|${keyStart(label)}`;
        const [users] = (await tx.run(STANDING_ACCOUNT_IDS, { prefix: prefix('LocalUser') }))
          .records;
        const [groups] = (await tx.run(STANDING_GROUP_IDS, { prefix: prefix('LocalGroup') }))
          .records;
        return {
          accounts: [...ids(users?.get('ids') ?? [])],
          groups: [...ids(groups?.get('ids') ?? [])],
          areMembers: users?.get('are_members') === true,
        };
      }),
    /** For each account the groups that it is in. */
    accounts: async (
      wanted: readonly string[],
    ): Promise<ReadonlyMap<string, ReadonlySet<string>>> =>
      new Map(
        (await read(STANDING_ACCOUNTS, 'LocalUser', wanted)).map(({ id, groups }) => [
          String(id),
          ids(groups),
        ]),
      ),
    groups: async (wanted: readonly string[]): Promise<ReadonlyMap<string, ExistingGroup>> =>
      new Map(
        (await read(STANDING_GROUPS, 'LocalGroup', wanted)).map((row) => [
          String(row.id),
          { groups: ids(row.groups), accounts: ids(row.accounts), members: ids(row.members) },
        ]),
      ),
  };
};

/** What the graph holds of imported accounts and groups, by their ids in the application. */
export type ImportedAccounts = ReturnType<typeof graphImportedAccounts>;
