const { default: Sequencer } = require('@jest/test-sequencer');

/** The random sequences of pushes. They find faults in rules first. */
const FIRST = /test.property.(increments|full-push|interleavings)/;

/**
 * Jest's own order, with the random sequences in front. They take longest, and without a run before
 * Jest does not know how long each suite takes.
 */
module.exports = class PushesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isFirst = ({ path }) => FIRST.test(path);
    return [...sorted.filter(isFirst), ...sorted.filter((test) => !isFirst(test))];
  }
};
