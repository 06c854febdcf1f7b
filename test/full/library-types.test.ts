import { cp, mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { installPackage } from '../support/installed-package';

/*
 * The compiler reads all types of the package and of its dependencies, which takes some ten seconds.
 * In the short run `npm run check` compiles test/builder/builders.test.ts against the same sources.
 */
const ROOT = join(__dirname, '../..');

test('the example compiles against the types of the package, and runs', async () => {
  const installed = await installPackage();
  try {
    const { folder } = installed;
    await cp(join(ROOT, 'examples/connectors/library'), folder, { recursive: true });
    await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
    for (const name of ['@types/node', 'undici-types']) {
      await cp(join(ROOT, 'node_modules', name), join(folder, 'node_modules', name), {
        recursive: true,
      });
    }
    const tsc = join(ROOT, 'node_modules/typescript/bin/tsc');
    const compiled = await installed.run(process.execPath, tsc, '-p', '.');
    expect(compiled).toMatchObject({ code: 0, stdout: '' });
    // It gets as far as its settings: the imports work when it runs, too.
    const file = join(ROOT, 'examples/connectors/helpdesk-export.json');
    const ran = await installed.run(process.execPath, 'dist/connector.mjs', file);
    expect(ran).toMatchObject({ code: 1, stderr: 'GRANTGRAPH_URL is not set.\n' });
  } finally {
    await installed.remove();
  }
});
