import { text } from '../../model/table';

/** Properties that every row of an HR system gets from the system and the top of the payload. */
export const ofSystem = {
  system: text('Name of the HR system.', 'structure'),
  hris_type: text('Type of the HR system.', 'structure'),
};
