// Loaded into the service's process before all else: tells, when it is asked by SIGUSR2, how long its main thread
// has been held at a time since it was last asked.
const { monitorEventLoopDelay } = require('node:perf_hooks');
const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  process.on('SIGUSR2', () => {
    process.stdout.write(`longest block ${Math.round(delay.max / 1e6)} ms\n`);
    delay.reset();
  });
}
