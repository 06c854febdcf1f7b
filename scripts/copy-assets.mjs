// Copies the files that the compiled service reads and that no compiler makes:
// `node scripts/copy-assets.mjs <folder of compiled modules> [<folder of packages>]`. The build and the
// Dockerfile run it, so both have the same files. It imports only modules of Node.
import { copyFileSync, cpSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const compiled = resolve(process.argv[2] ?? join(root, 'dist'));
const packages = resolve(process.argv[3] ?? join(root, 'node_modules'));

// The viewer of /docs, whose package is a development dependency.
for (const file of ['rapidoc-min.js', 'rapidoc-min.js.LICENSE.txt']) {
  copyFileSync(join(packages, 'rapidoc/dist', file), join(compiled, file));
}

// The style sheets, the scripts and the icon of the console are no modules.
const assets = 'features/console/assets';
cpSync(join(root, 'src', assets), join(compiled, assets), {
  recursive: true,
  filter: (file) => !file.endsWith('.ts'),
});
