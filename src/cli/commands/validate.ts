import { validatePayload } from '../../client/validate-payload';
import { TEMPLATES, type Template } from '../../templates/templates';
import { command, Unsuccessful } from '../context';
import { EXIT, outputFor, tableOf } from '../output';
import { readText } from './push';

interface ValidateArguments {
  readonly file: string;
  readonly template: Template;
  readonly json: boolean;
}

/** `grantgraph validate`: needs no service. */
export const validateCommand = command<ValidateArguments>({
  command: 'validate <file>',
  describe: 'Check a payload without a service',
  builder: (yargs) =>
    yargs
      .positional('file', { type: 'string', demandOption: true, describe: 'JSON file, or -' })
      .options({
        template: { choices: TEMPLATES, demandOption: true, describe: 'Template of the payload' },
        json: { type: 'boolean', default: false, describe: 'Print JSON for programs' },
      })
      .example('$0 validate people.json --template identity_provider', 'Check a file'),
  handler: async ({ file, template, json }) => {
    const check = validatePayload(template, await readText(file));
    const columns = ['line', 'column', 'code', 'pointer', 'message'];
    const lines = [
      ...(check.problems.length > 0 ? [tableOf(check.problems, columns)] : []),
      check.total > 0
        ? `${check.total} problems.`
        : check.isIncrement
          ? 'The increment is shaped right. Its names are checked when it is pushed.'
          : 'The payload is valid.',
    ];
    outputFor(json).answer(check, lines);
    if (check.total > 0) throw new Unsuccessful(EXIT.refused);
  },
});
