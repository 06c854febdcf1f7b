// What small pushes feel of eight hostile clients. It needs a running service that may be written to:
//
//   node scripts/beside-hostile.mjs http://127.0.0.1:8080 "$(cat data/api-key)"
//
// It pushes a small payload again and again, first alone, and then beside eight clients that send questions in Cypher,
// writes through SCIM, and CSV files. It prints how long the pushes took, and how the hostile requests were answered.
import { gzipSync } from 'node:zlib';

const [address = 'http://127.0.0.1:8080', key = '', seconds = '20'] = process.argv.slice(2);
const CLIENTS = 8;

const QUESTIONS = [
  'RETURN reduce(a = 0, x IN range(1, 9000000000) | a + x) AS y',
  "RETURN 'aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa' =~ '(.*a){12}$' AS y",
  `RETURN ${'('.repeat(5000)}1${')'.repeat(5000)} AS y`,
  "RETURN size(reduce(t = 'x', i IN range(1, 30) | t + t)) AS y",
  'UNWIND range(1, 1000000000) AS x WITH x WHERE x < 0 RETURN x',
  'UNWIND range(1, 100000000) AS x RETURN count(DISTINCT x) AS y',
  'MATCH (a), (b), (c) RETURN count(*) + sum(size(keys(a))) AS y',
  'UNWIND range(1, 2000000) AS x WITH collect(x) AS xs RETURN size([x IN xs WHERE x % 7 = 1 | x]) AS y',
];

const send = (path, body, method = body === undefined ? 'GET' : 'POST', more = {}) =>
  fetch(`${address}${path}`, {
    method,
    headers: { 'content-type': 'application/json', authorization: `Bearer ${key}`, ...more },
    ...(body === undefined
      ? {}
      : { body: body instanceof Uint8Array ? body : JSON.stringify(body) }),
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

// The hostile clients share a key of their own.
const another = await valueOf('/api/preview/teamkeys', {
  name: 'hostile',
  scopes: ['push', 'read', 'cypher'],
});
const asThem = { authorization: `Bearer ${another.access_key}` };
const { id: theirs } = await valueOf(sources, { id, name: 'Theirs' });
const created = await send(`/scim/v2/${theirs}/Groups`, { displayName: 'Hostile' });
const { id: group } = await created.json();

const emails = (many) => Array.from({ length: many }, (_, at) => ({ value: `a${at}@example.com` }));
const scim = (body, more = {}) => [`/scim/v2/${theirs}/Groups/${group}`, body, 'PATCH', more];
const operations = (Operations) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
  Operations,
});
const csv = (text) => [
  `${sources}/${theirs}:push_csv`,
  { id, data_source_id: theirs, csv_data: Buffer.from(text).toString('base64') },
];

const HOSTILE = {
  questions: QUESTIONS.map((cypher) => ['/api/v1/query', { cypher }]),
  SCIM: [
    scim(gzipSync(`{"members":[${'1,'.repeat(8_000_000)}1]}`), { 'content-encoding': 'gzip' }),
    [`/scim/v2/${theirs}/Users`, { userName: 'a', emails: emails(40_000) }],
    scim(operations([{ op: 'add', path: 'members', value: emails(40_000) }])),
    scim(
      operations(
        Array.from({ length: 300 }, () => ({
          op: 'remove',
          path: `members[${'a '.repeat(2_000)}`,
        })),
      ),
    ),
    [
      `/scim/v2/${theirs}/Users?filter=${encodeURIComponent('userName co "a" or '.repeat(150))}userName%20pr`,
    ],
  ],
  'CSV files': [
    csv(
      `name,${Array.from({ length: 5_000 }, (_, at) => `absent${at}`).join(',')}\n${'a\n'.repeat(100_000)}`,
    ),
    csv(`name\n${'"a"x\n'.repeat(500_000)}`),
    csv(`name,name\n${'a,b,c\n'.repeat(300_000)}`),
  ],
};

await push();
told('alone', await pushes());
for (const [kind, requests] of Object.entries(HOSTILE)) {
  let isOver = false;
  const statuses = {};
  const clients = Array.from({ length: CLIENTS }, async (_, client) => {
    for (let at = client; !isOver; at += 1) {
      const [path, body, method, more] = requests[at % requests.length];
      const answer = await send(path, body, method, { ...asThem, ...more }).catch(() => null);
      await answer?.arrayBuffer().catch(() => undefined);
      const status = answer?.status ?? 'broken';
      statuses[status] = (statuses[status] ?? 0) + 1;
    }
  });
  told(`beside ${CLIENTS} clients with hostile ${kind}`, await pushes());
  isOver = true;
  await Promise.all(clients);
  console.log(`  ${kind} by status:`, JSON.stringify(statuses));
}
await send(`/api/v1/providers/custom/${id}`, undefined, 'DELETE');
await send(`/api/preview/teamkeys/${another.id}`, undefined, 'DELETE');
