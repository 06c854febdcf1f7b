import { type CatalogEntry, entry } from '../../graph/statements/catalog-entry';
import {
  START_UPLOAD,
  OPEN_UPLOADS,
  LOCK_UPLOAD,
  UPLOAD_PARTS,
  KEEP_UPLOAD_PART,
  KEEP_UPLOAD_SLICE,
  UPLOAD_SLICE,
  OPEN_UPLOAD,
  END_UPLOAD,
  RETAIN_UPLOAD,
  OLD_UPLOADS,
  UPLOADS_OF,
  REMOVE_UPLOAD_SLICES,
  REMOVE_UPLOAD_PARTS,
  REMOVE_UPLOAD,
} from '../graph/upload-statements';

/** The statements of multipart uploads. */
export const uploadCatalog = (): readonly CatalogEntry[] => [
  entry('Begin an upload', START_UPLOAD),
  entry('Open uploads', OPEN_UPLOADS),
  entry('Lock an upload', LOCK_UPLOAD),
  entry('Received parts of an upload', UPLOAD_PARTS),
  entry('Keep a part', KEEP_UPLOAD_PART),
  entry('Keep a slice of a part', KEEP_UPLOAD_SLICE),
  entry('A slice of a part', UPLOAD_SLICE),
  entry('Whether an upload is open', OPEN_UPLOAD),
  entry('End an upload', END_UPLOAD),
  entry('Keep an upload until it is ended', RETAIN_UPLOAD),
  entry('Uploads that may be removed', OLD_UPLOADS),
  entry('Uploads of a data source', UPLOADS_OF),
  entry('Remove slices of an upload', REMOVE_UPLOAD_SLICES),
  entry('Remove parts of an upload', REMOVE_UPLOAD_PARTS),
  entry('Remove an upload', REMOVE_UPLOAD),
];
