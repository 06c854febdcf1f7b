// The driver reads a stack trace for each statement that it sends. Jest then looks up the sources of
// each frame, which needs a seventh of the processor seconds of a suite that talks to Neo4j. So those
// traces have no frames here. All others, such as those of failed tests, are as usual.
const usual = Error.prepareStackTrace?.bind(Error);
Error.prepareStackTrace = (error, frames): unknown =>
  frames[0]?.getFunctionName() === 'captureStacktrace'
    ? error.message
    : (usual?.(error, frames) ?? error.message);
