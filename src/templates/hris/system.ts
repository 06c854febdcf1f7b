import { text } from '../../model/table';

/** Properties that all rows of an HR system have from elsewhere in the payload. */
export const ofSystem = {
  system: text('Name of the HR system.'),
  hris_type: text('Type of the HR system.'),
};
