import { isFoldedText } from '../model/folded-texts';
import { derivations, management, RESOURCE_MANAGERS } from '../templates/graph/derivations';
import { nodeKinds } from '../templates/graph/nodes';
import { Tag } from '../model/shared-nodes';
import { relationshipKinds } from '../templates/graph/relationships';
import type { NodeKind, Properties } from '../model/table';

const TYPES = {
  text: 'string',
  texts: 'list of strings',
  flag: 'boolean',
  number: 'number',
  time: 'zoned datetime (UTC)',
} as const;

interface Line {
  readonly type: string;
  /** Every pair of labels that it may join. */
  readonly ends: readonly (readonly [NodeKind, NodeKind])[];
  readonly doc: string;
  readonly carries: readonly string[];
  readonly isDerived: boolean;
}

const labels = (kinds: readonly NodeKind[]): string =>
  [...new Set(kinds.map(({ label }) => label))].join(', ');

/** Joins relationships of one type and meaning to one line of the table. */
const lines = (): readonly Line[] => {
  const stated = new Map<string, Line>();
  for (const { from, type, to, doc, properties, custom } of relationshipKinds) {
    const name = `${type} ${doc}`;
    const line = stated.get(name);
    stated.set(name, {
      type,
      ends: [...(line?.ends ?? []), [from, to]],
      doc,
      carries: ['since', ...Object.keys(properties), ...(custom ? ['customprop_…'] : [])],
      isDerived: false,
    });
  }
  for (const { type, asker, answerer, from, doc } of derivations) {
    const line = stated.get(`${type} ${doc}`);
    stated.set(`${type} ${doc}`, {
      type,
      ends: [...(line?.ends ?? []), from === 'asker' ? [asker, answerer] : [answerer, asker]],
      doc,
      carries: ['since'],
      isDerived: true,
    });
  }
  const managers: readonly Line[] = [
    {
      type: RESOURCE_MANAGERS,
      ends: management.managed.flatMap((managed) =>
        management.managers.map((manager) => [managed, manager] as const),
      ),
      doc: 'Its suggested reviewers: those who own the ExternalEntity that resolves to it.',
      carries: ['since'],
      isDerived: true,
    },
    {
      type: 'TAGGED',
      ends: management.managed.map((managed) => [managed, Tag] as const),
      doc: `The tag that goes with ${RESOURCE_MANAGERS}, with that name and the manager's id as value.`,
      carries: ['since', 'derived'],
      isDerived: true,
    },
  ];
  return [...stated.values(), ...managers];
};

// Nearly every node has tags and owners. Their arrows would hide the others.
const UNDRAWN = new Set(['TAGGED', 'OWNED_BY', 'FROM']);

const diagram = (all: readonly Line[]): readonly string[] => [
  '```mermaid',
  'graph LR',
  ...all
    .filter(({ type }) => !UNDRAWN.has(type))
    .flatMap(({ type, ends, isDerived }) =>
      ends.map(
        ([start, end]) =>
          `  ${start.label} ${isDerived ? '-.' : '--'} ${type} ${isDerived ? '.->' : '-->'} ${end.label}`,
      ),
    ),
  '```',
];

const table = (properties: Properties): readonly string[] =>
  Object.entries(properties).map(
    ([name, { type, doc }]) => `| \`${name}\` | ${TYPES[type]} | ${doc} |`,
  );

const OWNERS: Readonly<Record<NodeKind['keeper'], string>> = {
  row: 'Owned by a data source: also `key`, `data_source`, `provider`, `row_hash`, `since`, `changed`.',
  shared:
    'Shared: the service creates it when a row first mentions it, and removes it when no row states a relationship to it.',
  service: 'Stored by the service.',
  past: 'Stored by the service. It has no key of its own.',
};

const section = (kind: NodeKind): readonly string[] => [
  '',
  `### ${[kind.label, ...kind.also].join(' : ')}`,
  '',
  `${kind.doc} ${OWNERS[kind.keeper]}${kind.custom ? ' May have `customprop_…`.' : ''}`,
  '',
  '| property | type | meaning |',
  '| --- | --- | --- |',
  ...(kind.keeper === 'row' || kind.keeper === 'past'
    ? []
    : [
        `| \`key\` | string | Unique ${kind.keeper === 'shared' ? 'among all entities' : 'for the label'}. |`,
      ]),
  ...table(kind.properties),
  ...table(
    Object.fromEntries(Object.entries(kind.lookups).filter(([name]) => !isFoldedText(name))),
  ),
];

