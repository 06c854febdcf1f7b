import { Agent, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

// A client in a process of its own. It sends each of some small requests, and after each answer
// sends it again, until it is told to stop. Then it prints how long each request took.

const [address = '', apiKey = '', pauseMs = '10'] = process.argv.slice(2);
const PATHS = ['/healthz', '/api/v1/providers/custom'];

const agent = new Agent({ keepAlive: true });
let failed = 0;
let isStopping = false;

/** Sends one request. Resolves with the milliseconds until the end of its answer. */
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
