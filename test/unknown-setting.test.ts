import { configMessage, readConfig } from '../src/config';

const message = (env: Readonly<Record<string, string>>): string => {
  const read = readConfig(env);
  return read._tag === 'Left' ? configMessage(read.left) : 'right';
};

test.each([
  ['NEO4J_URL', 'NEO4J_URI'],
  ['NEO4J_USERNAME', 'NEO4J_USER'],
  ['LIMIT_REMOVALROWS', 'LIMIT_REMOVAL_ROWS'],
  ['PUSH_THREAD', 'PUSH_THREADS'],
  ['KEEP_EVENT_DAYS', 'KEEP_EVENTS_DAYS'],
  ['KEEP_HISTORY', 'KEEP_HISTORY_DAYS'],
  ['TLS_CERTS', 'TLS_CERT'],
  ['API_KEYS', 'API_KEY'],
  ['LOG_LEVLE', 'LOG_LEVEL'],
  ['DATA_DIRS', 'DATA_DIR'],
  ['CORS_ORIGIN', 'CORS_ORIGINS'],
])('%s is no setting and stops the start', (name, meant) => {
  const told = message({ [name]: 'x' });
  expect(told).toMatch(`${name} is no setting`);
  expect(told).toMatch(`did you mean ${meant}?`);
});

test('a name that resembles none gets no guess', () => {
  expect(message({ LIMIT_OF_ALL_THAT_IS_POSSIBLE_AT_ONCE: '1' })).toBe(
    'Wrong settings:\n  LIMIT_OF_ALL_THAT_IS_POSSIBLE_AT_ONCE is no setting; --help lists them all',
  );
});

test('its value, which may be a secret, is not told', () => {
  expect(message({ NEO4J_PASSWORT: 'hush-hush' })).not.toContain('hush');
});

test.each([
  ["what Neo4j's own container takes", { NEO4J_AUTH: 'neo4j/secret', NEO4J_PLUGINS: '[]' }],
  ['a setting of Neo4j', { NEO4J_server_memory_heap_max__size: '2g', NEO4J_dbms_usage: 'x' }],
  ["the limit of Neo4j's container", { NEO4J_MEMORY: '6g' }],
  [
    'addresses of services in Kubernetes',
    {
      NEO4J_SERVICE_HOST: '10.0.0.1',
      NEO4J_SERVICE_PORT: '7687',
      NEO4J_SERVICE_PORT_BOLT: '7687',
      NEO4J_PORT: 'tcp://10.0.0.1:7687',
      NEO4J_PORT_7687_TCP: 'tcp://10.0.0.1:7687',
      NEO4J_PORT_7687_TCP_ADDR: '10.0.0.1',
      PUSH_GATEWAY_SERVICE_HOST: '10.0.0.2',
    },
  ],
  ["other programs' logs and data", { LOG_GROUP: 'a', LOG_FILE: 'b', DATA_SOURCE: 'c' }],
  ['what resembles nothing of ours', { PATH: '/bin', HOSTNAME: 'h', PORTS: '1', NODE_ENV: 'p' }],
  ['an empty variable', { NEO4J_URL: '' }],
])('%s does not stop it', (_title, env) => {
  expect(message(env as Readonly<Record<string, string>>)).toBe('right');
});
