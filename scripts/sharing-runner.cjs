const { createHash } = require('node:crypto');
const { closeSync, openSync } = require('node:fs');
const { join } = require('node:path');
const { default: TestRunner } = require('jest-runner');
const neo4j = require('neo4j-driver');
const { clearGraph, endTransactions } = require('../test/support/clear-graph.cjs');

/** Where runs of Jest that share the suites say which they took. Undefined: one run has them all. */
const { TEST_CLAIMS } = process.env;

/** Takes a suite for this run, by making its file. Returns false if another run has it. */
const takes = ({ path }) => {
  try {
    const name = createHash('sha256').update(path).digest('hex');
    closeSync(openSync(join(TEST_CLAIMS, name), 'wx'));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
    return false;
  }
};

/** Empties the Neo4j that `test/support/neo4j.ts` announced, and ends what the suite before left running there. */
const emptied = async () => {
  const { uri, user, password, database } = JSON.parse(process.env.TEST_NEO4J);
  const driver = neo4j.driver(uri, password && neo4j.auth.basic(user, password));
  try {
    await endTransactions(driver, database);
    await clearGraph(driver, database);
  } finally {
    await driver.close();
  }
};

/**
 * Jest's own runner, one suite at a time.
 *
 * - Runs of Jest that share the suites take the next one each, so that all end at about the same time.
 *   `scripts/run.mjs` fails if they did not have all suites together.
 * - A suite of a project with `globals.sharesNeo4j` begins with an empty graph, in which nobody works, whatever suite
 *   ran before it.
 */
module.exports = class SharingRunner extends TestRunner {
  isSerial = true;

  async runTests(tests, watcher, options) {
    for (const test of tests) {
      if (watcher.isInterrupted()) return;
      if (TEST_CLAIMS !== undefined && !takes(test)) continue;
      if (test.context.config.globals.sharesNeo4j) await emptied();
      await super.runTests([test], watcher, options);
    }
  }
};
