import type {
  AccessList,
  HeldThrough,
  HumanAccount,
  Summary,
  WayOfRow,
} from '../../../contract/answers/questions/access';
import type {
  AccessChangeList,
  CauseOfChange,
  CauseThing,
} from '../../../contract/answers/questions/access-changes';
import type { CsvColumn } from '../../../contract/csv';
import { isTrue } from '../../../contract/parameters/query-parameters';
import { accountInWords, throughOf, unnamedOf } from '../../../contract/tables/access';
import type { Asking, AsTable } from '../../../web/lists/listed';
import { kindInSentence, kindOf } from './kinds';
import { PRIVILEGED_TYPES, typesMeant } from '../../../model/access-narrowing';
import { markOfRow } from '../words/marks';
import { wayInWords } from '../words/ways';
import { causeInWords } from '../words/causes';
import { isRowPrivileged, wordsFor } from '../words/permission-types';

/** What a line of a table for people is about. */
interface Line {
  readonly who: Pick<Summary, 'id' | 'name' | 'label' | 'provider'>;
  readonly what: Pick<Summary, 'id' | 'name' | 'path' | 'label' | 'resource_type' | 'application'> &
    Pick<Summary, 'provider'>;
  readonly held: readonly HeldThrough[];
  /** Whether the row has a privileged permission, also one that its list leaves out; unset: nobody asked. */
  readonly privileged?: boolean;
  /** The accounts through which somebody has it, if it is known. */
  readonly through: readonly HumanAccount[];
  readonly change?: 'gained' | 'lost';
  /** What brought a change about, if somebody asked. */
  readonly cause?: CauseOfChange | null;
  readonly marks?: readonly string[];
  readonly way?: WayOfRow | null;
}

/** Who a line is about. */
export const WHO: readonly CsvColumn<Pick<Line, 'who'>>[] = [
  { name: 'Who', cell: ({ who }) => who.name },
  { name: 'Kind', cell: ({ who }) => kindOf(who.label) },
  { name: 'Who is from', cell: ({ who }) => who.provider },
];

/** What a line is about. */
export const ON_WHAT: readonly CsvColumn<Pick<Line, 'what'>>[] = [
  { name: 'Resource', cell: ({ what }) => what.path ?? what.name },
  { name: 'Type', cell: ({ what }) => what.resource_type ?? kindOf(what.label) },
  { name: 'Application', cell: ({ what }) => what.application },
  { name: 'Resource is from', cell: ({ what }) => what.provider },
];

const IS_PRIVILEGED: CsvColumn<Line> = {
  name: 'Privileged',
  cell: ({ held, privileged }) => (isRowPrivileged(held, privileged) ? 'yes' : ''),
};

/**
 * Whether a table can say who is privileged. Without details, rows of a list of some permissions have these
 * alone.
 */
const hasPrivileged = ({ query }: Asking): boolean => {
  const given = (name: string): readonly string[] =>
    [query[name] ?? []]
      .flat()
      .map(String)
      .filter((value) => value !== '');
  const types = typesMeant(given('permission_type'));
  return (
    given('details').some(isTrue) ||
    (given('permission').length === 0 &&
      (types.length === 0 || PRIVILEGED_TYPES.every((type) => types.includes(type))))
  );
};

/** The own names of permissions. */
export const namesOf = (held: readonly Pick<HeldThrough, 'name'>[]): string =>
  held.map(({ name }) => name).join(', ');

/** What somebody can, and on what. */
const whatOf = (asking: Asking): readonly CsvColumn<Line>[] => [
  ...ON_WHAT,
  { name: 'Can', cell: ({ held }) => wordsFor(held) },
  ...(hasPrivileged(asking) ? [IS_PRIVILEGED] : []),
  { name: 'Permissions', cell: ({ held }) => namesOf(held) },
];

