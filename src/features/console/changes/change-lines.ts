import type { Summary } from '../../../contract/answers/questions/access';
import type {
  CauseOfChange,
  CauseThing,
  ChangedRow,
} from '../../../contract/answers/questions/access-changes';
import { grouped } from '../../../model/grouped';
import { isOfHumans } from '../../../model/access-narrowing';
import { sourceOfKey } from '../frame/address';
import { type AboutLine, phraseOf, toldThings } from '../words/causes';
import { wordsFor } from '../words/permission-types';

type Held = ChangedRow['gained'];

/** Somebody of a line: a human with what is theirs in it, or a principal that is nobody's. */
export interface ChangedOne {
  readonly who: Summary;
  readonly isPerson: boolean;
  readonly isHuman: boolean;
  /** The users, identities and accounts of theirs that gained or lost it. */
  readonly by: readonly Summary[];
  /** By the id of each resource, the one of their nodes by which ways are asked. */
  readonly asked: ReadonlyMap<string, string>;
}

/** What the same people gained, or lost, on resources of one application: once, with its causes inside. */
export interface ChangeLine {
  readonly change: 'gained' | 'lost';
  readonly who: readonly ChangedOne[];
  /** What they gained because of the same, by cause. */
  readonly parts: readonly ChangePart[];
  /** The newest of all things; `null` if nobody knows when it was. */
  readonly newest: CauseThing | null;
}

/** What the people of a line gained, or lost, because of the same. */
export interface ChangePart {
  readonly change: 'gained' | 'lost';
  readonly who: readonly ChangedOne[];
  /** Whether all of a human gained or lost it, and not only an account of theirs. */
  readonly isAll: boolean;
  readonly held: Held;
  readonly on: readonly Summary[];
  readonly things: readonly CauseThing[] | null;
  /** What its cause need not name again. */
  readonly about: AboutLine;
  /** The newest of the things; `null` if nobody knows when it was. */
  readonly newest: CauseThing | null;
}

/** One change of one principal on one resource, with one cause. */
interface Piece {
  readonly row: ChangedRow;
  readonly change: 'gained' | 'lost';
  readonly held: Held;
  readonly things: CauseOfChange['things'];
}

/**
 * Tells permissions apart. No type of a permission has a line break, so the name of a permission
 * cannot look like one.
 */
export const nameOfPermission = ({ name, permission_type }: Held[number]): string =>
  `${permission_type.join('\n')}\n\n${name}`;

const byName = (a: Held[number], b: Held[number]): number =>
  a.name < b.name ? -1 : a.name > b.name ? 1 : 0;

/** What identifies the application of a resource: two data sources may call theirs alike. */
const applicationOf = ({ id, application }: Summary): readonly (string | null)[] => [
  sourceOfKey(id),
  application,
];

const whoOf = ({ human, principal }: ChangedRow): Summary => human ?? principal;

/** Changes of the human first: what all of theirs gained explains more than what one account did. */
const piecesOf = (rows: readonly ChangedRow[]): readonly Piece[] => {
  const isWhole = (row: ChangedRow): boolean => whoOf(row).id === row.principal.id;
  return [...rows.filter(isWhole), ...rows.filter((row) => !isWhole(row))].flatMap((row) =>
    (row.causes ?? []).map(({ change, permissions, things }) => ({
      row,
      change,
      held: permissions,
      things,
    })),
  );
};

/** What is said of one human, or of a principal, on one resource because of one thing. */
interface Said {
  readonly pieces: Piece[];
  readonly held: Map<string, Held[number]>;
}

/** The name of a cause: the same where a line would say the same. */
const causeOf = (things: CauseOfChange['things'], about: AboutLine): string =>
  JSON.stringify(
    things &&
      toldThings(things).map((told) =>
        'thing' in told
          ? [
              ...phraseOf(told.thing, about).map((part) =>
                typeof part === 'string' ? part : [part.id],
              ),
              told.thing.at,
              told.thing.push,
            ]
          : told,
      ),
  );

