import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { listStatements, records } from '../features';
import { cypherFiles, kitFiles, payloadPages } from './cypher-files';

const root = join(__dirname, '..', '..');

const write = (folder: string, files: Readonly<Record<string, string>>): void => {
  for (const [name, content] of Object.entries(files)) {
    const file = join(root, folder, name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
};

write('cypher', { ...cypherFiles(records, listStatements()), ...kitFiles(records) });
write('docs/payloads', payloadPages(join(root, 'examples', 'company')));
