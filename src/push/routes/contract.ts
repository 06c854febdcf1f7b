/* The pushes to a data source, as the interface answers them. */

export { pushAnswers, pushTable } from './push-record-routes';

/* Pushes of files that people send, run as the interface runs pushes. */

export { type FilePush, planFile, type PlannedFile, pushFile } from './file-push';
