import { parseArgs } from 'node:util';

import { SHAPES } from './payload-shapes';

/** About how many elements each kind of measurement has, unless a flag says otherwise. */
const ELEMENTS = {
  speed: '100000',
  big: '500000',
  access: '100000',
  company: '100000',
  directory: '350000',
  history: '1000000',
  increment: '1000000',
  scopes: '1000000',
  steady: '40000',
  walks: '10000000',
  pages: '1000000',
  parts: '1000000',
  readers: '100000',
  memory: '100000',
  container: '100000',
  lists: '100000',
  reports: '100000',
  policies: '100000',
} as const;

type Kind = keyof typeof ELEMENTS;

const KINDS = Object.keys(ELEMENTS) as readonly Kind[];

/** What the bench measures, and how often. */
export interface Options {
  /**
   * - `speed`: how fast pushes are.
   * - `big`: how slow small requests get during a large push.
   * - `access`: how fast the service answers questions about access.
   * - `company`: what directories and an application cost that are pushed in turn.
   * - `directory`: how fast the service answers about one directory of 50,000 people.
   * - `history`: what history costs.
   * - `increment`: what an increment costs.
   * - `scopes`: what an increment of large scopes costs, and one of three rows.
   * - `steady`: how much memory many pushes take.
   * - `pages`: how fast pages of the console are, and how large.
   * - `parts`: how fast a chunked push is.
   * - `readers`: how slow questions get during a first push.
   * - `memory`: how much memory a payload needs.
   * - `container`: whether a service with limited memory accepts what it should and refuses the
   *   rest.
   * - `lists`: how fast whole lists are read in pages.
   * - `reports`: how fast the saved queries are.
   * - `walks`: how fast walks along a graph are that is made up in memory.
   * - `policies`: how fast a policy gives accounts, and what a change of few people costs.
   */
  readonly kind: Kind;
  /** `big`, `steady`: the size of the payload's JSON. */
  readonly bytes: number;
  /** `memory`, `container`: the shapes of the payloads. */
  readonly shapes: readonly string[];
  /** `memory`, `container`: LIMIT_TRANSACTION_ROWS of the service. Unset: the service decides. */
  readonly transactionRows: number | undefined;
  /** `container`: the limits of the service's memory, one after the other. */
  readonly limits: readonly string[];
  /** Whether `parts` has the service killed in the middle of its push, and started again. */
  readonly kill: boolean;
  /** `steady`: the number of pushes. */
  readonly pushes: number;
  /** `readers`: the number of answers beside each sort of load. */
  readonly samples: number;
  /** About how many nodes and relationships the payload becomes. */
  readonly elements: number;
  /** The number of rounds that count. */
  readonly rounds: number;
  /** The number of rounds before them that do not count, since a fresh JVM is slow. */
  readonly warmups: number;
  /** The seed of the payload. Equal seeds give equal payloads. */
  readonly seed: number;
  /** The Java heap of the Neo4j that the bench starts. */
  readonly heap: string;
  /**
   * A folder that keeps the large graph of `access`, `increment` and `reports` for the next run.
   * Unset: the graph is removed after the run.
   */
  readonly data: string | undefined;
  /**
   * `reports`: a folder with other versions of the saved queries; `company`, `directory`: the main program of
   * another build. They run by turns with these.
   */
  readonly against: string | undefined;
  /** `reports`: a part of the names of the saved queries to run; empty: all of them. */
  readonly only: string;
  /** A folder for a processor profile of the service. */
  readonly profile: string | undefined;
}

/** Reads a size, such as `512m`, in bytes. */
export const bytesOf = (heap: string): number => {
  const [, digits, unit = ''] = /^(\d+)([kmg]?)$/i.exec(heap) ?? [];
  return Number(digits) * 1024 ** ' kmg'.indexOf(unit.toLowerCase() || ' ');
};

/** A flag is wrong. */
export class BadOptions extends Error {}

