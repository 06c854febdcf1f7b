import { type CsvColumn, csvHead, csvLines, MARK_FOR_PEOPLE } from '../../../contract/csv';
import { parsedText } from '../answers';
import { type Review, REVIEW_SETTINGS, type ReviewSource } from '../records';
import { type NodeInWords, nodeInWords, OTHERS_MARK_WORDS } from '../rules/in-words';
import type { StoredEntry } from '../stored/snapshot';
import { type StoredItem, textIn, timeIn } from '../stored/store';

/** What an alias of a person means to people. */
export type NameOf = (alias: string) => string;

const column = <R>(name: string, cell: (row: R) => unknown): CsvColumn<R> => ({ name, cell });

/** A time without the parts of its second, which nobody reads. The lines of JSON have them. */
export const toSecond = (time: string | null): string =>
  (time ?? '').replace(/\.\d+(?=Z$|[+-]\d\d:\d\d$)/, '');

const secondIn = (stored: Readonly<Record<string, unknown>>, name: string): string =>
  toSecond(timeIn(stored, name));

/** A list in one cell, for people. */
const listed = (value: unknown): unknown => (Array.isArray(value) ? value.join('; ') : value);

/** What reviewers saw of an item; nothing once an erasure has removed it. */
export const shownIn = ({ properties }: StoredItem): Readonly<Record<string, unknown>> =>
  (parsedText(properties.shown) ?? {}) as Readonly<Record<string, unknown>>;

/** What holds an item: an account, a group or another node, in words; empty once an erasure has removed it. */
export const accountIn = (item: StoredItem): string => {
  const holder = shownIn(item).holder as Omit<NodeInWords, 'provider'> | undefined;
  return holder === undefined ? '' : nodeInWords({ ...holder, provider: null });
};

/** Through what the access of a revoke is left. */
export const throughIn = ({ done }: StoredItem): readonly string[] => {
  const through = parsedText(done?.through ?? '[]');
  return Array.isArray(through) ? through.map(String) : [];
};

const shown = (name: string): CsvColumn<StoredItem> =>
  column(name, (item) => listed(shownIn(item)[name]));

/** All items. `before` is the review from which some were carried over, in words. */
export const itemColumns = (nameOf: NameOf, before: string): readonly CsvColumn<StoredItem>[] => [
  column('number', ({ number }) => number),
  column('state', ({ state }) => state),
  column('person', ({ holder }) => nameOf(holder)),
  column('account', accountIn),
  ...['holds', 'permissions', 'resources', 'people', 'changes_nothing', 'also'].map(shown),
  column('since', (item) => toSecond(textIn(shownIn(item), 'since'))),
  shown('since_push'),
  column('marks', ({ marks }) => listed(marks.map((mark) => OTHERS_MARK_WORDS[mark]))),
  column('reviewer', ({ reviewer }) => nameOf(reviewer)),
  shown('why_reviewer'),
  column('decided_by', ({ properties }) => nameOf(textIn(properties, 'decided_by'))),
  column('decided_at', ({ properties }) => secondIn(properties, 'decided_at')),
  column('reason', ({ properties }) => textIn(properties, 'reason')),
  column('carried_over', ({ properties }) =>
    properties.is_carried === true ? `kept in the review ${before}, or in one before it` : '',
  ),
];

/** What became of revokes. */
export const remediationColumns = (nameOf: NameOf): readonly CsvColumn<StoredItem>[] => {
  const done = (name: string) => column(name, (item: StoredItem) => textIn(item.done ?? {}, name));
  const time = (name: string) =>
    column(name, (item: StoredItem) => secondIn(item.done ?? {}, name));
  return [
    column('item', ({ number }) => number),
    done('state'),
    time('ordered_at'),
    time('changed_at'),
    done('push'),
    column('through', (item) => listed(throughIn(item))),
    column('excepted_by', ({ done: read }) => nameOf(textIn(read ?? {}, 'excepted_by'))),
    time('excepted_until'),
    done('reason'),
    time('sent_at'),
    column('sent_by', ({ done: read }) => nameOf(textIn(read ?? {}, 'sent_by'))),
    done('sent_to'),
    done('answer'),
    time('answered_at'),
    column('person', ({ holder }) => nameOf(holder)),
    column('account', accountIn),
    column('holds', (item) => shownIn(item).holds),
    column('revoked_because', ({ properties }) => textIn(properties, 'reason')),
  ];
};

