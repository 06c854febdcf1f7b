import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { kitFiles } from '../kit/kit-files';
import { cypherFiles } from '../translate/cypher-files';

const folder = join(__dirname, '..', '..', 'cypher');
for (const [name, content] of Object.entries({ ...cypherFiles(), ...kitFiles() })) {
  const file = join(folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, content);
}
