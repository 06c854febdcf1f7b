/**
 * Which room may import from which: the table of docs/architecture.md: Rooms. A room is a folder of src, or a file that
 * stands directly in it; a room may always import from itself.
 */
/** What payloads are, and the pure work on them, from the bottom up. */
const MODEL = ['templates', 'codec', 'model', 'problem'];

const rooms = {
  model: [],
  problem: [],
  codec: ['model', 'problem'],
  warning: ['codec', 'model', 'problem'],
  templates: ['codec', 'model', 'problem'],
  contract: [...MODEL, 'warning', 'json'],
  check: ['contract', ...MODEL],
  rows: ['check', 'contract', ...MODEL, 'warning'],
  increment: ['rows', 'check', 'contract', ...MODEL, 'warning'],
  difference: ['increment', 'rows', 'templates', 'model'],
  access: ['model'],
  kit: ['graph', 'templates', 'contract', 'model', 'folder-above'],
  csv: MODEL,
  builder: MODEL,
  client: ['csv', 'rows', 'check', 'contract', ...MODEL, 'warning', 'endpoints'],
  command: ['client', 'contract', ...MODEL, 'embedded', 'json', 'visible-text'],
  library: ['builder', 'client', 'csv', 'contract', 'templates', 'problem'],
  embedded: ['error-code', 'secrets', 'visible-text'],
  neo4j: ['rows', 'model', 'problem'],
  graph: [
    'neo4j',
    'access',
    'difference',
    'increment',
    'rows',
    'contract',
    ...MODEL,
    'warning',
    'build',
    'context',
  ],
  web: [
    'graph',
    'neo4j',
    'secrets',
    'contract',
    ...MODEL,
    'warning',
    'json',
    'log',
    'metrics',
    'config',
    'build',
    'error-code',
    'folder-above',
    'context',
  ],
  json: [],
  background: ['log', 'neo4j', 'problem'],
  'error-code': [],
  'folder-above': [],
  secrets: ['error-code', 'config', 'context'],
  memory: ['config', 'context', 'log', 'settings'],
  settings: ['codec', 'settings of features'],
  config: ['settings'],
  build: ['rows', 'error-code'],
  log: ['visible-text'],
  metrics: ['build'],
};

/** The rooms within rooms, in the order in which data walks through them. What is next to them may import them all. */
const innerRooms = {
  rows: {
    row: [],
  },
  increment: {
    working: [],
  },
  graph: {
    statements: [],
    records: ['statements'],
    rows: ['statements'],
    write: ['rows', 'records', 'statements'],
    migration: ['records', 'statements'],
  },
  questions: {
    statements: ['records'],
    threads: [],
    cypher: ['threads', 'endpoints'],
    instant: ['statements'],
    humans: ['statements'],
    answering: ['instant'],
    memory: ['answering', 'humans', 'instant', 'statements'],
    access: ['answering', 'humans', 'instant', 'memory', 'statements'],
    search: ['answering', 'instant', 'memory', 'statements'],
    changes: ['humans', 'instant', 'memory', 'statements'],
    export: ['access', 'answering', 'humans', 'instant', 'memory', 'statements', 'threads'],
  },
  push: {
    statements: [],
    graph: ['statements'],
    receive: ['graph', 'endpoints'],
  },
  web: {
    bodies: [],
    exchange: ['bodies'],
    listening: ['exchange', 'bodies'],
    lists: ['exchange', 'routing'],
    routing: ['exchange', 'bodies'],
    admission: ['listening', 'lists', 'routing', 'exchange', 'bodies'],
  },
  scim: {
    client: [],
    filter: ['client'],
  },
};

/** Folders that hold one feature each, except `scim`, whose features share a client and a vocabulary. */
const FEATURE = '^src/(features/[^/]+|push|questions|registry|scim)/';

