import { fold } from '../../../model/fold';
import { Identity } from '../../../model/shared-nodes';
import { PastNode, PastRelationship } from '../../../model/past-facts';
import type { PersonNames } from '../../../model/person-names';
import {
  allPast,
  CHANGE_PAST,
  PAST_NODES_OF,
  PAST_RELATIONSHIPS_AT,
  PEOPLE_OF,
  REMOVE_PAST,
} from '../statements';
import { RoleAssignment } from '../../../templates/application/statements';
import { Pipeline } from '../../../neo4j/pipeline';
import type { Runner } from '../../../neo4j/transaction';
import type { Decisions, Doubtful } from '../person/doubt';
import type { NamesByPlace, NamesHere } from '../person/names';
import {
  holdsAny,
  mayStay,
  isNamedAfter,
  isSharedName,
  isDistinguishedByName,
  type Properties,
} from '../person/named-entities';
import { nameOfIdentity, placeOf } from '../person/people';
import { applicationOf } from './rows';
import { overlapsAny, type Span, spanOfPast } from '../person/span';
import { doubtOf, withoutNames } from './without-names';

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
  /** Keys of nodes of which something is removed or changes. */
  readonly touched: ReadonlySet<string>;
  /** Facts that ended and are perhaps the person's. The erasure does not remove them. */
  readonly doubtful: readonly Doubtful[];
}

/** What the service itself says of an ended fact. */
const OF_RELATIONSHIP = new Set(Object.keys(PastRelationship.properties));
const OF_NODE = new Set(Object.keys(PastNode.properties));

/** What a fact loses; `null` if it holds no name. */
export const lossOf = (
  label: string,
  properties: Properties,
  here: NamesHere,
  keeps: (name: string) => boolean,
): Properties | null => {
  const left = withoutNames(label, properties, here, keeps);
  if (left === properties) return null;
  const changed = Object.keys(properties).filter((name) => left[name] !== properties[name]);
  // Of a list some entries stay, and so do their look-ups.
  const lost = new Set(
    changed.flatMap((name) => {
      const stays = new Set([left[name]].flat());
      return [properties[name]]
        .flat()
        .filter((text) => typeof text === 'string')
        .filter((text) => !stays.has(text));
    }),
  );
  return {
    ...Object.fromEntries(changed.map((name) => [name, left[name] ?? null])),
    ...lookupsWithout(properties, new Set([...lost].map(fold))),
  };
};

/** The look-ups that repeat what the fact loses. */
const lookupsWithout = (properties: Properties, lost: ReadonlySet<string>): Properties => {
  const changes: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(properties)) {
    if (!name.startsWith('fold_')) continue;
    if (typeof value === 'string' && lost.has(value)) changes[name] = null;
    if (!Array.isArray(value)) continue;
    // Those of custom properties begin with the name of the property and `=`.
    const isLost = (text: string): boolean =>
      lost.has(text) || lost.has(text.slice(text.indexOf('=') + 1));
    const rest = value.filter((text) => typeof text !== 'string' || !isLost(text));
    if (rest.length < value.length) changes[name] = rest.length === 0 ? null : rest;
  }
  return changes;
};

/**
 * Finds what of the history is removed with a person. `gone`: the keys of the nodes that are
 * removed now or were before, with the times when they belonged to somebody else (docs/rules.md:
 * Erasing a person).
 */
