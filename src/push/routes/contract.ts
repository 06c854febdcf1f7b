/* The pushes to a data source, as the interface answers them. */

export { pushAnswers, pushTable } from './push-record-routes';
