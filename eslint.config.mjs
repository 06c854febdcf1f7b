import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import prettier from 'eslint-config-prettier';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

const WRITTEN_OUT = ['', '> TSAsExpression '].map((cast) => ({
  selector: `SpreadElement ${cast}> :matches(ObjectExpression, ArrayExpression)`,
  message: 'Write out what this literal has: a spread of it hides lines.',
}));

export default defineConfig(
  { ignores: ['dist', 'data', 'demo-data', 'coverage', 'node_modules', '**/*.cjs', '**/*.mjs'] },
  eslint.configs.recommended,
  tseslint.configs.recommendedTypeChecked,
  prettier,
  {
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': 'error',
      '@typescript-eslint/prefer-readonly': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      'no-restricted-syntax': ['error', ...WRITTEN_OUT],
    },
  },
  {
    // A pattern takes time that follows the length of its text, whoever wrote the text.
    files: ['src/**'],
    plugins: { regexp },
    rules: {
      'regexp/no-super-linear-backtracking': ['error', { report: 'potential' }],
      'regexp/no-super-linear-move': ['error', { report: 'potential' }],
    },
  },
  {
    // What a review writes must wait for backups (docs/architecture.md: Locks).
    files: ['src/features/reviews/**'],
    ignores: ['src/features/reviews/stored/transactions.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            {
              group: ['**/neo4j/transaction'],
              importNames: ['runTransaction'],
              message: 'Use read, readToAct or write of stored/transactions.ts.',
            },
          ],
        },
      ],
    },
  },
  {
    // The machine of the tests may be slow, or stand still for a while (CONTRIBUTING.md: House rules).
    files: ['test/**'],
    rules: {
      'no-restricted-syntax': [
        'error',
        ...WRITTEN_OUT,
        {
          selector: 'ForStatement[test] CallExpression[callee.name=/^(sleep|delay)$/]',
          message: 'Wait until it is so, however often you look: while (!isSo()) await sleep(20).',
        },
        {
          selector:
            'AwaitExpression > CallExpression[callee.name=/^(sleep|delay)$/]:not(WhileStatement CallExpression):not(ForStatement CallExpression)',
          message: 'Wait for what the test needs, and not for a time.',
        },
        {
          selector:
            'CallExpression[callee.name="expect"] MemberExpression[object.name="performance"]',
          message: 'Show what the time would show, or count it by test/support/quiet-time.ts.',
        },
        {
          selector:
            'CallExpression > ArrowFunctionExpression ~ Literal[raw=/^[1-9][0-9_]{0,2}_000$/], CallExpression[callee.object.name="jest"][callee.property.name="setTimeout"] > Literal[raw=/^[1-9][0-9_]{0,2}_000$/]',
          message:
            'Every test has ten minutes (jest.config.cjs), so that only one that hangs fails.',
        },
      ],
    },
  },
);