export const findPast = async (
  tx: Runner,
  names: NamesByPlace,
  gone: ReadonlyMap<string, readonly Span[]>,
  decisions: Decisions,
): Promise<ErasedPast> => {
  const pipeline = new Pipeline(tx);
  const keys = new Map(gone);
  const removed = new Set<string>();
  const changed = new Map<string, Properties>();
  const doubts = new Map<string, Doubtful>();
  const namesakes = new Map<string, string>();
  const touched = new Set<string>();
  const either = ({ certain, display }: NamesHere, holds: (of: PersonNames) => boolean): boolean =>
    holds(certain) || holds(display);
  for await (const record of tx.stream(allPast(PastNode.label))) {
    const properties = record.get('properties') as Properties;
    const [id, key, label] = [
      String(record.get('id')),
      String(properties.key),
      String(properties.label),
    ];
    if (decisions.isLeft(key) || keys.has(key)) continue;
    // To read its time costs more than to look for names.
    if (!holdsAny(properties, names.all)) continue;
    const here = names.at(placeOf({ key, properties }), spanOfPast(properties));
    const isAssignment = label === RoleAssignment.label;
    const isNamed = (some: PersonNames): boolean =>
      isAssignment
        ? isDistinguishedByName(properties, some)
        : isNamedAfter(label, properties, some);
    const spansBefore = (): readonly Span[] => names.spansOfOthersBefore(isNamed);
    if (
      (isAssignment && either(here, (some) => isDistinguishedByName(properties, some))) ||
      isNamedAfter(label, properties, here.certain)
    ) {
      keys.set(key, spansBefore());
    }
    const keeps = (name: string): boolean => mayStay(label, name) || OF_NODE.has(name);
    const loss = lossOf(label, properties, here, keeps);
    if (loss !== null) {
      changed.set(id, loss);
      touched.add(key);
    }
    const reason = doubtOf(label, properties, here);
    if (reason === null || (keys.has(key) && loss === null)) continue;
    if (!decisions.goes(key)) {
      const { name } = properties;
      doubts.set(key, { key, label, name: typeof name === 'string' ? name : null, reason });
    } else if (reason === 'SAME_NAME') keys.set(key, spansBefore());
    else {
      const all = { ...here, certain: names.all };
      changed.set(id, lossOf(label, properties, all, keeps) ?? {});
    }
  }
  for await (const record of tx.stream(allPast(PastRelationship.label))) {
    const properties = record.get('properties') as Properties;
    const id = String(record.get('id'));
    const [start, end] = [String(properties.start), String(properties.end)];
    const dataSource = typeof properties.data_source === 'string' ? properties.data_source : '';
    const row = start.startsWith(dataSource) ? start : end;
    const place = { dataSource, application: applicationOf(row) };
    const here = names.at(place, spanOfPast(properties));
    for (const key of [start, end]) {
      const name = key.startsWith(`${Identity.label}|`) ? nameOfIdentity(key) : '';
      if (name !== '' && !keys.has(key) && names.all.isOne(name) && /\p{L}/u.test(name)) {
        namesakes.set(key, name);
      }
      const isTheirs = !keys.has(key) && !decisions.isLeft(key);
      if (isTheirs && either(here, (some) => isSharedName(key, some))) removed.add(id);
    }
    const loss = lossOf('', properties, here, (name) => OF_RELATIONSHIP.has(name));
    if (loss !== null) {
      // Without its id an assignment would be another one.
      if ('id' in loss) removed.add(id);
      else changed.set(id, loss);
    }
  }
  // An identity that nothing leads to any more has no node. For the others, their present state
  // decides.
  for (const record of await pipeline.ask<Fact>(PEOPLE_OF, 'keys', [...namesakes.keys()])) {
    namesakes.delete(String(record.get('key')));
  }
  for (const [key, name] of namesakes) {
    if (decisions.goes(key)) keys.set(key, []);
    else doubts.set(key, { key, label: Identity.label, name, reason: 'SAME_NAME' });
  }
  let frontier = [...keys.keys()];
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const statement of [PAST_NODES_OF, ...PAST_RELATIONSHIPS_AT]) {
      for (const record of await pipeline.ask<Fact>(statement, 'keys', [...frontier])) {
        const properties = record.get('properties');
        const { type, key, start, end } = properties;
        // It is the person's if one of its nodes was the person's then.
        const span = spanOfPast(properties);
        const isTheirs = [key, start, end].some((each) => {
          const taken = keys.get(String(each));
          return taken !== undefined && !overlapsAny(span, taken);
        });
        if (!isTheirs) continue;
        removed.add(record.get('id'));
        // A statement is removed with its holder.
        if (type === 'HOLDS' && keys.has(String(start)) && !keys.has(String(end))) {
          keys.set(String(end), keys.get(String(start)) ?? []);
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
    touched: new Set([...touched, ...keys.keys()]),
    doubtful: [...doubts.values()].filter(({ key }) => !keys.has(key)),
  };
};

/** Erases what was found in the history. */
export const erasePast = async (tx: Runner, { removed, changed }: ErasedPast): Promise<void> => {
  const pipeline = new Pipeline(tx);
  await pipeline.send(REMOVE_PAST, 'ids', removed);
  await pipeline.send(CHANGE_PAST, 'rows', changed);
  await pipeline.drain();
};
