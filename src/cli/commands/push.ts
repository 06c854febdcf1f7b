import { SingleBar } from 'cli-progress';
import * as E from 'fp-ts/Either';
import { RefusedRequest } from '../../client/client';
import { planPayload, pushPayload } from '../../client/push-payload';
import { findTarget, type Target } from '../../client/registered';
import { placed } from '../../client/validate-payload';
import type { PlanAnswer } from '../../contract/answers/plan';
import type { PushAnswer } from '../../contract/answers/pushes';
import { isIncrement } from '../../contract/decode';
import { parseJson } from '../../contract/json';
import { counted } from '../../codec/quote';
import { csvPayload } from '../../csv/payload';
import type { CsvPlace } from '../../problem';
import { TEMPLATES, type Template } from '../../templates/templates';
import {
  command,
  asking,
  type Context,
  PlacedRefusal,
  type ServiceOptions,
  serviceOptions,
  Unsuccessful,
  WrongUsage,
} from '../../command/context';
import { type CsvOptions, csvOptions, isCsv, placeInWords, systemOf } from '../csv-options';
import { EXIT, tableOf } from '../../command/output';
import { readText } from '../../command/read-text';
import { printErrors } from '../../visible-text';

interface PushArguments extends ServiceOptions, CsvOptions {
  readonly file: string;
  readonly provider: string;
  readonly dataSource: string;
  readonly template: Template | undefined;
  readonly create: boolean;
  readonly plan: boolean;
  readonly increment: boolean;
  readonly confirmRemoval: string | undefined;
}

const sizeOf = ({ nodes, relationships }: PushAnswer['put']): string =>
  `${counted(nodes, 'node')} and ${counted(relationships, 'relationship')}`;

/**
 * Returns the place in a CSV file from which a part of the payload comes. Undefined if the file is
 * no CSV.
 */
type PlaceOf = ((pointer: string) => CsvPlace) | undefined;

const warningLines = (
  { warnings }: Pick<PushAnswer, 'warnings'>,
  placeOf: PlaceOf,
): readonly string[] =>
  warnings.length === 0
    ? []
    : [
        tableOf(
          warnings.map(({ pointer, code, message }) => ({
            pointer,
            code,
            warning: message,
            ...placeOf?.(pointer),
          })),
          [...(placeOf === undefined ? ['pointer'] : ['row', 'column']), 'code', 'warning'],
        ),
      ];

const pushLines = (answer: PushAnswer, placeOf: PlaceOf): readonly string[] => [
  ...warningLines(answer, placeOf),
  answer.unchanged
    ? `Unchanged: the graph held all of it already (push ${answer.push_id}).`
    : `Pushed: ${sizeOf(answer.put)} put, ${sizeOf(answer.removed)} removed (push ${answer.push_id}).`,
];

const planLines = (plan: PlanAnswer, placeOf: PlaceOf): readonly string[] => [
  ...warningLines(plan, placeOf),
  ...plan.nodes.values.map(
    ({ change, label, name, id }) => `${change} ${label} ${name ?? id ?? ''}`,
  ),
  ...(plan.nodes.truncated ? [`… ${plan.nodes.total} nodes in all`] : []),
  ...(plan.confirmation === null ? [] : [plan.confirmation.message]),
  `The push would put ${sizeOf(plan.put)} and remove ${sizeOf(plan.removed)}. Nothing was written.`,
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
  const text = await readText(args.file);
  const isTable = isCsv(args, args.file);
  const parsed = isTable ? E.right(null) : parseJson(text);
  if (args.increment && !(E.isRight(parsed) && isIncrement(parsed.right))) {
    throw new WrongUsage('--increment: the payload lacks "incremental_change": true.');
  }
  const create = args.create ? { template: args.template } : undefined;
  const names = { provider: args.provider, dataSource: args.dataSource, create };
  const target = await findTarget(client, names);
  const { payload, placeOf } = isTable ? ofCsv(text, target, args) : plain(text);
  try {
    if (args.plan) {
      const plan = await planPayload(client, target, payload);
      output.answer(plan, planLines(plan, placeOf));
      return;
    }
    const bar = progressBar();
    const options = { confirmRemoval: args.confirmRemoval, progress: bar.show };
    const answer = await pushPayload(client, target, payload, options).finally(bar.stop);
    output.answer(answer, pushLines(answer, placeOf));
  } catch (error) {
    if (!(error instanceof RefusedRequest)) throw error;
    throw placeOf === undefined ? inLines(payload, error) : inCells(error, placeOf);
  }
};

