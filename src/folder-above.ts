import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';

/**
 * The nearest folder at or above `place` that holds `name`; `null` if there is none. So the
 * compiled program finds its files both in a checkout and in the image, where they are in `dist`.
 */
export const folderAbove = (place: string, name: string): string | null => {
  if (existsSync(join(place, name))) return place;
  const above = dirname(place);
  return above === place ? null : folderAbove(above, name);
};
