import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';

const read = (name: string): string => readFileSync(join(__dirname, '..', name), 'utf8');

const COMPOSE = read('docker-compose.yml');
const DOCKERFILE = read('Dockerfile');

/** The text of each service in docker-compose.yml. */
const services = new Map(
  (/\nservices:\n([^]*?)\n(?=\S)/.exec(COMPOSE)?.[1] ?? '')
    .split(/^ {2}(?=[a-z0-9]+:$)/m)
    .filter((text) => /^[a-z0-9]+:\n/.test(text))
    .map((text): [string, string] => [text.slice(0, text.indexOf(':')), text]),
);

test('the services', () => {
  expect([...services.keys()]).toEqual(['settings', 'grantgraph', 'neo4j']);
});

/** The blocks of shell of README and docs that use docker, and that of docker-compose.yml. */
const blocks = [
  ...['README.md', ...readdirSync(join(__dirname, '../docs')).map((name) => `docs/${name}`)]
    .filter((name) => name.endsWith('.md'))
    .flatMap((page) =>
      [...read(page).matchAll(/^ *```sh\n([^]*?)^ *```/gm)].map(
        ([, block = '']) => [page, block] as const,
      ),
    ),
  [
    'docker-compose.yml',
    [...COMPOSE.matchAll(/^# {3}(.*)$/gm)].map(([, line = '']) => line).join('\n'),
  ] as const,
].filter(([, block]) => block.includes('docker '));

test('there are such blocks', () => {
  expect(blocks.map(([page]) => page)).toEqual(['README.md', 'docker-compose.yml']);
});

// With a stand-in for docker: what the containers do, `docker compose` itself must show.
test.each(blocks)('the block of %s that uses docker can be pasted twice', (_page, block) => {
  const folder = mkdtempSync(join(tmpdir(), 'grantgraph-pasted-'));
  const docker = join(folder, 'docker');
  writeFileSync(docker, '#!/bin/sh\necho "$(cat .env) $*" >> asked\n');
  chmodSync(docker, 0o755);
  const env = { PATH: `${folder}${delimiter}${process.env.PATH}` };
  execFileSync('sh', ['-e', '-c', `${block}\n${block}`], { cwd: folder, env });
  const asked = readFileSync(join(folder, 'asked'), 'utf8').trimEnd().split('\n');
  rmSync(folder, { recursive: true });
  const half = asked.length / 2;
  expect(half).toBe(2);
  // The second time it runs the same, with the same password.
  expect(asked.slice(half)).toEqual(asked.slice(0, half));
  for (const line of asked) expect(line).toMatch(/^NEO4J_PASSWORD=[a-z0-9]{24} compose (up|exec) /);
});

// Some pages said `docker compose`, others `docker-compose --detach`.
test('every page runs it in one way', () => {
  for (const page of ['README.md', 'Dockerfile', 'docker-compose.yml', 'docs/operating.md']) {
    expect([page, read(page).match(/docker-compose(?!\.yml)/g)]).toEqual([page, null]);
  }
  for (const line of ['docker compose up --build --wait', 'docker compose exec -T grantgraph']) {
    expect(COMPOSE).toContain(line);
    expect(read('README.md')).toContain(line);
  }
});

test('Neo4j has no password that anybody knows beforehand', () => {
  const given = [...COMPOSE.matchAll(/\$\{NEO4J_PASSWORD(:?[-?+][^}]*)?\}/g)];
  expect(given.length).toBeGreaterThan(0);
  for (const [, otherwise = ''] of given) expect(otherwise).not.toMatch(/^:?[-+]/);
  expect(COMPOSE).toMatch(/\$\{NEO4J_PASSWORD:\?[^}]*\.env[^}]*\}/);
});

test('the log of every container is bounded, and none gains rights', () => {
  for (const [name, text] of services) {
    expect([name, text]).toEqual([name, expect.stringContaining('logging: *bounded-log')]);
  }
  expect(COMPOSE).toMatch(/max-size: 20m\n\s+max-file: '5'/);
  for (const name of ['settings', 'grantgraph']) {
    expect(services.get(name)).toMatch(/cap_drop:\s+(- ALL|\[ALL\])/);
    expect(services.get(name)).toContain('no-new-privileges:true');
    expect(services.get(name)).toContain('read_only: true');
  }
});

test('a service is healthy once it can be used: compose asks /readyz, and both ports of Neo4j', () => {
  expect(services.get('grantgraph')).toContain('test: [CMD, node, dist/cli/health.js, /readyz]');
  expect(services.get('neo4j')).toMatch(
    /dev\/tcp\/127\.0\.0\.1\/7474.*dev\/tcp\/127\.0\.0\.1\/7687/,
  );
  expect(DOCKERFILE).toContain('CMD ["node", "dist/cli/health.js"]');
});

// Before, each had a list of its own, and the image lacked the style sheet of the console.
test('the image and the build copy the same files', () => {
  expect(DOCKERFILE).toContain('RUN node scripts/copy-assets.mjs dist\n');
  expect(DOCKERFILE).not.toMatch(/^RUN (?:.*\W)?(?:cp|mv|install) (?!-d )/m);
  expect(read('.dockerignore')).toContain('\n!scripts/copy-assets.mjs\n');
  expect(read('scripts/run.mjs')).toContain("'scripts/copy-assets.mjs'");
});

test('every setting reaches the service, and none of its limits is fixed beside the memory', () => {
  const grantgraph = services.get('grantgraph');
  expect(grantgraph).toContain('env_file: ${SETTINGS_FILE:-settings.env}');
  expect(grantgraph).not.toMatch(/^ +(LIMIT|PUSH|KEEP|EVENTS)_/m);
  expect(grantgraph).toContain('mem_limit: ${GRANTGRAPH_MEMORY:-5g}');
  const lines = read('settings.env').split('\n');
  expect(lines.filter((line) => line !== '' && !line.startsWith('#'))).toEqual([]);
});

test("Neo4j's telemetry, usage report and broadcasts are off", () => {
  const neo4j = services.get('neo4j');
  for (const name of [
    'NEO4J_dbms_usage__report_enabled',
    'NEO4J_client_allow__telemetry',
    'NEO4J_server_fleet__discovery_enabled',
  ]) {
    expect(neo4j).toContain(`${name}: 'false'`);
  }
});

test('the image is of one version of Node, and its labels tell the version of the package', () => {
  const [, node] = /^ARG NODE_IMAGE=(node:\d+\.\d+\.\d+-slim)$/m.exec(DOCKERFILE) ?? [];
  expect(node).toBeDefined();
  expect(COMPOSE).toContain(`NODE_IMAGE: \${NODE_IMAGE:-${String(node)}}`);
  const { version, license } = JSON.parse(read('package.json')) as Record<string, string>;
  expect(DOCKERFILE).toContain(`ARG VERSION=${version}\n`);
  expect(DOCKERFILE).toContain(`org.opencontainers.image.licenses="${license}"`);
  for (const label of ['version', 'revision', 'source']) {
    expect(DOCKERFILE).toContain(`org.opencontainers.image.${label}="$`);
  }
});

test('files where passwords may stand are not committed and not in the image', () => {
  expect(read('.gitignore').split('\n')).toEqual(expect.arrayContaining(['.env', '.env.*']));
  const [first, ...rest] = read('.dockerignore')
    .split('\n')
    .filter((line) => !line.startsWith('#'));
  expect(first).toBe('*');
  expect(rest.join()).not.toContain('env');
});
