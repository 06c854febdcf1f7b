import { Instant } from '../../model/instant';
import type { Template } from '../../templates/templates';
import { fromGraph } from '../connection/values';

/** A registered provider, as clients see it (docs/rules.md: Requests). */
export interface Provider {
  readonly id: string;
  readonly name: string;
  readonly custom_template: Template;
  readonly state: 'ENABLED' | 'DISABLED' | 'DELETING';
  readonly application_types: readonly string[];
  readonly resource_types: readonly string[];
  readonly idp_types: readonly string[];
  readonly external_lifecycle_management_type: string | null;
  readonly provisioning: boolean;
  /** Base64 of the JSON that the registration sent, or of `{}`. */
  readonly schema_definition_json: string;
}

/** The fields of a provider that a client may change. Absent fields stay as they are. */
export type ProviderChanges = Partial<
  Pick<Provider, 'provisioning' | 'external_lifecycle_management_type'>
>;

/** The icon of a provider. */
export interface Icon {
  readonly mediaType: 'image/png' | 'image/svg+xml';
  /** Base64 without line breaks. */
  readonly base64: string;
}

/** A data source, as clients see it (docs/rules.md: Requests). */
export interface DataSource {
  readonly id: string;
  readonly name: string;
  readonly status: 'PENDING' | 'SUCCESS' | 'ERROR' | 'DELETING';
  readonly provider_id: string;
  /** The id of the newest accepted push; `null` before the first one. */
  readonly last_push: string | null;
  readonly last_push_at: string | null;
  /** How many rows the data source holds. */
  readonly rows: number;
  readonly digest: string | null;
  /** The progress of the chunked push that the service is applying; `null` if there is none. */
  readonly pending: {
    readonly push: string;
    /**
     * How many nodes and relationships the chunked push writes in total, and how many are written.
     */
    readonly total: number;
    readonly done: number;
  } | null;
}

/** What identifies the text of a payload. */
export interface KnownText {
  /**
   * SHA-256 of the request body that brought it, in hexadecimal; `''` if an earlier release stored
   * it.
   */
  readonly request: string;
  /** SHA-256 of the text, in hexadecimal. */
  readonly sha256: string;
  /** The length of the text in UTF-16 code units. */
  readonly characters: number;
}

/** A data source and its provider. */
export interface DataSourceOfProvider {
  readonly provider: Provider;
  readonly dataSource: DataSource;
  /** The text of its newest full payload, if the service remembers it. */
  readonly payload?: KnownText;
}

/** Properties as Neo4j returns them. */
export type Stored = Readonly<Record<string, unknown>>;

/** The schema definition of a provider that was registered without one. */
export const NO_SCHEMA_DEFINITION = Buffer.from('{}').toString('base64');

/** Turns the properties of a provider's node into a provider. */
export const toProvider = (stored: Stored): Provider => {
  const {
    id,
    name,
    custom_template,
    state = 'ENABLED',
    application_types = [],
    resource_types = [],
    idp_types = [],
    external_lifecycle_management_type = null,
    provisioning = false,
    schema_definition_json = NO_SCHEMA_DEFINITION,
  } = stored as Partial<Provider> & Pick<Provider, 'id' | 'name' | 'custom_template'>;
  return {
    id,
    name,
    custom_template,
    state,
    application_types,
    resource_types,
    idp_types,
    external_lifecycle_management_type,
    provisioning,
    schema_definition_json,
  };
};

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
