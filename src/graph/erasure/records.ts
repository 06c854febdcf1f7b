import type { PersonNames } from '../../model/person-names';
import { DataSource, Event, Provider, Push, TeamKey } from '../../model/service-nodes';
import type { NodeKind } from '../../model/table';
import {
  changeRecords,
  END_ALL_UPLOADS,
  FORGET_PAYLOADS,
  nodesHolding,
} from '../../translate/push/erasure-statements';
import {
  COUNT_ERASED_LIFECYCLE,
  ERASE_LIFECYCLE,
} from '../../translate/records/lifecycle-statements';
import { Pipeline } from '../connection/pipeline';
import type { Runner } from '../connection/transaction';
import type { KeptName } from './rows';

/** A record that loses the names. */
interface ChangedRecord {
  readonly key: string;
  readonly set: Readonly<Record<string, unknown>>;
}

/** What changes in the records of the service, and what stays there. */
export interface ErasedRecords {
  readonly changed: readonly (readonly [kind: NodeKind, records: readonly ChangedRecord[]])[];
  readonly kept: readonly KeptName[];
  /** Keys of the person's nodes, by which policies name the person. */
  readonly people: readonly string[];
  /** How many accounts and actions of policies name the person. */
  readonly lifecycle: number;
}

/** What the operator called something stays: the operator renames or deletes it. */
const NAMED_BY_OPERATOR = new Set<NodeKind>([DataSource, Provider, TeamKey]);
/** Of these, what tells of the request to delete them changes, and nothing else. */
const changesOnly = (kind: NodeKind, property: string): boolean =>
  !NAMED_BY_OPERATOR.has(kind) || property.startsWith('deleting_');

const NEVER_CHANGED = new Set(['key', 'id', 'entity_id', 'provider_id']);

const jsonWithout = (value: unknown, names: PersonNames): unknown => {
  if (typeof value === 'string') return names.without(value);
  if (Array.isArray(value)) return value.map((each) => jsonWithout(each, names));
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [name, jsonWithout(each, names)]),
  );
};

const parsed = (text: string): unknown => {
  if (!/^[[{]/.test(text)) return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

const textWithout = (text: string, names: PersonNames): string => {
  const json = parsed(text);
  return json === undefined ? names.without(text) : JSON.stringify(jsonWithout(json, names));
};

/** A value of a record without the names; the same value if it holds none. */
const valueWithout = (value: unknown, names: PersonNames): unknown => {
  if (typeof value === 'string') return textWithout(value, names);
  if (!Array.isArray(value)) return value;
  const left: readonly unknown[] = value.map((each) =>
    typeof each === 'string' ? textWithout(each, names) : (each as unknown),
  );
  return left.every((each, index) => each === value[index]) ? value : left;
};

/** Finds the names in the records of pushes, in events, and beside what is being deleted. */
export const findRecords = async (
  tx: Runner,
  names: PersonNames,
  people: readonly string[],
): Promise<ErasedRecords> => {
  const pipeline = new Pipeline(tx);
  const kept: KeptName[] = [];
  const changed: [NodeKind, ChangedRecord[]][] = [];
  for (const kind of [Push, Event, Provider, DataSource, TeamKey]) {
    const found: ChangedRecord[] = [];
    const records = await pipeline.one<{
      key: string;
      properties: Readonly<Record<string, unknown>>;
    }>(nodesHolding(kind), { names: names.spellings });
    for (const record of records) {
      const [key, properties] = [record.get('key'), record.get('properties')];
      const set: Record<string, unknown> = {};
      for (const [property, value] of Object.entries(properties)) {
        if (NEVER_CHANGED.has(property) || !changesOnly(kind, property)) continue;
        const left = valueWithout(value, names);
        if (left !== value) set[property] = left;
      }
      if (Object.keys(set).length > 0) found.push({ key, set });
      const { name } = properties;
      if (NAMED_BY_OPERATOR.has(kind) && typeof name === 'string' && names.isIn(name)) {
        kept.push({ key, label: kind.label, name });
      }
    }
    changed.push([kind, found.sort((a, b) => (a.key < b.key ? -1 : 1))]);
  }
  const [counted] = await pipeline.one<{ number: unknown }>(COUNT_ERASED_LIFECYCLE, { people });
  return { changed, kept, people, lifecycle: Number(counted?.get('number') ?? 0) };
};

/**
 * Takes the names out of the records. Forgets the newest payloads, and ends all uploads, whatever
 * they hold.
 */
export const eraseRecords = async (
  tx: Runner,
  { changed, people }: ErasedRecords,
): Promise<void> => {
  const pipeline = new Pipeline(tx);
  for (const [kind, records] of changed) {
    await pipeline.send(changeRecords(kind), 'rows', records);
  }
  await Promise.all([
    pipeline.one(FORGET_PAYLOADS),
    pipeline.one(END_ALL_UPLOADS),
    pipeline.one(ERASE_LIFECYCLE, { people }),
  ]);
};
