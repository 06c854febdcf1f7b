import { errorsAsPages } from './frame/error-page';
import { pages } from './pages';

/** The errors of addresses below `/console`, as pages. */
export const consoleErrors = errorsAsPages(pages);
