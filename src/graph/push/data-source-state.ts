import { Instant } from '../../model/instant';
import type { Template } from '../../templates/templates';
import type { PayloadTypes } from '../../rows/row/payload-types';
import { READ_DATA_SOURCE } from '../../translate/records/data-source-statements';
import type { Runner } from '../connection/transaction';
import { fromGraph } from '../connection/values';
import { type PendingPush, toPendingPush } from './chunked-push-locks';

/** What a data source says of itself, read under its lock. */
export interface DataSourceState {
  readonly id: string;
  readonly name: string;
  readonly status: string;
  /** `null` before the first push. */
  readonly digest: string | null;
  readonly rulesVersion: number | null;
  /** How many it holds. */
  readonly rows: number;
  /** Definitions of custom properties of its newest full push and the increments since, as JSON. */
  readonly definitions: string | null;
  /** Names of custom and dynamic properties that its pushes ever brought; `null` where an earlier release has not counted them. */
  readonly propertyNames: readonly string[] | null;
  /** Types of the same pushes. */
  readonly types: PayloadTypes;
  /** Whether those increments have added to definitions or types. */
  readonly remembersMore: boolean;
  readonly lastPushAt: Instant | null;
  /** Whether somebody lets the next push past the removal guard (docs/rules.md: Removal guard). */
  readonly isRemovalAllowed: boolean;
  /** The large push to it that is not finished. */
  readonly pending: PendingPush | null;
  /** The chunked push that failed and left some of its rows: nobody knows what stands until the next full push. */
  readonly halfWrittenBy: string | null;
  readonly provider: {
    readonly id: string;
    readonly name: string;
    readonly template: Template;
    readonly state: string;
  };
}

/** Whether what is recorded of a data source is what stands: not so while a large push is applied, nor after one that failed. */
export const isSettled = ({
  pending,
  halfWrittenBy,
}: Pick<DataSourceState, 'pending' | 'halfWrittenBy'>): boolean =>
  pending === null && halfWrittenBy === null;

/** The data source is gone. */
export class DataSourceGone extends Error {}

type Stored = Readonly<Record<string, unknown>>;

/** What a data source says of itself; rejects with `DataSourceGone`. */
export const readState = async (tx: Runner, dataSource: string): Promise<DataSourceState> => {
  const { records } = await tx.run<{
    source: Stored;
    provider: Stored;
    large: Stored | null;
    removal_allowed: boolean;
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
    propertyNames: Array.isArray(source.property_names) ? list(source.property_names) : null,
    types: {
      application_types: list(source.application_types),
      resource_types: list(source.resource_types),
      idp_types: list(source.idp_types),
    },
    remembersMore: source.remembers_more === true,
    lastPushAt: source.last_push_at instanceof Instant ? source.last_push_at : null,
    isRemovalAllowed: record.get('removal_allowed'),
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