/** What a human, or a principal, gained and lost, by cause and application. */
const partsOfOne = (pieces: readonly Piece[]): readonly ChangePart[] => {
  const [first] = pieces;
  if (first === undefined) return [];
  const who = whoOf(first.row);
  const ids = new Set([who.id, ...pieces.map(({ row }) => row.principal.id)]);
  /** By change and resource, what is said of each permission. */
  const told = new Map<string, Map<string, Said>>();
  const said = new Map<string, Said>();
  for (const piece of pieces) {
    const { row, change, held, things } = piece;
    const on = row.resource.id;
    const place = JSON.stringify([change, on]);
    const toldOf = told.get(place) ?? new Map<string, Said>();
    told.set(place, toldOf);
    const name = JSON.stringify([place, causeOf(things, { who: ids, on: new Set([on]) })]);
    const known = said.get(name);
    const named = held.map((each) => [nameOfPermission(each), each] as const);
    // What all of a human gained is not said again of an account of theirs.
    const fresh = named.filter(([permission]) => !toldOf.has(permission));
    if (fresh.length === 0) {
      const [first] = named;
      const teller = first && toldOf.get(first[0]);
      (known ?? teller)?.pieces.push(piece);
      continue;
    }
    const one = known ?? { pieces: [], held: new Map<string, Held[number]>() };
    said.set(name, one);
    one.pieces.push(piece);
    for (const [permission, each] of fresh) {
      one.held.set(permission, each);
      toldOf.set(permission, one);
    }
  }
  const lines = grouped([...said.values()], ({ pieces: [piece], held }) => {
    if (piece === undefined) return '';
    const { row, change, things } = piece;
    const about = { who: ids, on: new Set([row.resource.id]) };
    return JSON.stringify([
      change,
      ...applicationOf(row.resource),
      [...held.keys()].sort(),
      causeOf(things, about),
      isWhole(piece),
    ]);
  });
  return [...lines.values()].flatMap((alike): ChangePart[] => {
    const [one] = alike;
    const piece = one?.pieces[0];
    if (one === undefined || piece === undefined) return [];
    const all = alike.flatMap((each) => each.pieces);
    const by = new Map(all.map(({ row: { principal } }) => [principal.id, principal]));
    by.delete(who.id);
    const { change, things, row } = piece;
    const firsts = alike.flatMap(({ pieces: [each] }) => each?.row ?? []);
    const asked = new Map(firsts.map(({ resource, principal }) => [resource.id, principal.id]));
    const isHuman = row.human !== null && row.human !== undefined;
    const on = new Map(firsts.map(({ resource }) => [resource.id, resource]));
    return [
      {
        change,
        things,
        newest: newestOf(things),
        isAll: isWhole(piece),
        who: [{ who, isHuman, isPerson: row.is_person === true, by: [...by.values()], asked }],
        held: [...one.held.values()].sort(byName),
        on: [...on.values()],
        about: { who: ids, on: new Set(on.keys()) },
      },
    ];
  });
};

const isWhole = ({ row }: Piece): boolean => whoOf(row).id === row.principal.id;

const newestOf = (things: CauseOfChange['things']): CauseThing | null =>
  things?.reduce<CauseThing | null>(
    (newest, thing) => (thing.at !== null && (newest?.at ?? '') < thing.at ? thing : newest),
    null,
  ) ?? null;

/** Whether a line is about people; others come after them. */
export const isOfPeople = ({ who: [one] }: Pick<ChangeLine, 'who'>): boolean =>
  one?.isPerson === true;

/** The part of a list in which a line is: people, accounts that are no person's, all others. */
const partOf = (line: ChangeLine): number =>
  isOfPeople(line) ? 0 : isOfHumans(line.who[0]?.who.label) ? 1 : 2;

/** The name of a part: the same where it says the same of others. */
const nameOfPart = ({ held, on, things, isAll, about }: ChangePart): string =>
  JSON.stringify([
    isAll,
    held.map(nameOfPermission),
    on.map(({ id }) => id).sort(),
    causeOf(things, about),
  ]);

const byNameOfPart = (parts: readonly ChangePart[]): readonly ChangePart[] =>
  parts
    .map((part) => ({ part, name: nameOfPart(part) }))
    .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
    .map(({ part }) => part);

/** Who is in some parts: each once, with all that is theirs. */
const whoIn = (parts: readonly ChangePart[]): readonly ChangedOne[] =>
  [
    ...grouped(
      parts.flatMap(({ who }) => who),
      ({ who }) => who.id,
    ).values(),
  ].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const by = new Map(same.flatMap((one) => one.by.map((each) => [each.id, each])));
    // Of a resource in several parts the first one says whose ways to ask for.
    const asked = new Map(same.toReversed().flatMap((one) => [...one.asked]));
    return [{ ...first, by: [...by.values()], asked }];
  });

