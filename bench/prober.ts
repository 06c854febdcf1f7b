import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

// A client in a process of its own: for each of some small things it asks for one after the other, a moment after the last answer,
// until it is told to stop; then it prints how long each took.

const [address = '', apiKey = '', pauseMs = '10'] = process.argv.slice(2);
const PATHS = ['/healthz', '/api/v1/providers/custom'];

const agent = new Agent({ keepAlive: true });
let failed = 0;
let isStopping = false;

/** Asks once; gives milliseconds from the request to the end of its answer. */
const ask = (path: string): Promise<number> =>
  new Promise((resolve) => {
    const start = performance.now();
    const end = (isGood: boolean): void => {
      if (!isGood) failed += 1;
      resolve(performance.now() - start);
    };
    const headers = { authorization: `Bearer ${apiKey}` };
    const asked = request(`${address}${path}`, { agent, headers }, (answer) => {
      answer.resume();
      answer.once('end', () => end(answer.statusCode === 200));
    });
    asked.once('error', () => end(false));
    asked.end();
  });

const askOften = async (path: string): Promise<readonly [string, readonly number[]]> => {
  const took: number[] = [];
  while (!isStopping) {
    took.push(await ask(path));
    await sleep(Number(pauseMs));
  }
  return [path, took];
};

const main = async (): Promise<void> => {
  const took = Object.fromEntries(await Promise.all(PATHS.map(askOften)));
  agent.destroy();
  process.stdout.write(JSON.stringify({ failed, took }));
};

process.stdin.resume();
process.stdin.once('end', () => (isStopping = true));
void main();
