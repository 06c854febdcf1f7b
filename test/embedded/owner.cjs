// Run as a process of its own, so that a test can kill it: owns an embedded Neo4j until it ends.
const { join } = require('node:path');

const [built, dataFolder] = process.argv.slice(2);
const { startEmbeddedNeo4j } = require(join(built, 'embedded/server.js'));

void startEmbeddedNeo4j({
  dataFolder,
  boltPort: 0,
  httpPort: 0,
  heap: '512m',
  line: '5.26',
  progress: (text) => process.stderr.write(`${text}\n`),
}).then(
  ({ uri, password }) => process.send({ uri, password }),
  (error) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