const newestIn = (parts: readonly ChangePart[]): CauseThing | null =>
  newestOf(parts.flatMap(({ newest }) => newest ?? []));

/** What one human, or a principal, gained, or lost, in one application is one line. */
const linesOfOne = (pieces: readonly Piece[]): readonly ChangeLine[] =>
  [
    ...grouped(partsOfOne(pieces), ({ change, on: [first] }) =>
      JSON.stringify([change, ...(first === undefined ? [] : applicationOf(first))]),
    ).values(),
  ].flatMap((parts) => {
    const [first] = parts;
    if (first === undefined) return [];
    return [{ change: first.change, who: whoIn(parts), parts, newest: newestIn(parts) }];
  });

/** Lines that say the same of several people are one line. */
const together = (lines: readonly ChangeLine[]): readonly ChangeLine[] => {
  const alike = grouped(lines, (line) =>
    JSON.stringify([line.change, partOf(line), line.parts.map(nameOfPart).sort()]),
  );
  return [...alike.values()].flatMap((some) => {
    const [first, another] = some;
    if (first === undefined || another === undefined) return some;
    const inOrder = some.map(({ parts }) => byNameOfPart(parts));
    const parts = (inOrder[0] ?? []).map((part, at): ChangePart => {
      const same = inOrder.flatMap((each) => each[at] ?? []);
      const who = new Set(same.flatMap(({ about }) => [...about.who]));
      return { ...part, who: same.flatMap((each) => each.who), about: { ...part.about, who } };
    });
    return [{ ...first, who: some.flatMap(({ who }) => who), parts, newest: newestIn(parts) }];
  });
};

/** A cause of a line, and what was gained, or lost, because of it. */
export interface CauseOfLine {
  readonly things: CauseOfChange['things'];
  readonly about: AboutLine;
  readonly newest: CauseThing | null;
  readonly parts: readonly ChangePart[];
}

/**
 * The causes of a line, each once. One that is said in several ways, since only some of the parts are about
 * what it names, is said in full.
 */
export const causesOf = ({ parts }: ChangeLine): readonly CauseOfLine[] => {
  const inFull = ({ who }: AboutLine): AboutLine => ({ who, on: new Set() });
  return [
    ...grouped(parts, ({ things, about }) => causeOf(things, inFull(about))).values(),
  ].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const { things, about, newest } = first;
    const isSaidAlike = new Set(same.map((part) => causeOf(part.things, part.about))).size === 1;
    return [{ things, newest, about: isSaidAlike ? about : inFull(about), parts: same }];
  });
};

/** What parts of a line say: what is the same in words once, with all resources on which it is. */
export const clausesOf = (parts: readonly ChangePart[]): readonly ChangePart[] =>
  [
    ...grouped(parts, ({ isAll, held }) => JSON.stringify([isAll, wordsFor(held)])).values(),
  ].flatMap((same) => {
    const [first] = same;
    if (first === undefined) return [];
    const held = new Map(
      same.flatMap((part) => part.held.map((each) => [nameOfPermission(each), each])),
    );
    const on = new Map(same.flatMap((part) => part.on.map((each) => [each.id, each])));
    return [
      {
        ...first,
        who: whoIn(same),
        held: [...held.values()].sort(byName),
        on: [...on.values()],
      },
    ];
  });

/**
 * What changed as lines (docs/rules.md: Causes of changes): people first, then accounts that are no
 * person's, in each part the newest first. What a human gained, or lost, in one application is in one
 * line, with all that is theirs and all causes. What several people gained or lost alike is one line.
 */
export const changeLines = (rows: readonly ChangedRow[]): readonly ChangeLine[] => {
  const byWho = grouped(piecesOf(rows), ({ row }) => whoOf(row).id);
  const lines = together([...byWho.values()].flatMap(linesOfOne));
  return lines.toSorted((a, b) => {
    const [first, second] = [a.newest?.at ?? '', b.newest?.at ?? ''];
    return partOf(a) - partOf(b) || (first > second ? -1 : first < second ? 1 : 0);
  });
};