const INTRODUCTION = `<!-- Generated from src/model by \`npm run cypher\`; do not edit. -->

# The graph

Every access relationship points from the one who gains to what is gained. Pushes state the solid arrows. The service
derives the dotted ones from what several rows say. Every relationship has \`since\`, and every owned node has \`since\`
and \`changed\`. Each of these is the \`at\` of the push that brought it, so

\`\`\`cypher
MATCH (push:Push {at: $since})-[:FROM]->(source:DataSource) RETURN push.id, source.name
\`\`\`

leads from any fact to its push. Every row and every shared node has the label \`Entity\`, and a \`key\` that no other of
them has: \`MATCH (n:Entity {key: …})\` finds it by an index. Other labels have no index on \`key\`.`;

const HISTORY = `
## History

Everything above is true now. A fact that ended becomes a node with the label \`Past\`. It has no relationships,
and names nodes by their keys. \`until\` is the \`at\` of the push that ended it, so an end leads to its push as a beginning
does.

\`\`\`mermaid
graph LR
  PastNode -. "key" .-> n["a node, there or gone"]
  PastRelationship -. "start" .-> n
  PastRelationship -. "end" .-> m["another one"]
\`\`\`

At an instant these held:

- a PastNode with \`from\` ≤ instant < \`until\`;
- a node that exists, with \`since\` ≤ instant, if no PastNode of its key was valid then;
- a PastRelationship with \`since\` ≤ instant < \`until\` (\`from\` in place of \`since\`, where it has one);
- a relationship that exists, with \`since\` ≤ instant, if no version of it was valid then;
- relationships only where both ends held; shared nodes where something led to them.

\`\`\`cypher
MATCH (past:PastRelationship {start: $key})
WHERE coalesce(past.from, past.since) <= $instant AND past.until > $instant
RETURN past.type, past.end
\`\`\``;

const SETTLED = `
## Settled here

- The service stores texts of the specification's fields in NFC. It stores values of custom (\`customprop_…\`) and
  dynamic (\`dynprop_…\`) properties as sent.
- Properties that start with \`fold_\` hold another property without regard to case (NFC, lower case, \`σ\` for \`ς\`, NFC).
  Look-ups use them; hashes and digests do not. Each text that no look-up of the tables holds has one more, if folding
  changes it: \`fold_of_\` before the property's name; \`fold_custom\` for custom and dynamic properties, a list of
  \`name=text\`.
- \`key\` is the data source's id, the label and the parts of the entity's id, joined by \`|\`. In a part, \`%\` is written
  \`%25\`, \`|\` is written \`%7C\` and \`#\` is written \`%23\`. If label and parts are longer than 475 bytes, they are cut and
  end in \`#\` and their SHA-256. The key of a shared node has no data source before it.
- Two relationships of one type between the same two nodes are one, except ASSIGNED_TO (distinguished by \`id\`) and
  OWNED_BY (by \`owner_type\` and \`primary\`).
- RESOLVES_TO never leads to a LocalModel.`;

/** Only the diagram of the model, for other pages. */
export const modelDiagram = (): string => diagram(lines()).join('\n');

/** The page `cypher/model.md`, generated from the declarations of the model. */
export const modelPage = (records: readonly NodeKind[]): string => {
  const all = lines();
  return `${[
    INTRODUCTION,
    '',
    ...diagram(all),
    '',
    '## Relationships',
    '',
    '| type | from → to | properties | meaning |',
    '| --- | --- | --- | --- |',
    ...all.map(
      ({ type, ends, doc, carries, isDerived }) =>
        `| ${type} | ${labels(ends.map(([start]) => start))} → ${labels(ends.map(([, end]) => end))} | ${carries.map((name) => `\`${name}\``).join(', ')} | ${isDerived ? '*Derived.* ' : ''}${doc} |`,
    ),
    '',
    '## Nodes',
    ...[...nodeKinds, ...records].flatMap(section),
    HISTORY,
    SETTLED,
  ].join('\n')}\n`;
};
