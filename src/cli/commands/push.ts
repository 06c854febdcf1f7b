import { readFile } from 'node:fs/promises';
import { text } from 'node:stream/consumers';

import { SingleBar } from 'cli-progress';
import * as E from 'fp-ts/Either';
import { RefusedRequest } from '../../client/client';
import { planPayload, pushPayload } from '../../client/push-payload';
import { findTarget } from '../../client/registered';
import { placed } from '../../client/validate-payload';
import type { PlanAnswer } from '../../contract/answers/plan';
import type { PushAnswer } from '../../contract/answers/pushes';
import { isIncrement } from '../../contract/decode';
import { parseJson } from '../../contract/json';
import { TEMPLATES, type Template } from '../../templates/templates';
import {
  command,
  asking,
  type Context,
  type ServiceOptions,
  serviceOptions,
  WrongUsage,
} from '../context';
import { tableOf } from '../output';

interface PushArguments extends ServiceOptions {
  readonly file: string;
  readonly provider: string;
  readonly dataSource: string;
  readonly template: Template | undefined;
  readonly create: boolean;
  readonly plan: boolean;
  readonly increment: boolean;
  readonly confirmRemoval: string | undefined;
}

/** The text of a file or of standard input. */
export const readText = async (file: string): Promise<string> => {
  try {
    return file === '-' ? await text(process.stdin) : await readFile(file, 'utf8');
  } catch (error) {
    throw new WrongUsage(`Cannot read ${file}: ${error instanceof Error ? error.message : ''}`);
  }
};

const counted = ({ nodes, relationships }: PushAnswer['put']): string =>
  `${nodes} nodes and ${relationships} relationships`;

const warningLines = ({ warnings }: Pick<PushAnswer, 'warnings'>): readonly string[] =>
  warnings.length === 0
    ? []
    : [
        tableOf(
          warnings.map(({ pointer, code, message }) => ({ pointer, code, warning: message })),
          ['pointer', 'code', 'warning'],
        ),
      ];

const pushLines = (answer: PushAnswer): readonly string[] => [
  ...warningLines(answer),
  answer.unchanged
    ? `Unchanged: the graph held all of it already (push ${answer.push_id}).`
    : `Pushed: ${counted(answer.put)} put, ${counted(answer.removed)} removed (push ${answer.push_id}).`,
];

const planLines = (plan: PlanAnswer): readonly string[] => [
  ...warningLines(plan),
  ...plan.nodes.values.map(
    ({ change, label, name, id }) => `${change} ${label} ${name ?? id ?? ''}`,
  ),
  ...(plan.nodes.truncated ? [`… ${plan.nodes.total} nodes in all`] : []),
  ...(plan.confirmation === null ? [] : [plan.confirmation.message]),
  `The push would put ${counted(plan.put)} and remove ${counted(plan.removed)}. Nothing was written.`,
];

/** On a terminal, shows how many parts have arrived. */
const progressBar = (): {
  readonly show: (done: number, total: number) => void;
  readonly stop: () => void;
} => {
  const bar = new SingleBar({
    format: 'sending {bar} {value}/{total} parts',
    clearOnComplete: true,
  });
  return {
    show: (done, total) => {
      if (!process.stderr.isTTY) return;
      if (done === 1) bar.start(total, 0);
      bar.update(done);
    },
    stop: () => bar.stop(),
  };
};

const push = async ({ client, output }: Context, args: PushArguments): Promise<void> => {
  const payload = await readText(args.file);
  const parsed = parseJson(payload);
  if (args.increment && !(E.isRight(parsed) && isIncrement(parsed.right))) {
    throw new WrongUsage('--increment: the payload lacks "incremental_change": true.');
  }
  const create = args.create ? { template: args.template } : undefined;
  const names = { provider: args.provider, dataSource: args.dataSource, create };
  const target = await findTarget(client, names);
  try {
    if (args.plan) {
      const plan = await planPayload(client, target, payload);
      output.answer(plan, planLines(plan));
      return;
    }
    const bar = progressBar();
    const options = { confirmRemoval: args.confirmRemoval, progress: bar.show };
    const answer = await pushPayload(client, target, payload, options).finally(bar.stop);
    output.answer(answer, pushLines(answer));
  } catch (error) {
    if (error instanceof RefusedRequest && error.problems.length > 0) tellPlaces(payload, error);
    throw error;
  }
};

/** Tells the line and column of each problem in the file; the service tells only its pointer. */
const tellPlaces = (payload: string, { problems }: RefusedRequest): void => {
  const places = placed(
    payload,
    problems.map(({ pointer, code, description }) => ({ pointer, code, message: description })),
  );
  for (const { line, column, code, message } of places) {
    process.stderr.write(`${line}:${column} ${code} ${message}\n`);
  }
};

/** `grantgraph push`. */
export const pushCommand = command<PushArguments>({
  command: 'push <file>',
  describe: 'Push a payload; - reads the standard input',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('file', { type: 'string', demandOption: true, describe: 'JSON file, or -' })
      .options({
        provider: { type: 'string', demandOption: true, describe: 'Name or id of the provider' },
        'data-source': {
          type: 'string',
          demandOption: true,
          describe: 'Name or id of the data source',
        },
        create: { type: 'boolean', default: false, describe: 'Create what is missing' },
        template: { choices: TEMPLATES, describe: 'Template of a provider that is created' },
        plan: { type: 'boolean', default: false, describe: 'Only tell what the push would change' },
        increment: {
          type: 'boolean',
          default: false,
          describe: 'Refuse a payload that is no increment',
        },
        'confirm-removal': { type: 'string', describe: 'Digest that the removal guard asked for' },
      })
      .example('$0 push people.json --provider Directory --data-source example.org', 'Push a file')
      .example(
        'my-connector | $0 push - --provider Wiki --data-source wiki --create --template application',
        'Push what a program prints; create the provider at first',
      )
      .example(
        '$0 push people.json --provider Directory --data-source example.org --plan',
        'Dry run',
      ),
  handler: asking<PushArguments>(push),
});