const plain = (payload: string): { readonly payload: string; readonly placeOf: PlaceOf } => ({
  payload,
  placeOf: undefined,
});

/** The payload that a CSV file becomes. It is pushed like any other payload. */
const ofCsv = (
  text: string,
  { provider, dataSource }: Target,
  args: PushArguments,
): { readonly payload: string; readonly placeOf: PlaceOf } => {
  const system = systemOf(args, { name: dataSource.name, type: provider.name });
  const made = csvPayload(provider.custom_template, text, system);
  if (E.isLeft(made)) {
    for (const { code, message, ...place } of made.left.problems) {
      printErrors(`${placeInWords(place)}: ${code} ${message}`);
    }
    throw new Unsuccessful(EXIT.refused);
  }
  const { payload, places } = made.right;
  return { payload: JSON.stringify(payload), placeOf: (pointer) => places.of(pointer) };
};

/**
 * Adds the row and column of each problem in a CSV file, because the service has seen only the
 * payload.
 */
const inCells = (refused: RefusedRequest, placeOf: (pointer: string) => CsvPlace): PlacedRefusal =>
  new PlacedRefusal(
    refused,
    refused.problems.map(({ pointer }) => placeOf(pointer)),
    ['row', 'column'],
  );

/**
 * Adds the line and column of each problem in the file, because the service returns only its
 * pointer.
 */
const inLines = (payload: string, refused: RefusedRequest): PlacedRefusal => {
  const problems = refused.problems.map(({ pointer, code, description }) => ({
    pointer,
    code,
    message: description,
  }));
  return new PlacedRefusal(refused, placed(payload, problems), ['line', 'column']);
};

/** `grantgraph push`. */
export const pushCommand = command<PushArguments>({
  command: 'push <file>',
  describe: 'Push a payload; - reads the standard input',
  builder: (yargs) =>
    csvOptions(serviceOptions(yargs))
      .positional('file', {
        type: 'string',
        demandOption: true,
        describe: 'JSON or CSV file, or -',
      })
      .options({
        provider: { type: 'string', demandOption: true, describe: 'Name or id of the provider' },
        'data-source': {
          type: 'string',
          demandOption: true,
          describe: 'Name or id of the data source',
        },
        create: { type: 'boolean', default: false, describe: 'Create what is missing' },
        template: { choices: TEMPLATES, describe: 'Template of a provider that is created' },
        plan: { type: 'boolean', default: false, describe: 'Only show what the push would change' },
        increment: {
          type: 'boolean',
          default: false,
          describe: 'Refuse a payload that is no increment',
        },
        'confirm-removal': { type: 'string', describe: 'Digest that the removal guard named' },
      })
      .example('$0 push people.json --provider Directory --data-source example.org', 'Push a file')
      .example(
        'my-connector | $0 push - --provider Wiki --data-source wiki --create --template application',
        'Push what a program prints; create the provider at first',
      )
      .example(
        '$0 push people.json --provider Directory --data-source example.org --plan',
        'Dry run',
      )
      .example(
        '$0 push staff.csv --provider Directory --data-source example.org --column login=name',
        'Push a CSV file; its column "login" holds the names',
      ),
  handler: asking<PushArguments>(push),
});
