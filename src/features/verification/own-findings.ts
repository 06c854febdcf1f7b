import type { Finding, FoundEnds } from './checks/finding';
import { derivedFrom, RESOURCE_MANAGERS } from '../../templates/graph/derivations';
import { keyStart } from '../../model/key';
import { describedByKey } from '../../templates/graph/key-label';
import { Tag } from '../../model/shared-nodes';
import { isRowOf } from '../../push/plan/contract';

const DERIVED_TYPES = new Set(derivedFrom.map(({ type }) => type));
const MANAGERS_TAG = keyStart(Tag.label, RESOURCE_MANAGERS);

const joinsRows = ({ from, to }: FoundEnds, dataSource: string): boolean =>
  isRowOf(from, dataSource) && isRowOf(to, dataSource);

// Pushes draw tags too. Only the tags that name managers are derived.
const isDerived = ({ type, to }: FoundEnds): boolean =>
  type === 'TAGGED' ? (to?.startsWith(MANAGERS_TAG) ?? true) : DERIVED_TYPES.has(type);

/**
 * Whether a finding concerns only the data source's own rows. Shared nodes, and relationships that
 * follow from rows of other data sources, show what others push (docs/security.md: What a key that
 * is limited to providers can infer).
 */
export const isOwnFinding = (
  { what, node, relationship }: Finding,
  dataSource: string,
): boolean => {
  switch (what) {
    case 'SHARED_ORPHANED':
      return false;
    case 'DERIVED_MISSING':
    case 'DERIVED_SUPERFLUOUS':
      return relationship !== undefined && joinsRows(relationship, dataSource);
    case 'RELATIONSHIP_UNDATED':
      return (
        relationship !== undefined &&
        (joinsRows(relationship, dataSource) || !isDerived(relationship))
      );
    case 'NODE_ADDED':
    case 'LABELS_CHANGED':
    case 'PROPERTY_ADDED':
    case 'PROPERTY_CHANGED':
    case 'CONTENT_CHANGED':
    case 'RELATIONSHIP_ADDED':
      // A node without a key is one that somebody gave the id of the data source by hand.
      return node === undefined || node === null || isRowOf(node, dataSource);
  }
};

/**
 * The finding without the keys of shared nodes at the ends of a relationship that somebody drew by
 * hand. The payloads of the data source need not name these nodes.
 */
export const withoutForeignEnds = (finding: Finding): Finding => {
  const { what, relationship } = finding;
  if (what !== 'RELATIONSHIP_ADDED' || relationship === undefined) return finding;
  const known = (key: string | null): string | null =>
    key === null || describedByKey(key).dataSource === null ? null : key;
  const { type, from, to } = relationship;
  return { ...finding, relationship: { type, from: known(from), to: known(to) } };
};