/** The message for wrong flags. */
export const USAGE = `Usage: npm run bench -- [${KINDS.filter((kind) => kind !== 'speed').join('|')}] [flags]
  big                  small requests of another client during one large push
  access               questions about access, on a graph of so many elements
  company              directories and an application, pushed in turn, against no history and another build
  directory            questions about one directory of 50,000 people, by turns with another build
  history              pushes with history and without, answers about an instant, changes of pushes
  increment            an increment of a hundred entities on a small graph and on one of so many elements
  scopes               increments of 1,000 pairs in scopes of several sizes, and of three rows on two sizes of graph
  steady               memory of the service over many pushes
  pages                the pages of the console, idle and beside pushes
  parts                a push that is applied in parts, against hand-written transactions of 10,000 rows
  memory               the least heap of a push thread with which payloads of several shapes pass
  container            the largest payloads, and larger ones, in a service under a limit of memory (needs Linux and root)
  lists                whole lists of 5,000 and 10,000 rows, read in pages
  reports              every saved query
  walks                questions about access on a graph made up in memory, without Neo4j
  policies             a policy for 10,000 people and 1,000 groups, and a change of ten people
  readers              an analyst's question during a first push, and during a hand-written load
  --elements <number>  nodes and relationships of the payload (100000; big: 500000; directory: 350000; history, increment, pages, scopes: 1000000; steady: 40000; parts: 1000000; walks: 10000000 relationships)
  --megabytes <number> of JSON of the payload (big: 100; steady: 10; memory: 8)
  --shapes <names>     memory, container: which, separated by commas (all; container: company,texts,names)
  --rows <number>      memory, container: what one transaction may hold (LIMIT_TRANSACTION_ROWS)
  --limits <sizes>     container: memory of the service (1g,2g,4g)
  --kill               parts: kills the service in the middle of a push, and starts it again; nothing is written by hand
  --pushes <number>    how many (steady: 200)
  --samples <number>   answers that count, of readers (1000)
  --rounds <number>    rounds that count (3; directory, parts: 1)
  --warmups <number>   rounds before them (2; parts: 4)
  --seed <number>      chooses the payload (1)
  --heap <size>        Java heap of the Neo4j that is started (2g)
  --against <path>     company, directory: the main program (dist/main.js) of another build, by turns with this one
                       reports: other versions of cypher/queries, by turns with these; their rows must be equal
  --only <text>        reports: only the saved queries with this in their names
  --data <folder>      access, history, increment, pages, scopes, reports: keeps the graph there, and asks the one that a run before has left
  --profile <folder>   writes a processor profile of the service there
NEO4J_URI, NEO4J_USER, NEO4J_PASSWORD and NEO4J_DATABASE name an empty Neo4j to use instead of starting one.`;

const number = (name: string, text: string, least: number): number => {
  const value = /^\d{1,9}$/.test(text) ? Number(text) : NaN;
  if (value >= least) return value;
  throw new BadOptions(`--${name} must be a whole number from ${least} up, not ${text}.`);
};

const MEGABYTES = { big: '100', steady: '10', memory: '8' } as const;

/** Reads the flags. Throws `BadOptions`. */
export const readOptions = (args: readonly string[]): Options => {
  const kind = KINDS.find((each) => each === args[0]) ?? 'speed';
  const values = flags(kind === 'speed' ? args : args.slice(1));
  return {
    kind,
    bytes: number('megabytes', values.megabytes ?? megabytes(kind), 1) * 1_000_000,
    shapes: (
      values.shapes ?? (kind === 'container' ? 'company,texts,names' : Object.keys(SHAPES).join())
    ).split(','),
    transactionRows: values.rows === undefined ? undefined : number('rows', values.rows, 1),
    limits: values.limits.split(','),
    pushes: number('pushes', values.pushes, 10),
    elements: number('elements', values.elements ?? ELEMENTS[kind], 1000),
    samples: number('samples', values.samples, 1),
    kill: values.kill,
    rounds: number(
      'rounds',
      values.rounds ?? (['directory', 'parts'].includes(kind) ? '1' : '3'),
      1,
    ),
    warmups: number('warmups', values.warmups ?? (kind === 'parts' ? '4' : '2'), 0),
    seed: number('seed', values.seed, 0),
    heap: values.heap,
    data: values.data,
    against: values.against,
    only: values.only,
    profile: values.profile,
  };
};

const megabytes = (kind: Options['kind']): string =>
  kind === 'steady' || kind === 'memory' ? MEGABYTES[kind] : MEGABYTES.big;

const flags = (args: readonly string[]) => {
  try {
    return parseArgs({
      args: [...args],
      options: {
        elements: { type: 'string' },
        megabytes: { type: 'string' },
        shapes: { type: 'string' },
        rows: { type: 'string' },
        limits: { type: 'string', default: '1g,2g,4g' },
        pushes: { type: 'string', default: '200' },
        samples: { type: 'string', default: '1000' },
        kill: { type: 'boolean', default: false },
        rounds: { type: 'string' },
        warmups: { type: 'string' },
        seed: { type: 'string', default: '1' },
        heap: { type: 'string', default: '2g' },
        data: { type: 'string' },
        against: { type: 'string' },
        only: { type: 'string', default: '' },
        profile: { type: 'string' },
      },
    }).values;
  } catch (error) {
    throw new BadOptions(error instanceof Error ? error.message : String(error));
  }
};
