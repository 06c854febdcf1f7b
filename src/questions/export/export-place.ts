import * as E from 'fp-ts/Either';

import type { AccessGraph } from '../../access/access-graph';
import { badField, type Failure } from '../../problem';
import { open, seal } from '../../secrets/seal';
import { nodeKinds } from '../../templates/graph/nodes';

/**
 * The labels of nodes that may have access, in the order of an export. Each node has one of them. A
 * resource may have the access of a principal that it connects to.
 */
const EXPORTED_LABELS: readonly string[] = [
  ...nodeKinds.filter(({ also }) => also.includes('Principal')).map(({ label }) => label),
  'Resource',
].sort();

/** The place in an export after which its next row comes. */
export interface ExportPlace {
  /** The label of the principal. */
  readonly label: string;
  /** The key of the principal; empty before the first one of its label. */
  readonly principal: string;
  /** The key of the last resource; `null` if all rows of the principal have been returned. */
  readonly resource: string | null;
}

/** The place before the first row. */
const START: ExportPlace = { label: EXPORTED_LABELS[0] ?? '', principal: '', resource: null };

/** The place that a cursor names. */
export const placeIn = (cursor: string, secret: string): E.Either<Failure, ExportPlace> => {
  if (cursor === '') return E.right(START);
  const opened = open(cursor, secret);
  const place = opened === null ? null : (JSON.parse(opened) as ExportPlace);
  return place !== null && EXPORTED_LABELS.includes(place.label)
    ? E.right(place)
    : E.left(badField('/cursor', 'BAD_PAGE_TOKEN', 'is no cursor of an export'));
};

/** The cursor that names a place. */
export const cursorOf = (place: ExportPlace, secret: string): string =>
  seal(JSON.stringify(place), secret);

const labelOf = (graph: AccessGraph, node: number): string => graph.kind(node)?.label ?? '';

/** Whether a principal comes behind a place, or is the one whose rows are begun there. */
const isFrom = (graph: AccessGraph, node: number, { label, principal, resource }: ExportPlace) => {
  const [own, other] = [labelOf(graph, node), label].map((each) => EXPORTED_LABELS.indexOf(each));
  if (own !== other) return (own ?? 0) > (other ?? 0);
  const order = graph.texts.compareWith(graph.keyText(node), principal);
  return order > 0 || (order === 0 && resource !== null);
};

/** The nodes of a graph that may have access, from a place on, in the order of an export. */
export const principalsFrom = (
  graph: AccessGraph,
  place: ExportPlace,
  only: readonly string[] | null,
): readonly number[] => {
  const wanted = only === null ? null : new Set(only.map((key) => graph.find(key)));
  const byLabel = new Map(EXPORTED_LABELS.map((label): [string, number[]] => [label, []]));
  for (let node = 0; node < graph.nodeCount; node += 1) {
    if (wanted !== null && !wanted.has(node)) continue;
    const sameLabel = byLabel.get(labelOf(graph, node));
    if (sameLabel !== undefined && isFrom(graph, node, place)) sameLabel.push(node);
  }
  const byKey = (a: number, b: number): number =>
    graph.texts.compare(graph.keyText(a), graph.keyText(b));
  return [...byLabel.values()].flatMap((nodes) => nodes.sort(byKey));
};
