// Run as a process of its own, so that a test can kill it: owns an embedded Neo4j until it ends.
import { startEmbeddedNeo4j } from '../../src/graph/embedded/server';

const [dataFolder = '', boltPort = '0'] = process.argv.slice(2);

void startEmbeddedNeo4j({
  dataFolder,
  boltPort: Number(boltPort),
  httpPort: 0,
  heap: '512m',
  line: '5.26',
  progress: (text) => process.stderr.write(`${text}\n`),
}).then(
  ({ uri, password }) => process.send?.({ uri, password }),
  (error: unknown) => {
    process.stderr.write(`${String(error)}\n`);
    process.exit(1);
  },
);