/** The acts whose detail is the alias of a person. */
const OF_PEOPLE: readonly string[] = ['reassign', 'name_owner', 'name_fallback'];

const detailOf = ({ act, detail }: StoredEntry, nameOf: NameOf): string => {
  if (OF_PEOPLE.includes(act)) return nameOf(detail);
  if (act !== 'close') return act === 'except' ? toSecond(detail) : detail;
  const numbers = parsedText(detail);
  return typeof numbers === 'object' && numbers !== null
    ? Object.entries(numbers)
        .map(([name, number]) => `${name} ${String(number)}`)
        .join('; ')
    : detail;
};

/** The chain of decisions. */
export const entryColumns = (nameOf: NameOf): readonly CsvColumn<StoredEntry>[] => [
  column('seq', ({ seq }) => seq),
  column('at', ({ at }) => toSecond(at)),
  column('act', ({ act }) => act),
  column('item', ({ item }) => item),
  column('by', ({ by }) => nameOf(by)),
  column('batch', ({ batch }) => batch),
  column('detail', (entry) => detailOf(entry, nameOf)),
  column('reason', ({ properties }) => textIn(properties, 'reason')),
  column('key', ({ properties }) => textIn(properties, 'key_name')),
  column('hash', ({ properties }) => textIn(properties, 'hash')),
];

const sourceColumns: readonly CsvColumn<ReviewSource>[] = [
  ...(['data_source', 'name', 'provider', 'push'] as const).map((name) =>
    column(name, (source: ReviewSource) => source[name]),
  ),
  column('at', ({ at }) => toSecond(at)),
  ...(['is_stale', 'has_failed', 'reason'] as const).map((name) =>
    column(name, (source: ReviewSource) => source[name]),
  ),
];

/** Some of the pairs of the coverage. */
interface Pairs {
  readonly what: string;
  readonly review?: string;
  readonly because?: string;
  readonly pairs: number;
}

const pairsOf = ({ coverage }: Review): readonly Pairs[] =>
  coverage === null
    ? []
    : [
        { what: 'all pairs in scope', pairs: coverage.pairs },
        { what: 'items of this review', pairs: coverage.reviewed },
        ...coverage.elsewhere.map((each) => ({ what: 'items of another review', ...each })),
        ...coverage.not_reviewed.map((each) => ({ what: 'not reviewed', ...each })),
      ];

const pairsColumns: readonly CsvColumn<Pairs>[] = (
  ['what', 'review', 'because', 'pairs'] as const
).map((name) => column(name, (some) => some[name]));

/** A setting in one cell, for people: a scope has the names of its filters. */
const settingOf = (value: unknown): unknown =>
  typeof value !== 'object' || value === null || Array.isArray(value)
    ? listed(value)
    : Object.entries(value)
        .filter(([, keys]) => Array.isArray(keys) && keys.length > 0)
        .map(([name, keys]) => `${name}: ${String(listed(keys))}`)
        .join('; ');

const ruleColumns = (review: Review): readonly CsvColumn<(typeof REVIEW_SETTINGS)[number]>[] => [
  column('rule', ({ name }) => name),
  column('value', ({ name }) => settingOf(review[name])),
  column('meaning', ({ doc }) => doc),
];

const tableOf = <R>(columns: readonly CsvColumn<R>[], all: readonly R[]): string =>
  headOf(columns) + (all.length === 0 ? '' : csvLines(columns, all));

/** The first line of a table, which people open. */
export const headOf = <R>(columns: readonly CsvColumn<R>[]): string =>
  MARK_FOR_PEOPLE + csvHead(columns);

/** What a review was when it was opened, as tables: their names and texts. */
export const tablesOf = (review: Review) =>
  [
    ['sources.csv', tableOf(sourceColumns, review.sources ?? [])],
    ['coverage.csv', tableOf(pairsColumns, pairsOf(review))],
    ['rules.csv', tableOf(ruleColumns(review), REVIEW_SETTINGS)],
  ] as const;
