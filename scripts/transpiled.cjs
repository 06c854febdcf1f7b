const { createHash } = require('node:crypto');
const { readFileSync } = require('node:fs');

const { version } = require('typescript/package.json');
const { compilerOptions } = require('../tsconfig.json');

/** What each compiled file depends on, besides its source. */
const SAME_FOR_ALL = [version, JSON.stringify(compilerOptions), readFileSync(__filename, 'utf8')];

let compiler;

/** The compiler and its options. What is in Jest's cache already needs neither. */
const compilerWithOptions = () => {
  if (compiler === undefined) {
    const ts = require('typescript');
    const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, '.');
    compiler = { ts, options: { ...options, module: ts.ModuleKind.CommonJS } };
  }
  return compiler;
};

/**
 * A transformer for Jest: the compiler alone, one file at a time, without types (`npm run check` checks
 * them). All projects of a run share what is compiled, since the key of a file holds nothing of a
 * project (`id` in jest.config.cjs).
 */
module.exports = {
  getCacheKey: (source, path) =>
    [...SAME_FOR_ALL, path, source]
      .reduce((hash, part) => hash.update(part).update('\0'), createHash('sha256'))
      .digest('hex'),

  process: (source, path) => {
    const { ts, options } = compilerWithOptions();
    const { outputText, sourceMapText } = ts.transpileModule(source, {
      fileName: path,
      compilerOptions: options,
    });
    return {
      code: outputText.replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n'),
      map: { ...JSON.parse(sourceMapText), sources: [path] },
    };
  },
};
