/**
 * Which room may import from which: the table of docs/architecture.md: Rooms. A room is a folder of src, or a file that
 * stands directly in it; a room may always import from itself.
 */
const rooms = {
  model: [],
  problem: [],
  codec: ['model', 'problem'],
  warning: ['codec', 'model', 'problem'],
  templates: ['codec', 'model', 'problem'],
  contract: ['templates', 'codec', 'model', 'problem', 'warning'],
  check: ['contract', 'templates', 'codec', 'model', 'problem'],
  rows: ['check', 'contract', 'templates', 'codec', 'model', 'problem', 'warning'],
  increment: ['rows', 'check', 'contract', 'templates', 'codec', 'model', 'problem', 'warning'],
  difference: ['increment', 'rows', 'templates', 'model'],
  translate: ['difference', 'rows', 'templates', 'model'],
  kit: ['translate', 'templates', 'model', 'folder-above'],
  csv: ['templates', 'codec', 'model', 'problem'],
  builder: ['templates', 'codec', 'model', 'problem'],
  client: ['csv', 'rows', 'check', 'contract', 'templates', 'codec', 'model', 'problem', 'warning'],
  library: ['builder', 'client', 'csv', 'contract', 'templates', 'problem'],
  embedded: ['error-code', 'secret'],
  graph: [
    'translate',
    'difference',
    'increment',
    'rows',
    'check',
    'contract',
    'templates',
    'codec',
    'model',
    'problem',
    'warning',
    'secret',
    'error-code',
  ],
  service: [
    'csv',
    'embedded',
    'graph',
    'translate',
    'difference',
    'increment',
    'rows',
    'check',
    'contract',
    'templates',
    'codec',
    'model',
    'problem',
    'warning',
    'log',
    'metrics',
    'error-code',
  ],
  http: [
    'service',
    'kit',
    'contract',
    'templates',
    'codec',
    'problem',
    'warning',
    'log',
    'metrics',
    'config',
    'build',
    'error-code',
    'secret',
    'folder-above',
  ],
  'error-code': [],
  'folder-above': [],
  secret: ['error-code'],
  settings: [],
  config: ['settings'],
  build: ['rows', 'error-code'],
  log: [],
  metrics: ['build'],
};

/** The rooms within rooms, in the order in which data walks through them. What stands beside them may import them all. */
const innerRooms = {
  rows: {
    row: [],
  },
  increment: {
    working: [],
  },
  translate: {
    clauses: [],
    push: ['clauses'],
    records: ['clauses'],
    questions: ['clauses'],
    upkeep: ['push', 'clauses'],
  },
  graph: {
    connection: [],
    records: ['connection'],
    query: ['connection'],
    instant: ['connection'],
    questions: ['instant', 'query', 'connection'],
    write: ['records', 'connection'],
    push: ['write', 'records', 'connection'],
    verification: ['push', 'write', 'records', 'connection'],
    erasure: ['push', 'write', 'records', 'connection'],
    migration: ['verification', 'push', 'write', 'records', 'connection'],
    backup: ['migration', 'verification', 'push', 'write', 'records', 'connection'],
  },
  service: {
    background: [],
    backup: [],
    events: [],
    questions: ['events'],
    receive: ['events'],
    change: ['receive', 'events'],
    push: ['change', 'receive', 'events'],
    plan: ['push', 'change', 'receive', 'events'],
    threads: ['plan', 'push', 'change', 'receive', 'events'],
    multipart: ['threads', 'plan', 'push', 'change', 'receive', 'events'],
    registry: ['change', 'receive', 'events'],
  },
  http: {
    exchange: [],
    listening: ['exchange'],
    lists: ['exchange'],
    routing: ['exchange'],
    admission: ['lists', 'routing', 'exchange'],
    events: ['lists', 'admission', 'routing', 'exchange'],
    operation: ['lists', 'routing', 'exchange'],
    push: ['lists', 'admission', 'routing', 'exchange'],
    questions: ['lists', 'admission', 'routing', 'exchange'],
    registry: ['lists', 'admission', 'routing', 'exchange'],
  },
};

/** Libraries that one room alone may use. */
const libraries = {
  express: 'src/http/',
  'neo4j-driver': 'src/(graph|embedded)/',
  winston: 'src/log\\.ts',
  'prom-client': 'src/metrics\\.ts',
};

const room = (name) => `^src/${name}(/|\\.ts$)`;

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'start-alone',
      comment: 'src/start puts the service together; the programs use it, never the other way',
      severity: 'error',
      from: { path: '^src/start/' },
      to: { path: '^src/(cli|demo|client)/' },
    },
    ...Object.entries(rooms).map(([name, allowed]) => ({
      name: `import-table-${name}`,
      comment: `src/${name} may import from: ${allowed.join(', ') || 'nothing of ours'}`,
      severity: 'error',
      from: { path: room(name) },
      to: { path: '^(src|test|bench)/', pathNot: [name, ...allowed].map(room) },
    })),
    ...Object.entries(innerRooms).flatMap(([outer, inner]) =>
      Object.entries(inner).map(([name, allowed]) => ({
        name: `import-table-${outer}-${name}`,
        comment: `src/${outer}/${name} may import from these of src/${outer}: ${allowed.join(', ') || 'none'}`,
        severity: 'error',
        from: { path: room(`${outer}/${name}`) },
        to: {
          path: `^src/${outer}/`,
          pathNot: [name, ...allowed].map((other) => room(`${outer}/${other}`)),
        },
      })),
    ),
    ...Object.entries(libraries).map(([library, place]) => ({
      name: `${library}-stays-in-its-room`,
      severity: 'error',
      from: { path: '^src/', pathNot: `^${place}` },
      to: { path: `^node_modules/(@types/)?${library}/` },
    })),
    {
      name: 'pure-rooms-know-no-system',
      comment: 'No files, no network, no clock (docs/architecture.md: Rooms); hashes are pure.',
      severity: 'error',
      from: {
        path: '^src/(model|codec|templates|contract|check|rows|difference|translate|kit|csv|builder)/',
        // It reads the saved queries, once.
        pathNot: '^src/kit/saved-queries\\.ts$',
      },
      to: { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    },
    {
      name: 'mirror-shares-no-code',
      comment:
        'The mirror is a second writing of the rules, and finds faults only as long as it is one.',
      severity: 'error',
      from: { path: '^test/mirror/' },
      to: { path: '^(src|test/(?!mirror/))' },
    },
    {
      name: 'sources-know-no-tests',
      severity: 'error',
      from: { path: '^src/' },
      to: { path: '^(test|bench)/' },
    },
    {
      name: 'declared-packages-only',
      severity: 'error',
      from: { path: '^src/' },
      to: { dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown', 'unknown'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['require', 'node', 'default'],
    },
  },
};
