import { type Difference, isEmpty } from '../../difference/difference';
import type { HeldDataSource } from '../graph/held-data-source';
import { unescapePart } from '../../model/key';
import { spelled } from '../../model/person-names';
import { Identity } from '../../model/shared-nodes';
import { type Names, otherEnd } from '../../model/table';
import type { Row } from '../../rows/row/row';
import { allRowKinds } from '../../templates/templates';
import { subjectOf, type Subject, titleOf, type Warning } from '../../warning';

/** What declares that a text may be a name of a person, and nothing but that. */
const NAMES: readonly Names[] = [
  'id',
  'login',
  'display',
  'address',
  'account',
  'title',
  'reference',
  'mention',
];

/** The properties by which an entity may name a person, by label, as they declare it. */
const NAMING: ReadonlyMap<string, readonly string[]> = new Map(
  allRowKinds.map(({ node: { label, properties } }) => [
    label,
    Object.entries(properties).flatMap(([name, { names }]) =>
      NAMES.includes(names) ? [name] : [],
    ),
  ]),
);

/** The words for kinds of entities. */
const WORDS: ReadonlyMap<string, string> = new Map(
  allRowKinds.flatMap((kind) =>
    'word' in kind && typeof kind.word === 'string' ? [[kind.node.label, kind.word]] : [],
  ),
);

interface Named {
  readonly names: ReadonlySet<string>;
  readonly subject: Subject;
}

const nameOf = ({ properties: { name, id, unique_id } }: Row): string => {
  const called = [name, id, unique_id].find((value) => typeof value === 'string');
  return typeof called === 'string' ? called : '';
};

const holderOf = ({ relationships }: Row): string => {
  const held = relationships.find(({ kind }) => kind.type === 'HOLDS' && kind.from === Identity);
  return held === undefined ? '' : identityOf(held.other);
};

const identityOf = (key: string): string => unescapePart(key.slice(Identity.label.length + 1));

const subjectOfRow = (row: Row): Subject => {
  const { application } = row.properties;
  const word = WORDS.get(row.kind.label);
  // A statement is about its holder.
  if (word === undefined) return subjectOf('identity', holderOf(row));
  return typeof application === 'string'
    ? subjectOf(word, nameOf(row), application)
    : subjectOf(word, nameOf(row));
};

/** The rows that a push brings or changes, and the identities that they newly name. */
const namedBy = ({ created, changed, proven, linked }: Difference): readonly Named[] => {
  const rows = new Map(
    [...created, ...changed.map(({ after }) => after), ...proven].map(({ row }) => [row.key, row]),
  );
  const names = new Map<string, Set<string>>();
  const add = (key: string, value: unknown): void => {
    for (const name of [value].flat()) {
      if (typeof name !== 'string' || name === '') continue;
      const all = names.get(key) ?? new Set();
      names.set(key, all.add(spelled(name)));
    }
  };
  // The push does not bring back what existed before it.
  const before = new Map(changed.map(({ before: { row } }) => [row.key, row.properties]));
  for (const [key, { kind, properties }] of rows) {
    const stood = before.get(key);
    for (const name of NAMING.get(kind.label) ?? []) {
      if (properties[name] !== stood?.[name]) add(key, properties[name]);
    }
  }
  for (const { row, stated } of linked) {
    if (otherEnd(stated.kind) !== Identity) continue;
    add(row, identityOf(stated.other));
  }
  return [...names].flatMap(([key, all]) => {
    const row = rows.get(key);
    return row === undefined ? [] : [{ names: all, subject: subjectOfRow(row) }];
  });
};

/** Warnings about erased people whom a push names again (docs/rules.md: Erasing a person). */
export const returnedPeople = async (
  held: Pick<HeldDataSource, 'erasedAmong'>,
  difference: Difference,
): Promise<readonly Warning[]> => {
  if (isEmpty(difference) && difference.proven.length === 0) return [];
  let named: readonly Named[] = [];
  const erased = await held.erasedAmong(() => {
    named = namedBy(difference);
    return new Set(named.flatMap(({ names }) => [...names]));
  });
  if (erased.size === 0) return [];
  return named
    .filter(({ names }) => [...names].some((name) => erased.has(name)))
    .map(({ subject }) => ({
      message: `A person who was erased is in the graph again (${titleOf(subject)})`,
      code: 'ERASED_PERSON',
      pointer: '',
      subject,
    }));
};
