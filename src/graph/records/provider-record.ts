import type { DataSource } from '../../contract/answers/registry';
import type { Provider } from '../../contract/records/provider';
import { Instant } from '../../model/instant';
import { fromGraph } from '../../neo4j/values';

/** The fields of a provider that a client may change. Absent fields stay as they are. */
export type ProviderChanges = Partial<
  Pick<Provider, 'provisioning' | 'external_lifecycle_management_type'>
>;

/** A data source and its provider. */
export interface DataSourceOfProvider {
  readonly provider: Provider;
  readonly dataSource: DataSource;
  /** SHA-256 of the text of its newest full payload, in hexadecimal, where the service remembers it. */
  readonly payloadSha256?: string;
}

/** Properties as Neo4j returns them. */
export type Stored = Readonly<Record<string, unknown>>;

/** Turns the properties of a data source's node into a data source. */
export const toDataSource = (stored: Stored, provider_id: string): DataSource => {
  const properties = fromGraph(stored);
  const { last_push_at, pending_push: push, pending_total, pending_done } = properties;
  const {
    id,
    name,
    status = 'PENDING',
    last_push = null,
    rows = 0,
    digest = null,
  } = properties as Partial<Omit<DataSource, 'pending'>> & Pick<DataSource, 'id' | 'name'>;
  return {
    id,
    name,
    status,
    provider_id,
    last_push,
    last_push_at: last_push_at instanceof Instant ? last_push_at.utc : null,
    rows,
    digest,
    pending:
      typeof push === 'string'
        ? { push, total: Number(pending_total), done: Number(pending_done) }
        : null,
  };
};
