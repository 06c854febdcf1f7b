import { existsSync } from 'node:fs';

import { RefusedRequest } from '../../client/client';
import { stepsOf } from '../../codec/pointer';
import { partFilter } from '../../client/find-entity';
import {
  type ExplanationAnswer,
  PrincipalsWithAccess,
  ReachedResources,
  type ResourceRow,
} from '../../contract/answers/questions/access';
import { throughOf } from '../../contract/tables/access';
import { endpoints, type QueryAnswer } from '../../questions/endpoints';
import { typeOf } from '../../kit/values';
import { savedQueries } from '../../kit/saved-queries';
import { nameOf, type SavedQuery } from '../../kit/saved-query';
import { accountsInWords, askedAbout, idOf, printHuman, whomOf } from '../../command/candidates';
import {
  command,
  asking,
  type Context,
  instants,
  PlacedRefusal,
  type ServiceOptions,
  serviceOptions,
  WrongUsage,
} from '../../command/context';
import { collectFirst, collectWithFirst } from '../../client/collect-list';
import { printFirst } from '../../command/output';
import { readText } from '../../command/read-text';

const COLUMNS = ['name', 'label', 'id'];

interface FindArguments extends ServiceOptions {
  readonly text: string | undefined;
  readonly filter: string | undefined;
  readonly label: string | undefined;
  readonly most: number;
}

/** `grantgraph find`. */
export const findCommand = command<FindArguments>({
  command: 'find [text]',
  describe: 'Find entities by a part of their name, email or path, or by a filter',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('text', { type: 'string', describe: 'Part of a name, email, login or path' })
      .options({
        filter: { type: 'string', describe: 'A filter instead, such as: is_active eq false' },
        label: { type: 'string', describe: 'Of this label only, such as IdpUser' },
        most: { type: 'number', default: 50, describe: 'How many to list' },
      })
      .example('$0 find ann', 'Whatever is called something with ann')
      .example(`$0 find --label LocalUser --filter 'is_active eq false'`, 'Inactive accounts'),
  handler: asking<FindArguments>(async ({ client, output }, { text, filter, label, most }) => {
    if (text !== undefined && filter !== undefined) {
      throw new WrongUsage('Use a text or --filter, not both.');
    }
    const search = text === undefined ? filter : partFilter(text);
    const list = client.entries(endpoints.search, {}, { filter: search, label });
    printFirst(output, await collectFirst(list, most), COLUMNS);
  }),
});

interface AccessArguments extends ServiceOptions {
  readonly name: string;
  readonly permission: readonly string[] | undefined;
  readonly permissionType: readonly string[] | undefined;
  readonly application: readonly string[] | undefined;
  readonly label: string | undefined;
  readonly at: string | undefined;
}

interface WhoArguments {
  readonly person: boolean | undefined;
  readonly all: boolean | undefined;
  readonly contents: boolean | undefined;
}

const instant = {
  ...instants({ at: 'About this instant, such as 2026-03-01T12:00:00Z' }),
} as const;

const narrowing = {
  permission: { type: 'string', array: true, describe: 'Native names of permissions, any of them' },
  'permission-type': {
    type: 'string',
    array: true,
    describe: 'Canonical types, such as DataWrite',
  },
  application: { type: 'string', array: true, describe: 'Names of applications, any of them' },
  label: { type: 'string', describe: 'Rows of this label only' },
  ...instant,
} as const;

const filtersOf = (args: AccessArguments) => ({
  permission: args.permission,
  permission_type: args.permissionType,
  application: args.application,
  label: args.label,
  at: args.at,
});

/** A row of a human, with the accounts through which the human has it. */
const withAccounts = (answer: ReachedResources, row: ResourceRow) => {
  const through = row.permissions.flatMap((held) => throughOf(answer, held) ?? []);
  return { ...row, accounts: [...new Set(through)] };
};

const listReached = async ({ client, output }: Context, args: AccessArguments): Promise<void> => {
  const whom = await whomOf(client, args.name, args.at);
  const { principal, person } = whom;
  const parameters = { principal, person, ...filtersOf(args) };
  const { first, rows } = await askedAbout(whom, () =>
    collectWithFirst(
      client.pagesOf({ ...endpoints.access, answer: ReachedResources }, {}, parameters),
    ),
  );
  if (first !== null) printHuman(output, first);
  const columns = ['application', 'name', 'path', 'label', 'permissions'];
  if (first?.accounts === undefined) output.rows(rows, columns);
  else
    output.rows(
      rows.map((row) => withAccounts(first, row)),
      [...columns, 'accounts'],
      accountsInWords,
    );
};

