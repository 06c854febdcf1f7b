import { badField, type Failure } from '../../problem';

/** The refusal of an upload that does not exist, or exists no longer. */
export const unknownUpload = badField(
  '/upload_id',
  'UNKNOWN_UPLOAD',
  'is no upload of this data source, or one older than an hour',
);

/** The refusal of a request to complete an upload that ended while the request waited. */
export const uploadEnded: Failure = {
  _tag: 'Conflict',
  message:
    'The upload has ended in the meantime: another request completed it, or it is older than an hour. The pushes of the data source show how it ended.',
};
