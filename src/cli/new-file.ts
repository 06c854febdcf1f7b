import { access } from 'node:fs/promises';

import { WrongUsage } from './context';

/** Refuses to write over a file. */
export const requireNewFile = async (file: string): Promise<void> => {
  const isThere = await access(file).then(
    () => true,
    () => false,
  );
  if (isThere) throw new WrongUsage(`${file} exists already: name a new file.`);
};
