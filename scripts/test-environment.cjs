const { AsyncLocalStorage } = require('node:async_hooks');
const { TestEnvironment } = require('jest-environment-node');

/** The storages that this suite has used. */
const used = new Set();

for (const name of ['run', 'enterWith']) {
  const method = AsyncLocalStorage.prototype[name];
  AsyncLocalStorage.prototype[name] = function (...args) {
    used.add(this);
    return method.apply(this, args);
  };
}

/**
 * Jest's environment for Node, with two differences.
 *
 * Node copies each storage that was ever used to every promise from then on, for good. Each suite
 * loads the modules again, and so has storages of its own. After a hundred suites that took an eighth
 * of the processor seconds, and all modules of all suites stayed in memory. So the storages of a suite
 * end with it.
 *
 * One kind of stack trace is not looked up in source maps. The driver reads a trace for each statement
 * that it sends, in case the statement fails. To look up its frames took a tenth of the processor
 * seconds of suites that talk to Neo4j. So these frames have the places of the compiled code. All other
 * traces are as Jest writes them.
 */
module.exports = class Environment extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global.Error.prepareStackTrace = (error, frames) =>
      frames[0]?.getFunctionName() === 'captureStacktrace' || Error.prepareStackTrace === undefined
        ? [String(error), ...frames.map((frame) => `    at ${String(frame)}`)].join('\n')
        : Error.prepareStackTrace(error, frames);
  }

  async teardown() {
    for (const storage of used) storage.disable();
    used.clear();
    await super.teardown();
  }
};
