import { basename } from 'node:path';

import { validateCsv, validatePayload } from '../../client/validate-payload';
import { TEMPLATES, type Template } from '../../templates/templates';
import { counted } from '../../codec/quote';
import { command, Unsuccessful } from '../../command/context';
import { type CsvOptions, csvOptions, isCsv, systemOf } from '../csv-options';
import { EXIT, nearLines, outputFor, tableOf } from '../../command/output';
import { readText } from '../../command/read-text';

interface ValidateArguments extends CsvOptions {
  readonly file: string;
  readonly template: Template;
  readonly json: boolean;
}

/** `grantgraph validate`: needs no service. */
export const validateCommand = command<ValidateArguments>({
  command: 'validate <file>',
  describe: 'Check a payload without a service',
  builder: (yargs) =>
    csvOptions(yargs)
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'JSON or CSV file, or -',
      })
      .options({
        template: { choices: TEMPLATES, demandOption: true, describe: 'Template of the payload' },
        json: { type: 'boolean', default: false, describe: 'Print JSON for programs' },
      })
      .example('$0 validate people.json --template identity_provider', 'Check a file')
      .example('$0 validate accounts.csv --template application', 'Check a CSV file'),
  handler: async ({ file, template, json, ...csv }) => {
    const text = await readText(file);
    const isTable = isCsv(csv, file);
    const system = systemOf(csv, { name: basename(file), type: basename(file) });
    const check = isTable ? validateCsv(template, text, system) : validatePayload(template, text);
    const columns = [isTable ? 'row' : 'line', 'column', 'code', 'pointer', 'message'];
    const lines = [
      ...(check.problems.length > 0 ? [tableOf(check.problems, columns)] : []),
      ...nearLines(check.problems),
      check.total > 0
        ? `${counted(check.total, 'problem')}.`
        : check.isIncrement
          ? 'The increment is shaped right. Its names are checked when it is pushed.'
          : 'The payload is valid.',
    ];
    outputFor(json).answer(check, lines);
    if (check.total > 0) throw new Unsuccessful(EXIT.refused);
  },
});
