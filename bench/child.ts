import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

/** A program of the bench in a process of its own. It runs until it is told to stop. */
export interface Child {
  /** Resolves once the program has printed to standard error. Rejects if it ends before. */
  readonly ready: Promise<unknown>;
  /** Stops the program, and resolves with the JSON that it prints then. */
  stop(): Promise<unknown>;
}

/** Starts a program that prints JSON once its standard input ends. */
export const startChild = (program: string, args: readonly string[]): Child => {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe' });
  child.stderr.pipe(process.stderr);
  const exited = once(child, 'exit');
  const ended = exited.then(() => {
    throw new Error(`${program} has ended.`);
  });
  const ready = Promise.race([once(child.stderr, 'data'), ended]);
  ready.catch(() => undefined);
  return {
    ready,
    stop: async () => {
      child.stdin.end();
      const told = await text(child.stdout);
      await exited;
      return JSON.parse(told) as unknown;
    },
  };
};
