import type { DataSourceOfProvider } from '../../graph/records/provider-record';
import type { CsvPlaces } from '../../csv/places';
import type { ProblemList } from '../../problem';
import type { Actor } from '../../graph/records/event-record';
import type { UploadOf } from '../graph/uploads';

/** What the service knows of a push in addition to its payload. */
export interface PushIntent {
  readonly source: DataSourceOfProvider;
  readonly requestId: string;
  /** The owner of the key that pushes. */
  readonly by?: Actor;
  /** The digest by which the sender confirms the removal (docs/rules.md: Removal guard). */
  readonly confirmedRemoval: string | null;
  /**
   * The digest that the data source must still have, because the push was made from that state. Any
   * digest if unset.
   */
  readonly onDigest?: string | null;
  /** How many seconds the earlier steps lasted. */
  readonly seconds: Readonly<Record<string, number>>;
}

/** A payload pushed to a data source (docs/rules.md: Requests). */
export interface PayloadPush extends PushIntent {
  /** The text of the payload. */
  readonly json: string;
  /** The upload that brought the payload. It ends with the transaction of the push. */
  readonly upload?: UploadOf;
  /** From where in a CSV file each part of the payload comes. */
  readonly places?: Pick<CsvPlaces, 'placed'>;
  /** Why a CSV file became no payload; the text is empty then. */
  readonly faults?: ProblemList;
}

/** The target of a push: a data source and its provider. */
export type PushTarget = PushIntent['source'];
