import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import ts from 'typescript';

const ROOT = join(__dirname, '../..');

/** What a process needs beside the compiled sources to find the installed libraries. */
export const COMPILED_ENV = { NODE_PATH: join(ROOT, 'node_modules') };

/** Compiles the sources, once for many processes, below a folder; gives the path of the entry point. */
export const compileSources = async (folder: string): Promise<string> => {
  const names = await readdir(join(ROOT, 'src'), { recursive: true });
  for (const name of names.filter((each) => /\.[cm]?[jt]s$/.test(each))) {
    const source = join(ROOT, 'src', name);
    const target = join(folder, 'compiled', name.replace(/\.ts$/, '.js'));
    await mkdir(dirname(target), { recursive: true });
    if (!name.endsWith('.ts')) {
      await cp(source, target);
      continue;
    }
    const { outputText } = ts.transpileModule(await readFile(source, 'utf8'), {
      compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
    });
    await writeFile(target, outputText);
  }
  return join(folder, 'compiled', 'main.js');
};
