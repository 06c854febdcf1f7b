/**
 * Which room may import from which: the table of docs/architecture.md: Rooms. A room is a folder of src, or a file that
 * stands directly in it; a room may always import from itself.
 */
/** What features are declared with, and the rooms in which they stand. */
const FEATURES = ['context', 'feature', 'features', 'push', 'questions', 'scim'];

const rooms = {
  model: [],
  problem: [],
  codec: ['model', 'problem'],
  warning: ['codec', 'model', 'problem'],
  templates: ['codec', 'model', 'problem'],
  contract: ['templates', 'codec', 'model', 'problem', 'warning', 'json'],
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
  embedded: ['error-code', 'secrets'],
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
    'error-code',
    'build',
  ],
  service: [
    'csv',
    'embedded',
    'graph',
    'scim',
    'secrets',
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
    'secrets',
    'folder-above',
    ...FEATURES,
    'graph',
    'model',
  ],
  json: [],
  'error-code': [],
  'folder-above': [],
  secrets: ['error-code', 'config', 'context'],
  settings: ['codec'],
  config: ['settings'],
  build: ['rows', 'error-code'],
  log: ['visible-text'],
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
    humans: ['connection'],
    questions: ['humans', 'instant', 'query', 'connection'],
    changes: ['humans', 'instant', 'records', 'connection'],
    write: ['records', 'connection'],
    push: ['write', 'changes', 'humans', 'instant', 'records', 'connection'],
    verification: ['push', 'write', 'records', 'connection'],
    erasure: ['push', 'write', 'records', 'connection'],
    migration: ['verification', 'push', 'write', 'records', 'connection'],
  },
  service: {
    background: [],
    events: [],
    questions: ['events'],
    receive: ['events'],
    change: ['receive', 'events'],
    push: ['change', 'receive', 'events'],
    plan: ['push', 'change', 'receive', 'events'],
    threads: ['plan', 'push', 'change', 'receive', 'events'],
    multipart: ['threads', 'plan', 'push', 'change', 'receive', 'events'],
  },
  http: {
    exchange: [],
    listening: ['exchange'],
    lists: ['exchange'],
    routing: ['exchange'],
    admission: ['listening', 'lists', 'routing', 'exchange'],
  },
  scim: {
    client: [],
    filter: ['client'],
  },
};

/** Folders that hold one feature each, but for `scim`, whose features share a client and a vocabulary. */
const FEATURE = '^src/(features/[^/]+|push|questions|scim)/';

/** Libraries that one room alone may use. */
const libraries = {
  express: 'src/(http|features|push|questions|scim)/',
  'neo4j-driver': 'src/(graph|embedded|features|push|questions|scim)/',
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
    {
      name: 'features-meet-at-contracts',
      comment:
        'Of another feature only feature.ts and contract.ts may be imported (docs/architecture.md: Features)',
      severity: 'error',
      from: { path: FEATURE },
      to: { path: FEATURE, pathNot: ['^src/$1/', '/(feature|contract)\\.ts$'] },
    },
    {
      name: 'others-ask-contracts',
      comment:
        'What is no feature asks a feature by its contract; the list and the programs may do more.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [FEATURE, '^src/(cli|demo|start|features\\.ts$|service/push-thread\\.ts$)'],
      },
      to: { path: FEATURE, pathNot: '/(feature|contract)\\.ts$' },
    },
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
