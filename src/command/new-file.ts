import { access } from 'node:fs/promises';
import { dirname } from 'node:path';

import { WrongUsage } from './context';

/** Refuses to write over a file, or into a folder that does not exist. */
export const requireNewFile = async (file: string): Promise<void> => {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new WrongUsage(`${file} exists already: name a new file.`);
  await access(dirname(file)).catch(() => {
    throw new WrongUsage(`There is no folder ${dirname(file)}: create it first.`);
  });
};