/** Libraries that one room alone may use. */
const libraries = {
  express: 'src/(start|web|features|push|questions|registry|scim)/',
  'neo4j-driver': 'src/(neo4j|graph|embedded|features|push|questions|registry|scim)/',
  '@fastify/busboy': 'src/web/bodies/',
  winston: 'src/log\\.ts',
  'prom-client': 'src/metrics\\.ts',
  nodemailer: 'src/features/reviews/mail/',
  preact: 'src/features/',
  'preact-render-to-string': 'src/features/(console|sign-in|reviews/evidence)/',
};

/** What features say of their endpoints, for those who send them requests. */
const ENDPOINTS = '^src/.+/endpoints\\.ts$';

/** What features say of their settings. */
const SETTINGS = '^src/(features/.+|push|questions|registry|scim)/settings\\.ts$';

/** The files that a feature offers to others. */
const OFFERED = '/(feature|contract|endpoints|events|records)\\.ts$';

/** What the console makes pages of, for the pages of other features too. */
const PAGE_PARTS = '^src/features/console/(frame/(kinds|page)\\.ts|parts/|tables/)';

/** The command of a feature, for the command line. */
const COMMAND = '^src/.+/command\\.ts$';

const room = (name) =>
  ({ endpoints: ENDPOINTS, 'settings of features': SETTINGS })[name] ?? `^src/${name}(/|\\.ts$)`;

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
        'Of another feature only feature.ts, contract.ts, endpoints.ts, events.ts and records.ts may be imported, and what pages are made of (docs/architecture.md: Features)',
      severity: 'error',
      from: { path: FEATURE },
      to: {
        path: FEATURE,
        pathNot: ['^src/$1/', OFFERED, PAGE_PARTS],
      },
    },
    {
      name: 'endpoints-know-no-handlers',
      comment:
        'Who sends requests reads endpoints.ts too, so it knows nothing that handles them (docs/architecture.md: Features)',
      severity: 'error',
      from: { path: '^src/(.+)/endpoints\\.ts$' },
      to: {
        path: '^src/',
        pathNot: [
          ...['contract', 'warning', ...MODEL].map(room),
          '^src/web/(routing/route|bodies/body-bounds)\\.ts$',
          '^src/$1/(records\\.ts|rules/)',
        ],
      },
    },
    {
      name: 'settings-load-nothing',
      comment:
        'The start reads settings first, so what declares those of a feature loads nothing else (docs/architecture.md: Features)',
      severity: 'error',
      from: { path: '^src/(features/.+|push|questions|registry|scim)/settings\\.ts$' },
      to: { path: '^src/', pathNot: ['^src/settings/', '^src/$1/'] },
    },
    {
      name: 'commands-send-requests',
      comment:
        'The command of a feature sends requests, and loads nothing of the service (docs/architecture.md: Features)',
      severity: 'error',
      from: { path: COMMAND },
      to: {
        path: '^src/',
        pathNot: [
          ...['command', 'client', 'contract', ...MODEL, 'visible-text', 'endpoints'].map(room),
          '/records\\.ts$',
        ],
      },
    },
    {
      name: 'programs-stand-above-all',
      comment: 'What the programs are made of is for nobody else (docs/architecture.md: Rooms)',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(cli|demo|start)/|^src/main\\.ts$' },
      to: { path: '^src/(cli|demo|start)/' },
    },
    {
      name: 'only-the-command-line-runs-commands',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/cli/' },
      to: { path: COMMAND },
    },
    {
      name: 'others-ask-contracts',
      comment:
        'What is no feature asks a feature by its contract, endpoints and records; the list and the programs may do more.',
      severity: 'error',
      from: {
        path: '^src/',
        pathNot: [
          FEATURE,
          '^src/(cli|demo|start|features\\.ts$)',
          '^src/settings/of-features\\.ts$',
        ],
      },
      to: { path: FEATURE, pathNot: OFFERED },
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
        path: '^src/(model|codec|templates|contract|check|rows|increment|difference|access|kit|csv|builder)/|^src/(graph|push|questions)/(rows|statements)/',
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
