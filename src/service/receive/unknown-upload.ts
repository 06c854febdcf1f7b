import { badField } from '../../problem';

/** The refusal of an upload that does not exist, or exists no longer. */
export const unknownUpload = badField(
  '/upload_id',
  'UNKNOWN_UPLOAD',
  'is no upload of this data source, or one older than an hour',
);
