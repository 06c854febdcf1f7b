import { PastNode, PastRelationship } from '../../model/past-facts';
import type { PersonNames } from '../../model/person-names';
import {
  CHANGE_PAST,
  PAST_NODES_OF,
  PAST_RELATIONSHIPS_AT,
  pastHolding,
  REMOVE_PAST,
} from '../../translate/push/erasure-statements';
import { RoleAssignment } from '../../templates/application/statements';
import { Pipeline } from '../connection/pipeline';
import type { Runner } from '../connection/transaction';
import {
  isHeldByName,
  isKept,
  isNamedAfter,
  isSharedName,
  isToldApartByName,
  withoutNames,
} from './rows';

type Properties = Readonly<Record<string, unknown>>;

interface Fact {
  readonly id: string;
  readonly properties: Properties;
  [column: string]: unknown;
}

/** A fact that ended and loses properties. */
interface ChangedFact {
  readonly id: string;
  readonly set: Readonly<Record<string, unknown>>;
}

/** What goes and changes in the history. */
export interface ErasedPast {
  readonly removed: readonly string[];
  readonly changed: readonly ChangedFact[];
}

const OF_RELATIONSHIP = new Set([
  'type',
  'start',
  'start_label',
  'end',
  'end_label',
  'since',
  'from',
  'until',
  'data_source',
]);
const OF_NODE = new Set(['label', 'from', 'until']);

/** What a fact loses; `null` where it holds no name. */
const lossOf = (
  properties: Properties,
  names: PersonNames,
  keeps: (name: string) => boolean,
): Properties | null => {
  const left = withoutNames(properties, names, keeps);
  if (left === properties) return null;
  const changed = Object.keys(properties).filter((name) => left[name] !== properties[name]);
  return Object.fromEntries(changed.map((name) => [name, left[name] ?? null]));
};

/**
 * Finds what of the history goes with a person. `gone`: the keys of the nodes that go or that are
 * gone (docs/rules.md: Erasing a person).
 */
export const findPast = async (
  tx: Runner,
  names: PersonNames,
  gone: ReadonlySet<string>,
): Promise<ErasedPast> => {
  const pipeline = new Pipeline(tx);
  const parameters = { names: names.spellings };
  const keys = new Set(gone);
  const removed = new Set<string>();
  const changed = new Map<string, Properties>();
  for (const record of await pipeline.one<Fact>(pastHolding(PastNode.label), parameters)) {
    const properties = record.get('properties');
    const [key, label] = [String(properties.key), String(properties.label)];
    const isAssignment = label === RoleAssignment.label && isToldApartByName(properties, names);
    if (isAssignment || isNamedAfter(label, properties, names) || isHeldByName(key, names)) {
      keys.add(key);
    }
    const loss = lossOf(properties, names, (name) => isKept(name) || OF_NODE.has(name));
    if (loss !== null) changed.set(record.get('id'), loss);
  }
  for (const record of await pipeline.one<Fact>(pastHolding(PastRelationship.label), parameters)) {
    const properties = record.get('properties');
    for (const key of [String(properties.start), String(properties.end)]) {
      if (isSharedName(key, names) || isHeldByName(key, names)) keys.add(key);
    }
    const loss = lossOf(properties, names, (name) => OF_RELATIONSHIP.has(name));
    if (loss !== null) {
      // Without its id an assignment would be another one.
      if ('id' in loss) removed.add(record.get('id'));
      else changed.set(record.get('id'), loss);
    }
  }
  let frontier = [...keys];
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const statement of [PAST_NODES_OF, ...PAST_RELATIONSHIPS_AT]) {
      for (const record of await pipeline.ask<Fact>(statement, 'keys', frontier)) {
        removed.add(record.get('id'));
        // A statement goes with its holder.
        const { type, start, end } = record.get('properties');
        if (type === 'HOLDS' && keys.has(String(start)) && !keys.has(String(end))) {
          keys.add(String(end));
          next.push(String(end));
        }
      }
    }
    frontier = next;
  }
  return {
    removed: [...removed].sort(),
    changed: [...changed]
      .filter(([id]) => !removed.has(id))
      .map(([id, set]) => ({ id, set }))
      .sort((a, b) => (a.id < b.id ? -1 : 1)),
  };
};

/** Erases what was found in the history. */
export const erasePast = async (tx: Runner, { removed, changed }: ErasedPast): Promise<void> => {
  const pipeline = new Pipeline(tx);
  await pipeline.send(REMOVE_PAST, 'ids', removed);
  await pipeline.send(CHANGE_PAST, 'rows', changed);
  await pipeline.drain();
};