/** Through what a row is there, as its page says it. */
const DETAILS: readonly CsvColumn<Line>[] = [
  { name: 'Through', cell: ({ way, what }) => (way ? wayInWords(way, what.provider) : null) },
  { name: 'Since', cell: ({ way }) => way?.since },
];

const ACCOUNTS: readonly CsvColumn<Line>[] = [
  {
    name: 'Accounts',
    cell: ({ held, through }) => {
      const named = through.map((each) => accountInWords(each, kindInSentence(each.label)));
      return [...named, ...(held.some(unnamedOf) ? ['and more'] : [])].join(', ');
    },
  },
];

const throughIn = (
  answer: Parameters<typeof throughOf>[0],
  held: readonly HeldThrough[],
): readonly HumanAccount[] => {
  const all = held.flatMap((each) => throughOf(answer, each) ?? []);
  return [...new Map(all.map((account) => [account.id, account])).values()];
};

const nameOfHeld = ({ name, permission_type }: HeldThrough): string =>
  JSON.stringify([name, permission_type]);

const privilegedIn = ({
  privileged,
}: {
  readonly privileged?: boolean | null | undefined;
}): Pick<Line, 'privileged'> => (privileged == null ? {} : { privileged });

const accessLines = (answer: AccessList): readonly Line[] =>
  'resource' in answer
    ? answer.values.map((row) => ({
        who: row,
        what: answer.resource,
        held: row.permissions,
        marks: row.marks ?? [],
        ...privilegedIn(row),
        way: row.way ?? null,
        through: row.accounts ?? [],
      }))
    : answer.values.map((row) => ({
        who: answer.principal,
        what: row,
        held: row.permissions,
        ...privilegedIn(row),
        way: row.way ?? null,
        through: throughIn(answer, row.permissions),
      }));

/** A list of access as a table for people: a line for each row, in words and without ids. */
export const plainAccess: AsTable<AccessList, Line> = {
  columns: (asking) => [
    ...WHO,
    { name: 'Marks', cell: ({ marks = [] }) => marks.map(markOfRow).join(', ') },
    ...whatOf(asking),
    ...DETAILS,
    ...ACCOUNTS,
  ],
  rowsOf: accessLines,
};

const newestOf = (cause: Line['cause']): CauseThing | undefined =>
  cause?.things?.toSorted((a, b) => ((a.at ?? '') < (b.at ?? '') ? 1 : -1))[0];

const becauseOf = ({ cause, who, what }: Line): string | null =>
  cause ? causeInWords(cause.things, { who: new Set([who.id]), on: new Set([what.id]) }) : null;

/** What brought a change about, as its page says it. */
const CAUSE: readonly CsvColumn<Line>[] = [
  { name: 'Because', cell: becauseOf },
  { name: 'When', cell: ({ cause }) => newestOf(cause)?.at },
  // The first eight letters of an id are enough: pages accept them as well.
  { name: 'Push', cell: ({ cause }) => newestOf(cause)?.push?.slice(0, 8) },
];

/** Changes of access in the same way: a line for each cause of each row. */
export const plainChanges: AsTable<AccessChangeList, Line> = {
  columns: (asking) => [
    { name: 'Change', cell: ({ change }) => change },
    ...WHO,
    ...whatOf(asking),
    ...ACCOUNTS,
    ...CAUSE,
  ],
  rowsOf: (answer) =>
    answer.values.flatMap(({ principal, resource, causes, ...sides }) =>
      (['gained', 'lost'] as const).flatMap((change): readonly Line[] => {
        const line = { who: principal, what: resource, change };
        const all = sides[change];
        if (all.length === 0) return [];
        if (causes === undefined) return [{ ...line, held: all, through: throughIn(answer, all) }];
        return causes
          .filter((cause) => cause.change === change)
          .map((cause) => {
            const names = new Set(cause.permissions.map(nameOfHeld));
            const held = all.filter((each) => names.has(nameOfHeld(each)));
            return { ...line, held, through: throughIn(answer, held), cause };
          });
      }),
    ),
};
