import { badField } from '../../problem';

/** What is answered of an upload that is not, or no more. */
export const unknownUpload = badField(
  '/upload_id',
  'UNKNOWN_UPLOAD',
  'is no upload of this data source, or one older than an hour',
);
