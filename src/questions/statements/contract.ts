/* The Cypher of questions that the kit of saved queries shows. */

export { PERMISSIONS_BETWEEN } from './access-pages';
export { accessFound, accessOf, accessTo } from './access-statements';
