const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

/**
 * A reporter for Jest. It prints the time of each suite, slowest first. It writes the counts to the
 * file that TEST_COUNTS names; `scripts/run.mjs` prints the closing line from it after all servers
 * have stopped.
 */
module.exports = class SuiteTimes {
  onRunComplete(_contexts, results) {
    const suites = results.testResults
      .map(({ testFilePath, perfStats }) => ({
        name: relative(process.cwd(), testFilePath),
        seconds: (perfStats.end - perfStats.start) / 1000,
      }))
      .sort((a, b) => b.seconds - a.seconds);
    const lines = suites.map(({ name, seconds }) => `${seconds.toFixed(1).padStart(8)} s  ${name}`);
    process.stderr.write(['', 'Time of each suite:', ...lines, ''].join('\n'));
    const file = process.env.TEST_COUNTS;
    if (file === undefined) return;
    const counts = {
      passed: results.numPassedTests,
      // A suite that does not load counts as one failure.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
    };
    writeFileSync(file, JSON.stringify(counts));
  }
};
