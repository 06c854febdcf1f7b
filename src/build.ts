import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { hasCode } from './error-code';
import { RULES_VERSION } from './rows/row/row-hash';

/** What this program was made from. */
export interface Build {
  readonly version: string;
  /** Of the source; `unknown` where the build was not told. */
  readonly commit: string;
  /** Of the rules that make rows from payloads. */
  readonly rulesVersion: number;
}

const textOf = (...path: readonly string[]): string | undefined => {
  try {
    return readFileSync(join(__dirname, ...path), 'utf8');
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
};

const versionIn = (manifest: string): string =>
  (JSON.parse(manifest) as { readonly version: string }).version;

const manifest = textOf('..', 'package.json');

/** This build: package.json stands beside the folder of the compiled code, and the build writes `commit.txt` into it. */
export const BUILD: Build = {
  version: manifest === undefined ? 'unknown' : versionIn(manifest),
  commit: textOf('commit.txt')?.trim() || 'unknown',
  rulesVersion: RULES_VERSION,
};

/** The build in the names in which answers and lines of the log tell it. */
export const BUILD_FIELDS = {
  version: BUILD.version,
  commit: BUILD.commit,
  rules_version: BUILD.rulesVersion,
} as const;
