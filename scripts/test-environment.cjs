const { TestEnvironment } = require('jest-environment-node');

/**
 * Jest's environment for Node, in which one kind of stack trace is not looked up in source maps. The
 * driver reads a trace for each statement that it sends, in case the statement fails. To look up its
 * frames took a tenth of the processor seconds of suites that talk to Neo4j. So these frames have the
 * places of the compiled code. All other traces are as Jest writes them.
 */
module.exports = class QuickTraces extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global.Error.prepareStackTrace = (error, frames) =>
      frames[0]?.getFunctionName() === 'captureStacktrace' || Error.prepareStackTrace === undefined
        ? [String(error), ...frames.map((frame) => `    at ${String(frame)}`)].join('\n')
        : Error.prepareStackTrace(error, frames);
  }
};
