/*
 * Each Neo4j of the tests lives for minutes. In so short a time the second compiler of Java takes more
 * of the processors than its code saves: a third of all (docs/performance.md: Tests).
 */
process.env.JAVA_TOOL_OPTIONS ??= '-XX:TieredStopAtLevel=1';
// Services of tests end too soon to make a cache for others.
process.env.NEO4J_AOT_CACHE ??= 'use';

/** Packages that exist only as ES modules, which jest cannot load as they are. */
const esModules = 'node_modules/(openid-client|oauth4webapi|jose)/';

/** What every project shares: TypeScript is only transpiled here; `npm run check` checks the types. */
const shared = {
  rootDir: __dirname,
  // Names the cache of compiled files: one for all projects.
  id: 'grantgraph',
  testEnvironment: '<rootDir>/scripts/test-environment.cjs',
  // One suite after the other: Neo4j Community has one database.
  runner: '<rootDir>/scripts/sharing-runner.cjs',
  setupFiles: ['<rootDir>/test/support/fixed-seed.ts'],
  transform: Object.fromEntries(
    ['^.+\\.tsx?$', `${esModules}.+\\.js$`].map((files) => [
      files,
      '<rootDir>/scripts/transpiled.cjs',
    ]),
  ),
  transformIgnorePatterns: [`/node_modules/(?!(openid-client|oauth4webapi|jose)/)`],
  modulePathIgnorePatterns: ['<rootDir>/dist/', '<rootDir>/data/', '<rootDir>/demo-data/'],
};

/** Folders that the full run alone selects (`npm run test:full`, test/support/test-size.ts). */
const isFull = process.env.TEST_SIZE === 'full';
const inFullRun = isFull ? [] : ['full'];

/** Folders whose tests talk to the one Neo4j that `test/support/start-neo4j.ts` provides for a run of jest. */
const onNeo4j = {
  graph: [
    'graph',
    'http',
    'neo4j',
    'push',
    'questions',
    'features',
    'scim/policies',
    'demo',
    'connectors',
    'hardening',
    'crash',
    ...(isFull ? ['full/neo4j'] : []),
  ],
  property: ['property'],
};

/** Folders whose tests start servers of their own. */
const withOwnServers = ['embedded', 'browser', ...(isFull ? ['full/embedded'] : [])];

const testsIn = (folders) => folders.map((folder) => `<rootDir>/test/${folder}/**/*.test.ts?(x)`);
const pathsOf = (folders) => folders.map((folder) => `<rootDir>/test/${folder}/`);

module.exports = {
  projects: [
    {
      ...shared,
      displayName: 'unit',
      testMatch: ['<rootDir>/test/**/*.test.ts?(x)'],
      testPathIgnorePatterns: [
        '/node_modules/',
        ...pathsOf([...Object.values(onNeo4j).flat(), ...withOwnServers, ...inFullRun]),
      ],
    },
    ...Object.entries(onNeo4j).map(([displayName, folders]) => ({
      ...shared,
      displayName,
      testMatch: testsIn(folders),
      globals: { sharesNeo4j: true },
      globalSetup: '<rootDir>/test/support/start-neo4j.ts',
      globalTeardown: '<rootDir>/test/support/stop-neo4j.ts',
    })),
    {
      ...shared,
      displayName: 'embedded',
      testMatch: testsIn(withOwnServers),
    },
  ],
  testSequencer: '<rootDir>/scripts/pushes-first.cjs',
  reporters: ['default', '<rootDir>/scripts/suite-times.cjs'],
  // A slow machine is no fault: only what hangs takes so long. A test that may take longer says so.
  testTimeout: 600_000,
};
