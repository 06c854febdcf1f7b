// @ts-check
// This process runs between the service and Java. When the service ends, even if it is killed, the
// channel to it closes, and the watcher stops the server. The file is plain JavaScript, so it also
// runs uncompiled.
const { spawn } = require('node:child_process');
const { rmSync } = require('node:fs');
const { constants, setPriority } = require('node:os');

/**
 * @type {{
 *   command: string, args: string[], cwd: string,
 *   graceSeconds: number, removeAfterwards?: string, isInBackground?: boolean,
 * }}
 */
const order = JSON.parse(process.argv[2] ?? '{}');
const { command, args, cwd, graceSeconds, removeAfterwards, isInBackground } = order;

// The server inherits the priority, with all its threads.
if (isInBackground) setPriority(constants.priority.PRIORITY_LOW);
const server = spawn(command, args, { cwd, stdio: ['ignore', 'inherit', 'inherit'] });

let isStopping = false;
function stop() {
  if (isStopping) return;
  isStopping = true;
  server.kill('SIGTERM');
  setTimeout(() => server.kill('SIGKILL'), graceSeconds * 1000);
}

/** @param {object} message */
function tell(message) {
  // If the service is gone, nobody receives the message.
  if (process.connected) process.send?.(message, () => undefined);
}

/** @param {number} code */
function end(code) {
  if (removeAfterwards !== undefined) rmSync(removeAfterwards, { recursive: true, force: true });
  process.exit(code);
}

process.on('message', stop);
process.on('disconnect', stop);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);
server.once('spawn', () => tell({ pid: server.pid }));
server.once('error', (error) => {
  tell({ error: error.message });
  end(1);
});
server.once('exit', (code, signal) => {
  tell({ code, signal });
  end(code ?? 1);
});