const listWho = async (
  { client, output }: Context,
  args: AccessArguments & WhoArguments,
): Promise<void> => {
  const resource = await idOf(client, 'resource', args.name, args.at);
  const { first, rows } = await collectWithFirst(
    client.pagesOf(
      { ...endpoints.access, answer: PrincipalsWithAccess },
      {},
      {
        resource,
        ...filtersOf(args),
        person: args.person,
        entities: args.all,
        contents: args.contents,
      },
    ),
  );
  const [columns, people] = [['name', 'label', 'application', 'inactive'], first?.people];
  const shown = [...columns, ...(people === undefined ? [] : ['accounts']), 'permissions'];
  output.rows(rows, shown, accountsInWords);
  if (people !== undefined && people < rows.length) {
    output.note(`Humans: ${people}. Others, behind whom no human is: ${rows.length - people}.`);
  }
};

/** `grantgraph access`. */
export const accessCommand = command<AccessArguments>({
  command: 'access <name>',
  describe: 'List what a principal can reach, and with which permissions',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('name', {
        type: 'string',
        demandOption: true,
        describe: 'Id, name, email or login',
      })
      .options(narrowing)
      .example('$0 access ann@example.org', 'All that ann can reach')
      .example('$0 access ann@example.org --at 2026-03-01T12:00:00Z', 'What she could reach then'),
  handler: asking<AccessArguments>(listReached),
});

/** `grantgraph who-can`. */
export const whoCanCommand = command<AccessArguments & WhoArguments>({
  command: 'who-can <name>',
  describe: 'List who can reach a resource: people first, then what belongs to no human',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('name', { type: 'string', demandOption: true, describe: 'Id, name or path' })
      .options({
        ...narrowing,
        // With a default, each of these options would conflict with the other.
        person: { type: 'boolean', describe: 'Only people' },
        all: { type: 'boolean', describe: 'One row for each entity' },
        contents: { type: 'boolean', describe: 'Who can reach something in it counts too' },
      })
      .conflicts('person', 'all')
      .example('$0 who-can Handbook.Salaries --permission-type DataWrite', 'Who can write there')
      .example(
        '$0 who-can Handbook.Salaries --all',
        'Users, accounts, groups and roles, each alone',
      ),
  handler: asking<AccessArguments & WhoArguments>(listWho),
});

interface ExplainArguments extends ServiceOptions {
  readonly principal: string;
  readonly resource: string;
  readonly permission: string | undefined;
  readonly at: string | undefined;
}

const pathLines = ({ paths, truncated }: ExplanationAnswer): readonly string[] => [
  ...paths.map(({ permission, hops, scope }) => {
    const way = hops.map(({ name, since }) => (since === null ? name : `${name} (since ${since})`));
    return `${permission.name}: ${way.join(' → ')} on ${scope.map(({ name }) => name).join(' / ')}`;
  }),
  ...(paths.length === 0 ? ['No access.'] : []),
  ...(truncated ? ['… and more paths.'] : []),
];

/** `grantgraph explain`. */
export const explainCommand = command<ExplainArguments>({
  command: 'explain <principal> <resource>',
  describe: 'Tell through what a principal has access to a resource, shortest paths first',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('principal', {
        type: 'string',
        demandOption: true,
        describe: 'Id, name or email',
      })
      .positional('resource', { type: 'string', demandOption: true, describe: 'Id, name or path' })
      .options({
        permission: { type: 'string', describe: 'This native permission only' },
        ...instant,
      })
      .example('$0 explain ann@example.org Handbook.Salaries', 'Why ann has access'),
  handler: asking<ExplainArguments>(async ({ client, output }, args) => {
    const whom = await whomOf(client, args.principal, args.at);
    const { principal, person } = whom;
    const resource = await idOf(client, 'resource', args.resource, args.at);
    const { value, ...about } = await askedAbout(whom, () =>
      client.call(
        endpoints.explain,
        {},
        { parameters: { principal, person, resource, permission: args.permission, at: args.at } },
      ),
    );
    printHuman(output, about);
    output.answer(value, pathLines(value));
  }),
});

interface QueryArguments extends ServiceOptions {
  readonly cypher: string;
  readonly param: readonly string[] | undefined;
}

const pairsOf = (pairs: readonly string[]): readonly (readonly [name: string, text: string])[] =>
  pairs.map((pair) => {
    const [, name, text = ''] = /^([^=]+)=(.*)$/s.exec(pair) ?? [];
    if (name === undefined) throw new WrongUsage(`--param ${pair}: write name=value.`);
    return [name, text];
  });

