const { readFileSync } = require('node:fs');

/**
 * The topic of a suite that `npm run test:more` runs; undefined for one of `npm test`. A suite says it in
 * its first line.
 */
const topicOf = (path) => /^\/\*\* @more ([a-z-]+) \*\/\n/.exec(readFileSync(path, 'utf8'))?.[1];

/**
 * The topic of suites that compare once more, with random values, what others compare. They run by night, and
 * for everybody who names the topic.
 */
const NIGHT = 'night';

/** `first`, or `more` with the topics that somebody wants; all but `night` if none is named. */
const { TEST_PART, TEST_TOPICS = '' } = process.env;
const wanted = TEST_TOPICS.split(' ').filter((topic) => topic !== '');

const isInPart = (path) => {
  const topic = topicOf(path);
  if (TEST_PART === 'first') return topic === undefined;
  if (wanted.length === 0) return topic !== undefined && topic !== NIGHT;
  return topic !== undefined && wanted.includes(topic);
};

/** A filter for Jest (`--filter`): the suites of one part. */
module.exports = (paths) => Promise.resolve({ filtered: paths.filter(isInPart) });
module.exports.topicOf = topicOf;
module.exports.NIGHT = NIGHT;
