const { writeFileSync } = require('node:fs');
const { relative } = require('node:path');

const MOST_MS = 60_000;

const failIfAlive = () => {
  const open = process.getActiveResourcesInfo().join(', ');
  process.stderr.write(`A test has left something open: ${open}.\n`);
  process.exit(1);
};

/**
 * A reporter for Jest. It prints the time of each suite, slowest first. It writes the counts to the
 * file that TEST_COUNTS names; `scripts/run.mjs` prints the closing line from it after all servers
 * have stopped. A run that a test keeps alive, by a server or connection that it left open, fails
 * after a minute; otherwise it would never end.
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
    setTimeout(failIfAlive, MOST_MS).unref();
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
