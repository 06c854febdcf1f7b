import { features } from '../../src/features';
import { pages } from '../../src/features/console/pages';

/** The pages of the console, with those of other features. */
export const allPages = [...pages, ...features.flatMap(({ pages: own = [] }) => own)];
