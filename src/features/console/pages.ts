import type { Page } from './frame/page';
import { find } from './pages/find';
import { mine, mineWhy } from './pages/mine';
import { person } from './pages/person';
import { resource } from './pages/resource';
import { why } from './pages/why';

/** The pages of the console. A new page is its file and a line here. */
export const pages: readonly Page[] = [find, person, resource, why, mine, mineWhy];
