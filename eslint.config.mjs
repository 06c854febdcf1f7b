import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import prettier from 'eslint-config-prettier';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';

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
      'no-restricted-syntax': [
        'error',
        ...['', '> TSAsExpression '].map((cast) => ({
          selector: `SpreadElement ${cast}> :matches(ObjectExpression, ArrayExpression)`,
          message: 'Write out what this literal has: a spread of it hides lines.',
        })),
      ],
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
);
