import fc, { type Arbitrary } from 'fast-check';
import { isParentGroup } from '../mirror/spelling';
import { json, pick } from './optional';

/** One small change of a payload; what comes is taken from another payload. */
export interface Edit {
  readonly action: 'drop' | 'insert' | 'replace' | 'field' | 'top';
  readonly kind: number;
  readonly list: number;
  readonly at: number;
  readonly from: number;
  readonly field: number;
}

/** A few small changes. */
export const edits: Arbitrary<readonly Edit[]> = fc.array(
  fc.record({
    action: fc.constantFrom('field', 'drop', 'insert', 'replace', 'field', 'top'),
    kind: pick,
    list: pick,
    at: pick,
    from: pick,
    field: pick,
  }),
  { minLength: 1, maxLength: 8, size: 'max' },
);

type Item = Record<string, unknown>;
type Lists = ReadonlyMap<string, readonly Item[][]>;

/** A payload after some changes, which may leave it against the rules. */
export function edited(payload: object, changes: readonly Edit[], donor: object): object {
  const whole = json(payload);
  const donors = new Map<string, Item[][]>();
  collect(donor, donors);
  for (const change of changes) {
    const lists = new Map<string, Item[][]>();
    collect(whole, lists);
    apply(change, whole as Item, lists, donor as Item, donors);
  }
  return whole;
}

function apply(change: Edit, whole: Item, lists: Lists, donor: Item, donors: Lists): void {
  const plain = Object.keys(donor).filter((field) => !Array.isArray(donor[field]));
  if (change.action === 'top') {
    const field = chosen(plain, change.field);
    if (field !== undefined) whole[field] = donor[field];
    return;
  }
  const kinds = [...lists.keys()].filter((kind) => donors.has(kind) && kind !== '/domains');
  const kind = chosen(kinds, change.kind) ?? '';
  const list = chosen(lists.get(kind) ?? [], change.list) ?? [];
  const taken = chosen((donors.get(kind) ?? []).flat(), change.from);
  const given = taken === undefined ? undefined : json(taken);
  const at = list.length === 0 ? 0 : change.at % list.length;
  const item = list[at];
  // An application payload needs one application, and nothing to repair it could be made up.
  const isLast = kind === '/applications' && list.length === 1;
  if (change.action === 'drop' && !isLast) list.splice(at, 1);
  else if (change.action === 'drop') return;
  else if (given !== undefined && change.action === 'insert') list.splice(at, 0, given);
  // The two shapes of a parent group have no field in common, and mixed they are neither (docs/rules.md: Identity provider payloads).
  else if (
    given !== undefined &&
    (change.action === 'replace' || [given, item ?? given].some(isParentGroup))
  )
    list.splice(at, 1, given);
  else if (given !== undefined && item !== undefined) {
    const field = chosen(Object.keys(given), change.field);
    // Two applications of one name would make one of the entities inside them, too.
    if (field === undefined || (kind === '/applications' && field === 'name')) return;
    const changed = { ...item, [field]: given[field] };
    list.splice(at, 1, isNameless(kind, changed) ? given : changed);
  }
}

/** Whether an access credential has nothing by which it could be called: the only kind whose shape asks for one of several fields. */
function isNameless(kind: string, { id, unique_id, name }: Item): boolean {
  return kind.endsWith('/local_access_creds') && ![id, unique_id, name].some(Boolean);
}

/** All lists of objects by the fields that lead to them; sub-resources count as resources. */
function collect(value: unknown, lists: Map<string, Item[][]>, path = ''): void {
  if (Array.isArray(value)) {
    if (value.every((item) => typeof item === 'object' && item !== null)) {
      lists.set(path, [...(lists.get(path) ?? []), value as Item[]]);
    }
    value.forEach((item) => collect(item, lists, path));
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, inside] of Object.entries(value)) {
      collect(inside, lists, name === 'sub_resources' ? path : `${path}/${name}`);
    }
  }
}

function chosen<T>(among: readonly T[], n: number): T | undefined {
  return among[n % among.length];
}
