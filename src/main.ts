import { parseArgs } from 'node:util';

import { BUILD } from './build';
import { serve } from './start/serve';
import { settingsText } from './settings/settings-text';
import { tellFailure } from './start/tell-failure';
import { printLines } from './visible-text';

const HELP = `Usage: npm start [-- --help | --version]

Starts Grantgraph: the HTTP interface and, unless NEO4J_URI names one, a Neo4j Community of its own.
Environment variables set it up; docs/operating.md, "Settings", has the same list.

  --help     tells this
  --version  tells version, commit and version of the rules

${settingsText()}
`;

const VERSION = `grantgraph ${BUILD.version} (commit ${BUILD.commit}, rules version ${BUILD.rulesVersion})\n`;

/**
 * The text that the command line requests in place of a start. An unknown word ends the program.
 */
const askedFor = (): string | undefined => {
  const { help, version } = parseArgs({
    options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } },
  }).values;
  if (help === true) return HELP;
  return version === true ? VERSION : undefined;
};

const main = async (): Promise<void> => {
  let asked: string | undefined;
  try {
    asked = askedFor();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    tellFailure({ message: `${message} Try --help.` });
    process.exitCode = 2;
    return;
  }
  if (asked === undefined) await serve();
  else printLines(asked.trimEnd());
};

void main();
