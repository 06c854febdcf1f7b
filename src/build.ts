import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { hasCode } from './error-code';
import { RULES_VERSION } from './rows/row/row-hash';

/** Which release, commit and version of the rules the running program has. */
export interface Build {
  readonly version: string;
  /** The commit of the source, or `unknown` if the build did not record it. */
  readonly commit: string;
  /** Version of the rules by which the service makes rows from payloads. */
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

/**
 * This build. The version comes from package.json, which is next to the folder of the compiled
 * code. The build writes the commit to `commit.txt` in that folder.
 */
export const BUILD: Build = {
  version: manifest === undefined ? 'unknown' : versionIn(manifest),
  commit: textOf('commit.txt')?.trim() || 'unknown',
  rulesVersion: RULES_VERSION,
};

/** The build, with the field names of answers and log lines. */
export const BUILD_FIELDS = {
  version: BUILD.version,
  commit: BUILD.commit,
  rules_version: BUILD.rulesVersion,
} as const;
