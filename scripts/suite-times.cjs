const { readdirSync, readFileSync, writeFileSync } = require('node:fs');
const { relative } = require('node:path');

const MOST_MS = 300_000;
/** In how many parts Linux counts a processor second. */
const TICKS = 100;

const failIfAlive = () => {
  const open = process.getActiveResourcesInfo().join(', ');
  process.stderr.write(`A test has left something open: ${open}.\n`);
  process.exit(1);
};

/** All processes of this machine, as Linux lists them; none on other systems. */
const processes = () => {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => {
        try {
          const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
          const [, name = '', rest = ''] = /\((.*)\) (.*)/s.exec(text) ?? [];
          const [, parent, ...more] = rest.split(' ');
          const [own, ofSystem, ended, endedOfSystem] = more.slice(9, 13).map(Number);
          const seconds = (own + ofSystem + ended + endedOfSystem) / TICKS;
          return [{ pid: Number(pid), parent: Number(parent), name, seconds }];
        } catch {
          // It has ended meanwhile.
          return [];
        }
      });
  } catch {
    return [];
  }
};

/** The processor seconds of this process and of all that it started, and those of Java among them. */
const processorSeconds = () => {
  const all = processes();
  const family = new Set([process.pid]);
  for (let size = 0; size < family.size;) {
    size = family.size;
    for (const { pid, parent } of all) if (family.has(parent)) family.add(pid);
  }
  const members = all.filter(({ pid }) => family.has(pid));
  const sum = (some) => some.reduce((total, { seconds }) => total + seconds, 0);
  return { all: sum(members), java: sum(members.filter(({ name }) => name === 'java')) };
};

const inColumn = (number) => (number === undefined ? '' : number.toFixed(1)).padStart(8);

/**
 * A reporter for Jest. It prints the time of each suite, slowest first, with the processor seconds
 * of all processes and of Java while it ran, where no other suite of this run ran at that time. It
 * writes the counts to the file that TEST_COUNTS names; `scripts/run.mjs` prints the closing line
 * from it after all servers have stopped. A run that a test keeps alive, by a server or connection
 * that it left open, fails after five minutes; otherwise it would never end.
 */
module.exports = class SuiteTimes {
  running = new Map();
  used = new Map();

  onTestFileStart({ path }) {
    this.running.set(path, this.running.size === 0 ? processorSeconds() : undefined);
    // Nobody can say whose seconds they are.
    if (this.running.size > 1) for (const one of this.running.keys()) this.running.set(one);
  }

  onTestFileResult({ path }) {
    const before = this.running.get(path);
    this.running.delete(path);
    if (before === undefined || before.all === 0) return;
    const after = processorSeconds();
    this.used.set(path, { all: after.all - before.all, java: after.java - before.java });
  }

  onRunComplete(_contexts, results) {
    const suites = results.testResults
      .map(({ testFilePath, perfStats }) => ({
        name: relative(process.cwd(), testFilePath),
        seconds: (perfStats.end - perfStats.start) / 1000,
        ...this.used.get(testFilePath),
      }))
      .sort((a, b) => b.seconds - a.seconds);
    const lines = suites.map(
      ({ name, seconds, all, java }) => `${[seconds, all, java].map(inColumn).join('')}  ${name}`,
    );
    const heading = 'Each suite: seconds, processor seconds, those of Java among them';
    const ofJava = [...this.used.values()].reduce((total, { java }) => total + java, 0);
    const sum = `All: ${processorSeconds().all.toFixed(0)} processor seconds, ${ofJava.toFixed(0)} of Java in suites`;
    process.stderr.write(['', heading, ...lines, sum, ''].join('\n'));
    setTimeout(failIfAlive, MOST_MS).unref();
    const file = process.env.TEST_COUNTS;
    if (file === undefined) return;
    const counts = {
      passed: results.numPassedTests,
      // A suite that does not load counts as one failure.
      failed: results.numFailedTests + results.numRuntimeErrorTestSuites,
      skipped: results.numPendingTests + results.numTodoTests,
      // Runs that share the suites have only some of them each.
      suites: results.testResults.length,
      allSuites: results.numTotalTestSuites,
    };
    writeFileSync(file, JSON.stringify(counts));
  }
};
