import type { OverQuota, UploadQuota } from '../graph/uploads';
import type { Failure } from '../../problem';

const RETRY_SECONDS = 60;

/**
 * The refusal of an upload or a part that exceeds a quota. The message names the limit and says
 * what to do.
 */
export const overQuota = (quota: UploadQuota, { over }: OverQuota): Failure => {
  const most = quota[over];
  const message = {
    ofDataSource: `The data source has ${most} open uploads, and may have no more: complete one, or wait until one is an hour old.`,
    ofProvider: `The data sources of the provider have ${most} open uploads, and may have no more: complete one, or wait until one is an hour old.`,
    inAll: `There are ${most} open uploads, and may be no more: try again when others are complete, or an hour old.`,
    bytesOfDataSource: `The open uploads of the data source may hold ${most} bytes together: complete one, or wait until one is an hour old.`,
    bytesOfProvider: `The open uploads of the provider's data sources may hold ${most} bytes together: complete one, or wait until one is an hour old.`,
    bytesInAll: `All open uploads may hold ${most} bytes together: try again when others are complete, or an hour old.`,
  }[over];
  return { _tag: 'Exhausted', message, retryAfterSeconds: RETRY_SECONDS };
};
