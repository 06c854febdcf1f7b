export { consoleErrors } from './frame/error-page';
