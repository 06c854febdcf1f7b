/* What a filter of a search means in the graph, for features that select people. */

export { type Meaning, searchMeanings } from './search-meaning';
