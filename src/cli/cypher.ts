import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { cypherFiles } from '../translate/cypher-files';

const folder = join(__dirname, '..', '..', 'cypher');
mkdirSync(folder, { recursive: true });
for (const [name, content] of Object.entries(cypherFiles())) {
  writeFileSync(join(folder, name), content);
}
