// Lets a process started by a test run the sources as they are: `node -r ./test/support/typescript.cjs src/main.ts`.
const { readFileSync } = require('node:fs');
const ts = require('typescript');

const compilerOptions = {
  module: ts.ModuleKind.CommonJS,
  target: ts.ScriptTarget.ES2022,
  inlineSourceMap: true,
};

require.extensions['.ts'] = (module, fileName) => {
  const { outputText } = ts.transpileModule(readFileSync(fileName, 'utf8'), {
    compilerOptions,
    fileName,
  });
  module._compile(outputText, fileName);
};
