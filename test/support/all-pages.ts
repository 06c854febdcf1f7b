import { features } from '../../src/features';
import { pagesWith } from '../../src/features/console/pages';

/** The pages of the console, with those of other features. */
export const allPages = [
  ...pagesWith(features.flatMap(({ findings = [] }) => findings)),
  ...features.flatMap(({ pages: own = [] }) => own),
];
