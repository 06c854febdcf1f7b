// What small pushes feel of eight hostile questions. It needs a running service that may be written to:
//
//   node scripts/hostile-questions.mjs http://127.0.0.1:8080 "$(cat data/api-key)"
//
// It pushes a small payload again and again, first alone and then beside eight clients, each of which sends hostile
// queries one after the other. It prints how long the pushes took, and how the queries were answered.

const [address = 'http://127.0.0.1:8080', key = '', seconds = '20'] = process.argv.slice(2);
const CLIENTS = 8;

const HOSTILE = [
  'RETURN reduce(a = 0, x IN range(1, 9000000000) | a + x) AS y',
  "RETURN 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' =~ '(.*a){12}$' AS y",
  `RETURN ${'('.repeat(5000)}1${')'.repeat(5000)} AS y`,
  "RETURN size(reduce(t = 'x', i IN range(1, 30) | t + t)) AS y",
  'UNWIND range(1, 1000000000) AS x WITH x WHERE x < 0 RETURN x',
  'UNWIND range(1, 100000000) AS x RETURN count(DISTINCT x) AS y',
  'MATCH (a), (b), (c) RETURN count(*) + sum(size(keys(a))) AS y',
  'UNWIND range(1, 2000000) AS x WITH collect(x) AS xs RETURN size([x IN xs WHERE x % 7 = 1 | x]) AS y',
];

const send = (path, body) =>
  fetch(`${address}${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });

const valueOf = async (path, body) => {
  const answer = await send(path, body);
  if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
  return (await answer.json()).value;
};

const { id } = await valueOf('/api/v1/providers/custom', {
  name: `Beside questions ${Date.now()}`,
  custom_template: 'identity_provider',
});
const sources = `/api/v1/providers/custom/${id}/datasources`;
const { id: data_source_id } = await valueOf(sources, { id, name: 'Main' });

let round = 0;
const push = async () => {
  round += 1;
  const json_data = JSON.stringify({
    name: 'Directory',
    idp_type: 'ldap',
    domains: [{ name: 'example.com' }],
    users: Array.from({ length: 20 }, (_, at) => ({ name: `user ${at} ${round}` })),
  });
  const begin = performance.now();
  const { status } = await send(`${sources}/${data_source_id}:push`, {
    id,
    data_source_id,
    json_data,
  });
  if (status !== 200) throw new Error(`a push was answered ${status}`);
  return performance.now() - begin;
};

const pushes = async () => {
  const took = [];
  for (const until = Date.now() + Number(seconds) * 1000; Date.now() < until;)
    took.push(await push());
  return took.sort((a, b) => a - b);
};

const told = (name, took) => {
  const at = (share) => took[Math.min(took.length - 1, Math.floor(took.length * share))].toFixed(0);
  console.log(`${name}: ${took.length} pushes, ms: p50 ${at(0.5)}, p99 ${at(0.99)}, most ${at(1)}`);
};

await push();
told('alone', await pushes());

let isOver = false;
const statuses = {};
const clients = Array.from({ length: CLIENTS }, async (_, client) => {
  for (let at = client; !isOver; at += 1) {
    const { status } = await send('/api/v1/query', { cypher: HOSTILE[at % HOSTILE.length] }).catch(
      () => ({
        status: 'broken',
      }),
    );
    statuses[status] = (statuses[status] ?? 0) + 1;
  }
});
told(`beside ${CLIENTS} hostile questions`, await pushes());
isOver = true;
await Promise.all(clients);
console.log('queries by status:', JSON.stringify(statuses));
await fetch(`${address}/api/v1/providers/custom/${id}`, {
  method: 'DELETE',
  headers: { authorization: `Bearer ${key}` },
});
