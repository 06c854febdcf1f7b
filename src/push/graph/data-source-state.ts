import { Instant } from '../../model/instant';
import type { Template } from '../../templates/templates';
import type { PayloadTypes } from '../../rows/row/payload-types';
import { READ_DATA_SOURCE } from '../../graph/statements/data-source-statements';
import type { Runner } from '../../neo4j/transaction';
import { fromGraph } from '../../neo4j/values';
import { type PendingPush, toPendingPush } from './chunked-push-locks';

/** The state of a data source, read under its lock. */
export interface DataSourceState {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** `null` before the first push. */
  readonly digest: string | null;
  readonly rulesVersion: number | null;
  /** How many rows the data source holds. */
  readonly rows: number;
  /**
   * Definitions of custom properties from the newest full push and the increments after it, as
   * JSON.
   */
  readonly definitions: string | null;
  /** Names of custom and dynamic properties that pushes to the data source ever brought. */
  readonly propertyNames: readonly string[];
  /** Types from the newest full push and the increments after it. */
  readonly types: PayloadTypes;
  /** Whether these increments have added definitions or types. */
  readonly remembersMore: boolean;
  readonly lastPushAt: Instant | null;
  /**
   * Whether somebody allows the next push to pass the removal guard (docs/rules.md: Removal guard).
   */
  readonly isRemovalAllowed: boolean;
  /** Whether a person was ever erased (docs/rules.md: Erasing a person). */
  readonly hasErased: boolean;
  /** The unfinished chunked push to the data source. */
  readonly pending: PendingPush | null;
  /**
   * The chunked push that failed and left only some of its rows. Until the next full push, the
   * recorded digest and number of rows are wrong.
   */
  readonly halfWrittenBy: string | null;
  readonly provider: {
    readonly id: string;
    readonly name: string;
    readonly template: Template;
    readonly state: string;
  };
}

/**
 * Whether the recorded digest and number of rows are those of the current rows. They are not while
 * a chunked push is unfinished, nor after one that failed.
 */
export const isSettled = ({
  pending,
  halfWrittenBy,
}: Pick<DataSourceState, 'pending' | 'halfWrittenBy'>): boolean =>
  pending === null && halfWrittenBy === null;

/** The data source is gone. */
export class DataSourceGone extends Error {}

type Stored = Readonly<Record<string, unknown>>;

/** Reads the state of a data source. Rejects with `DataSourceGone`. */
export const readState = async (tx: Runner, dataSource: string): Promise<DataSourceState> => {
  const { records } = await tx.run<{
    source: Stored;
    provider: Stored;
    large: Stored | null;
    removal_allowed: boolean;
    has_erased: boolean;
  }>(READ_DATA_SOURCE, { data_source: dataSource });
  const [record] = records;
  if (record === undefined) throw new DataSourceGone();
  const source = fromGraph(record.get('source'));
  const provider = fromGraph(record.get('provider'));
  const text = (value: unknown): string | null => (typeof value === 'string' ? value : null);
  const required = (value: unknown): string => text(value) ?? '';
  const list = (value: unknown): readonly string[] =>
    Array.isArray(value) ? (value as string[]) : [];
  return {
    id: dataSource,
    name: required(source.name),
    status: text(source.status) ?? 'PENDING',
    digest: text(source.digest),
    rulesVersion: typeof source.rules_version === 'number' ? source.rules_version : null,
    rows: typeof source.rows === 'number' ? source.rows : 0,
    definitions: text(source.definitions),
    propertyNames: list(source.property_names),
    types: {
      application_types: list(source.application_types),
      resource_types: list(source.resource_types),
      idp_types: list(source.idp_types),
    },
    remembersMore: source.remembers_more === true,
    lastPushAt: source.last_push_at instanceof Instant ? source.last_push_at : null,
    isRemovalAllowed: record.get('removal_allowed'),
    hasErased: record.get('has_erased'),
    pending: toPendingPush(record.get('large')),
    halfWrittenBy: text(source.half_written_by),
    provider: {
      id: required(provider.id),
      name: required(provider.name),
      template: provider.custom_template as Template,
      state: required(provider.state),
    },
  };
};