/** Reads `name=value` pairs. A value that is JSON counts as JSON; any other is a text. */
const parametersOf = (pairs: readonly string[]): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    pairsOf(pairs).map(([name, text]) => {
      try {
        return [name, JSON.parse(text) as unknown];
      } catch {
        return [name, text];
      }
    }),
  );

/** Adds the option that gives a parameter to each problem with that parameter. */
const withOptions = (error: unknown): unknown => {
  if (!(error instanceof RefusedRequest)) return error;
  const options = error.problems.map(({ pointer }) => {
    const [place, name] = stepsOf(pointer);
    return place === 'parameters' && name !== undefined ? { option: `--param ${name}=…` } : {};
  });
  const columns = options.some((each) => 'option' in each) ? ['option'] : [];
  return new PlacedRefusal(error, options, columns);
};

/** Prints the rows of a query. */
const printRows = ({ output }: Context, value: QueryAnswer, json: boolean | undefined): void => {
  const { columns, rows, truncated, notices } = value;
  for (const { title, description } of notices) output.note(`${title}: ${description}`);
  const objects = rows.map((row) =>
    Object.fromEntries(columns.map((column, at) => [column, row[at]])),
  );
  output.rows(json === true ? [value] : objects, columns);
  if (truncated) output.tell('The answer was cut: there are more rows.');
};

interface SavedArguments extends ServiceOptions {
  readonly name: string | undefined;
  readonly param: readonly string[] | undefined;
}

const listSaved = ({ output }: Context): void =>
  output.rows(
    savedQueries().map((saved) => ({
      query: nameOf(saved),
      question: saved.question,
      parameters: saved.parameters.map(({ name }) => name),
    })),
    ['query', 'question', 'parameters'],
  );

/** What a shell writes for a parameter of a saved query. Lists are texts with commas between them. */
const writtenValue = (saved: SavedQuery | undefined, name: string, text: string): unknown => {
  const parameter = saved?.parameters.find((each) => each.name === name);
  const type = parameter === undefined ? 'text' : typeOf(parameter);
  if (type === 'number') return /^-?\d+$/.test(text) ? Number(text) : text;
  return type === 'texts' ? text.split(',').filter((each) => each !== '') : text;
};

/** `grantgraph saved`. */
export const savedCommand = command<SavedArguments>({
  command: 'saved [name]',
  describe: 'Run a saved query with values for its parameters; without a name: list them',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('name', { type: 'string', describe: 'Such as access/who-can-read-a-resource' })
      .options({
        param: { type: 'string', array: true, describe: 'name=value; of a list: name=one,other' },
      })
      .example(
        '$0 saved access/who-can-read-a-resource --param resource=Handbook',
        'Who can read it',
      ),
  handler: asking<SavedArguments>(async (context, { name, param = [], json }) => {
    if (name === undefined) return listSaved(context);
    const saved = savedQueries().find((query) => nameOf(query) === name);
    const [topic = '', ...rest] = name.split('/');
    const ids = { topic, name: rest.join('/') };
    const parameters = Object.fromEntries(
      pairsOf(param).map(([key, text]) => [key, writtenValue(saved, key, text)]),
    );
    const { value } = await context.client
      .call(endpoints.runSaved, ids, { body: { parameters } })
      .catch((error: unknown) => {
        throw withOptions(error);
      });
    printRows(context, value, json);
  }),
});

/** `grantgraph query`. */
export const queryCommand = command<QueryArguments>({
  command: 'query <cypher>',
  describe: 'Run a reading query in Cypher: a text, or a file; the key needs the scope cypher',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('cypher', { type: 'string', demandOption: true, describe: 'Cypher, or a file' })
      .options({
        param: { type: 'string', array: true, describe: 'name=value; the value may be JSON' },
      })
      .example('$0 query "MATCH (n:IdpUser) RETURN n.name AS name"', 'A query')
      .example(`$0 query my-question.cypher --param resource=Handbook`, 'A query in a file'),
  handler: asking<QueryArguments>(async (context, { cypher, param = [], json }) => {
    if (/^\S+\.cypher$/.test(cypher) && !existsSync(cypher)) {
      throw new WrongUsage(`There is no file ${cypher}.`);
    }
    const text = existsSync(cypher) ? await readText(cypher) : cypher;
    const body = { cypher: text, parameters: parametersOf(param) };
    const { value } = await context.client
      .call(endpoints.query, {}, { body })
      .catch((error: unknown) => {
        throw withOptions(error);
      });
    printRows(context, value, json);
  }),
});
