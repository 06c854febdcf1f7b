import { Agent, request } from 'node:http';

// A client in a process of its own: it asks for small things all the time, whether the last answer has come or not, until it is
// told to stop; then it prints how long each took.

const [address = '', apiKey = '', everyMs = '10'] = process.argv.slice(2);
const PATHS = ['/healthz', '/api/v1/providers/custom'];

const agent = new Agent({ keepAlive: true });
const took = new Map<string, number[]>(PATHS.map((path) => [path, []]));
let failed = 0;
let underWay = 0;

const ask = (path: string): void => {
  const start = performance.now();
  underWay += 1;
  const asked = request(
    `${address}${path}`,
    { agent, headers: { authorization: `Bearer ${apiKey}` } },
    (answer) => {
      if (answer.statusCode !== 200) failed += 1;
      answer.resume();
      answer.once('end', () => {
        took.get(path)?.push(performance.now() - start);
        underWay -= 1;
      });
    },
  );
  asked.once('error', () => {
    failed += 1;
    underWay -= 1;
  });
  asked.end();
};

let turn = 0;
const timer = setInterval(() => {
  ask(PATHS[turn % PATHS.length] ?? '/healthz');
  turn += 1;
}, Number(everyMs));

process.stdin.resume();
process.stdin.once('end', () => {
  clearInterval(timer);
  const last = setInterval(() => {
    if (underWay > 0) return;
    clearInterval(last);
    agent.destroy();
    process.stdout.write(JSON.stringify({ failed, took: Object.fromEntries(took) }));
  }, 20);
});
