const { default: Sequencer } = require('@jest/test-sequencer');

/** The random sequences of pushes: whoever changes a rule wants to know of them first. */
const FIRST = /test.property.(increments|full-push|interleavings)/;

/** Jest's own order, but what takes longest and finds most comes first, also where no run before tells how long anything takes. */
module.exports = class PushesFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isFirst = ({ path }) => FIRST.test(path);
    return [...sorted.filter(isFirst), ...sorted.filter((test) => !isFirst(test))];
  }
};
