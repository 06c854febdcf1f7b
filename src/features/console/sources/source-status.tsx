import type { JSX } from 'preact';

import type { DataSource } from '../../../contract/answers/registry';

/** What the status of a data source means. */
export const STATUS: Readonly<Record<DataSource['status'], string>> = {
  PENDING: 'waits for its first push',
  SUCCESS: 'newest push accepted',
  ERROR: 'newest push refused',
  DELETING: 'is being deleted',
};

/** How the newest push to a data source ended, and how far one has come that is being applied. */
export const SourceStatus = ({
  of: { status, pending },
}: {
  readonly of: Pick<DataSource, 'status' | 'pending'>;
}): JSX.Element =>
  pending === null ? (
    <span class={status === 'ERROR' ? 'loss' : 'quiet'}>{STATUS[status]}</span>
  ) : (
    <span>
      {pending.done.toLocaleString('en')} of {pending.total.toLocaleString('en')} rows are written
    </span>
  );
