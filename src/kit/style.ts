import { relationshipKinds } from '../templates/graph/relationships';
import { derivations, RESOURCE_MANAGERS } from '../templates/graph/derivations';
import { nodeKinds } from '../templates/graph/nodes';
import { type NodeKind, SERVICE_COLOUR } from '../model/table';

const LARGEST_COLOUR = 255;

/** A colour made darker, for the border. */
const darker = (colour: string): string =>
  `#${[1, 3, 5]
    .map((at) => Math.round(parseInt(colour.slice(at, at + 2), 16) * 0.8))
    .map((part) => part.toString(16).padStart(2, '0').toUpperCase())
    .join('')}`;

/** Whether dark letters are easier to read on a colour than light ones. */
const isLight = (colour: string): boolean => {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) =>
    parseInt(colour.slice(at, at + 2), 16),
  );
  return 0.3 * red + 0.59 * green + 0.11 * blue > 0.62 * LARGEST_COLOUR;
};

/** The properties by which people distinguish nodes, the best first. */
const CAPTIONS = ['name', 'arn', 'outcome', 'id', 'user_name', 'type'];

/** The property that Neo4j Browser shows on nodes of a kind. */
export const captionOf = ({ properties }: NodeKind): string =>
  CAPTIONS.find((name) => name in properties) ?? 'key';

const rule = (selector: string, properties: Readonly<Record<string, string>>): string =>
  [
    `${selector} {`,
    ...Object.entries(properties).map(([name, value]) => `  ${name}: ${value};`),
    '}',
  ].join('\n');

const nodeRule = (kind: NodeKind): string => {
  const { colour } = kind;
  return rule(`node.${kind.label}`, {
    color: colour,
    'border-color': darker(colour),
    'text-color-internal': isLight(colour) ? '#2A2C34' : '#FFFFFF',
    caption: `"{${captionOf(kind)}}"`,
  });
};

/** The colour of derived relationships. Relationships that systems stated have the other colour. */
const DERIVED_COLOUR = '#4C8EDA';
const STATED_COLOUR = '#A5ABB6';

const relationshipRules = (): readonly string[] => {
  const derived = new Set([...derivations.map(({ type }) => type), RESOURCE_MANAGERS]);
  const types = new Set([...relationshipKinds.map(({ type }) => type), ...derived]);
  return [...types].sort().map((type) =>
    rule(`relationship.${type}`, {
      color: derived.has(type) ? DERIVED_COLOUR : STATED_COLOUR,
      'shaft-width': '1px',
      caption: '"<type>"',
    }),
  );
};

/**
 * The style for Neo4j Browser: a colour and a caption for each label of the model, and blue for
 * derived relationships.
 */
export const styleSheet = (records: readonly NodeKind[]): string =>
  `${[
    rule('node', {
      diameter: '50px',
      color: SERVICE_COLOUR,
      'border-color': darker(SERVICE_COLOUR),
      'border-width': '2px',
      'text-color-internal': '#FFFFFF',
      'font-size': '10px',
    }),
    rule('relationship', {
      color: STATED_COLOUR,
      'shaft-width': '1px',
      'font-size': '8px',
      padding: '3px',
      'text-color-external': '#000000',
      'text-color-internal': '#FFFFFF',
      caption: '"<type>"',
    }),
    ...[...nodeKinds, ...records].map(nodeRule),
    ...relationshipRules(),
  ].join('\n\n')}\n`;
