import { savedQueries } from '../../src/kit/saved-queries';
import { fileOf, type SavedQuery } from '../../src/kit/saved-query';
import { sized } from './test-size';

const topicOf = (query: SavedQuery): string => fileOf(query).split('/', 1).join();

/** All saved queries; in the short run one of each topic. */
export const oneOfEachTopic = (): readonly SavedQuery[] => {
  const all = savedQueries();
  const topics = new Map(all.map((query) => [topicOf(query), query]));
  return sized([...topics.values()], all);
};
