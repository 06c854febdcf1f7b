import type { Graph, Node, Values } from './graph';
import { isBefore, type Past } from './past';
import { nameOf, PersonThroughTime, type Reason, type Taken } from './person';
import { type Being, calledAs, comparable, meet, type Moments, ThroughTime } from './through-time';
import type { Trusts } from './trusts';

/** What an erasure takes for certain, and what it asks about; all else stays (docs/rules.md: Erasing a person). */
export interface ErasurePlan {
  /** Keys of the users, employees, accounts and identities that are the person. */
  readonly person: ReadonlySet<string>;
  /** Keys of the rows that go. */
  readonly removed: ReadonlySet<string>;
  /** What is doubtful, with all reasons for it. */
  readonly doubtful: ReadonlyMap<string, ReadonlySet<Reason>>;
}

/** Where a name is one's own. */
interface Place {
  readonly source: string;
  /** null: the whole data source. */
  readonly application: string | null;
}

/** A name of the person, and where and when it means nobody else. */
interface Name {
  readonly name: string;
  readonly isDisplay: boolean;
  /** null: everywhere. */
  readonly within: Place | null;
  readonly outside: readonly Place[];
  readonly taken: Taken;
}

type Meaning = 'certain' | 'display' | 'elsewhere' | 'none';

/** Kinds that may be named after somebody, with the properties that name them, and those that hold any text. */
const NAMED: Readonly<Record<string, readonly string[]>> = {
  IdpGroup: ['name', 'identity'],
  Resource: ['name', 'id'],
};
const TEXTS = ['description', 'source_identity'];

/** Plans the erasure of somebody whose key is given, from all graphs that ever were. */
export function erasurePlan(
  graphs: readonly { readonly at: string; readonly graph: Graph }[],
  past: readonly Past[],
  trusts: Trusts,
  key: string,
  trusted: ReadonlySet<string>,
): ErasurePlan {
  const all = new ThroughTime(
    graphs.map(({ graph }) => graph),
    trusts,
  );
  const whole = new PersonThroughTime(all, trusts, key, trusted);
  const names = new Names(all, whole);
  return new Rows(all, whole, names, graphs, past).plan();
}

/** The names of a person (docs/rules.md: Erasing a person, Names). */
class Names {
  readonly all: readonly Name[];

  constructor(
    private readonly everybody: ThroughTime,
    private readonly person: PersonThroughTime,
  ) {
    const own = this.own();
    const others = [...everybody.beings.values()].filter(({ key }) => !person.mine.has(key));
    const isNamesake = ({ at }: Being, name: string): boolean =>
      !name.includes('@') &&
      [...at.values()].some((node) => calledAs(node).some((called) => called.name === name));
    for (const other of others.filter((one) => !this.isSomebodyElse(one))) {
      if (own.some(({ name }) => /\p{L}/u.test(name) && isNamesake(other, name))) {
        person.doubt(other.key, 'SAME_NAME');
      }
    }
    this.all = own.map((name) =>
      others
        .filter((other) => isNamesake(other, name.name))
        .reduce((narrowed, other) => this.narrowedBy(narrowed, other), name),
    );
  }

  /** What a name means in a text of a place and some moments. */
  meaning({ name, isDisplay, within, outside, taken }: Name, here: Place, when: Moments): Meaning {
    const isHere = within === null || holds(within, here);
    const isFree = taken !== null && !meet(taken, when);
    if (isHere && isFree && !outside.some((place) => holds(place, here))) {
      return isDisplay ? 'display' : 'certain';
    }
    return isOrdinary(name) ? 'none' : 'elsewhere';
  }

  private own(): readonly Name[] {
    const { person, everybody } = this;
    const found = new Map<string, Name>();
    const add = (name: string, isDisplay: boolean, within: Place | null): void => {
      const known = person.addresses.get(name);
      const taken = known === undefined ? new Set<number>() : known;
      const one: Name = { name, isDisplay, within, outside: [], taken };
      found.set(JSON.stringify([name, isDisplay, within]), one);
    };
    for (const key of person.mine) {
      const { label, at } = everybody.being(key);
      for (const [moment, node] of at) {
        // The name of an identity that is gone is taken when the identity was: below.
        if (label === 'Identity' && moment !== everybody.now) continue;
        for (const { name, how } of calledAs(node)) {
          if (label === 'Identity') {
            const places = person.placesOf(key);
            for (const source of places ?? []) add(name, false, { source, application: null });
            if (places === null) add(name, false, null);
            continue;
          }
          const isAddress = name.includes('@');
          const isKnown = person.mayBeKnownBy(node, name);
          const isEntrusted = person.isEntrusted({ key, label }, name);
          if (isKnown && (how === 'login' || (how === 'address' && isAddress))) {
            const places = person.besides(placeOf(node).source);
            for (const source of isEntrusted ? [] : places) {
              add(name, false, { source, application: null });
            }
            if (isEntrusted) add(name, false, null);
          }
          const isOfPlace = isAddress ? how !== 'display' && !(isKnown && isEntrusted) : true;
          if (isOfPlace) add(name, how === 'display', placeOf(node));
        }
      }
    }
    for (const [key, taken] of person.identities) {
      const name = comparable(nameOf(key));
      const places = person.placesOf(key)?.map((source) => ({ source, application: null }));
      for (const within of places ?? [null]) {
        const id = JSON.stringify([name, false, within]);
        if (within !== null || !found.has(id)) {
          found.set(id, { name, isDisplay: false, within, outside: [], taken });
        }
      }
    }
    return [...found.values()];
  }

  /** Whether an identity is somebody else's now. */
  private isSomebodyElse({ key, label }: Being): boolean {
    const { ties, now } = this.everybody;
    return (
      label === 'Identity' &&
      ties.some(({ type, to, moments }) => type === 'KNOWN_AS' && to === key && moments.has(now))
    );
  }

  /** A name after somebody else was found to have it. */
  private narrowedBy(name: Name, { label, at }: Being): Name {
    const same = [...at].filter(([, node]) =>
      calledAs(node).some((called) => called.name === name.name),
    );
    if (label === 'Identity') return name;
    const places = same.map(([, node]) => placeOf(node));
    const { within, taken } = name;
    if (within !== null) {
      return places.some((place) => holds(within, place)) ? { ...name, taken: null } : name;
    }
    if (label === 'LocalUser') return { ...name, outside: [...name.outside, ...places] };
    const isNow = same.some(([moment]) => moment === this.everybody.now);
    if (isNow || taken === null) return { ...name, taken: null };
    return { ...name, taken: new Set([...taken, ...same.map(([moment]) => moment)]) };
  }
}

/** The rows that go and those that are doubtful. */
class Rows {
  private readonly removed = new Set<string>();

  constructor(
    private readonly all: ThroughTime,
    private readonly whole: PersonThroughTime,
    private readonly names: Names,
    private readonly graphs: readonly { readonly at: string; readonly graph: Graph }[],
    private readonly past: readonly Past[],
  ) {}

  plan(): ErasurePlan {
    const { all, whole, removed } = this;
    for (const key of whole.mine) {
      if (all.isNow(key) && !key.startsWith('Identity|')) removed.add(key);
    }
    const standing = [...all.beings.values()].flatMap(({ key, at }) => {
      const node = at.get(all.now);
      return node === undefined || removed.has(key) ? [] : [node];
    });
    for (const node of standing) this.judge(node, all.lately(node.key));
    this.followHolders();
    this.judgePast();
    this.judgeIdentities();
    const gone = new Set([...whole.mine, ...removed]);
    return {
      person: whole.mine,
      removed,
      doubtful: new Map([...whole.reasons].filter(([key]) => !gone.has(key))),
    };
  }

  private meaningOf(text: string, place: Place, when: Moments): ReadonlySet<Meaning> {
    return new Set(
      this.names.all
        .filter(({ name }) => !isOrdinary(name) && ` ${comparable(text)} `.includes(` ${name} `))
        .map((name) => this.names.meaning(name, place, when)),
    );
  }

  /** What a row, or a version of one, says of the person. */
  private judged(node: Pick<Node, 'label' | 'key' | 'properties'>, when: Moments) {
    const place = placeOf(node);
    const texts = (names: readonly string[]): readonly string[] =>
      names.map((name) => node.properties[name]).filter((text) => typeof text === 'string');
    const own = texts(NAMED[node.label] ?? []);
    const after = own.map((text) => this.meaningOf(text, place, when));
    const name = comparable(texts(['name'])[0] ?? '');
    const isAlike = /\p{L}/u.test(name) && this.names.all.some((one) => one.name === name);
    const may = (...meanings: readonly Meaning[]): boolean =>
      after.some((found) => meanings.some((meaning) => found.has(meaning)));
    return {
      isAfter: may('certain'),
      isPerhapsAfter: may('display', 'elsewhere'),
      isAlike: node.label in NAMED && isAlike,
      isMentioning: texts(TEXTS).some((text) => this.meaningOf(text, place, when).has('elsewhere')),
    };
  }

  private judge(node: Node, when: Moments): void {
    const { isAfter, isPerhapsAfter, isAlike, isMentioning } = this.judged(node, when);
    if (isAfter) this.removed.add(node.key);
    else if (isPerhapsAfter || isAlike) this.note(node.key, 'SAME_NAME');
    if (!isAfter && isMentioning) this.note(node.key, 'MENTIONS');
  }

  private note(key: string, reason: Reason): void {
    const { reasons } = this.whole;
    reasons.set(key, (reasons.get(key) ?? new Set()).add(reason));
  }

  /** Grants go with their holders, but those that an identity had as somebody else's. */
  private followHolders(): void {
    const { all, whole, removed } = this;
    const graph = this.graphs.at(-1)?.graph.relationships ?? [];
    for (const { type, from, to } of graph) {
      if (type !== 'HOLDS') continue;
      const taken = whole.identities.get(from.key) ?? new Set();
      const isTheirs = whole.mine.has(from.key) && !meet(taken, this.sinceOf(from.key, to.key));
      if (isTheirs && all.isNow(to.key)) removed.add(to.key);
    }
  }

  /** Since when one holds something, until now. */
  private sinceOf(from: string, to: string): Moments {
    const holding = new Set<number>();
    for (let moment = this.all.now; moment >= 0; moment -= 1) {
      const isHeld = this.graphs[moment]?.graph.relationships.some(
        (one) => one.type === 'HOLDS' && one.from.key === from && one.to.key === to,
      );
      if (isHeld !== true) break;
      holding.add(moment);
    }
    return holding;
  }

  /** Versions that ended are judged by their own time. What goes for certain in one version is not doubtful in another. */
  private judgePast(): void {
    const found = new Map<string, Set<Reason>>();
    const certain = new Set<string>();
    for (const { kind, properties } of this.past) {
      const [key, label] = [textOf(properties.key), textOf(properties.label)];
      if (kind !== 'PastNode' || this.whole.mine.has(key) || this.removed.has(key)) continue;
      const { isAfter, isPerhapsAfter, isMentioning } = this.judged(
        { key, label: label as Node['label'], properties },
        this.momentsOf(properties),
      );
      if (isAfter) certain.add(key);
      const reasons = found.get(key) ?? new Set();
      if (isPerhapsAfter) reasons.add('SAME_NAME');
      else if (isMentioning) reasons.add('MENTIONS');
      if (reasons.size > 0) found.set(key, reasons);
    }
    for (const [key, reasons] of found) {
      if (!certain.has(key)) for (const reason of reasons) this.note(key, reason);
    }
  }

  private momentsOf({ from, since, until }: Values): Moments {
    const text = (value: Values[string] | undefined): string =>
      typeof value === 'object' && 'instant' in value ? value.instant : '';
    const [begin, end] = [text(from) || text(since), text(until)];
    return new Set(
      this.graphs.flatMap(({ at }, moment) =>
        !isBefore(at, begin) && isBefore(at, end) ? [moment] : [],
      ),
    );
  }

  /** An identity that is gone, whose name the person has. */
  private judgeIdentities(): void {
    const { all, whole } = this;
    const led = this.past.flatMap(({ kind, properties: { start, end } }) =>
      kind === 'PastRelationship' ? [textOf(start), textOf(end)] : [],
    );
    for (const key of new Set(led.filter((one) => one.startsWith('Identity|')))) {
      const name = comparable(nameOf(key));
      if (whole.mine.has(key) || all.isNow(key) || !/\p{L}/u.test(name)) continue;
      if (this.names.all.some((one) => one.name === name)) this.note(key, 'SAME_NAME');
    }
  }
}

function textOf(value: Values[string] | undefined): string {
  return typeof value === 'string' ? value : '';
}

function placeOf({ label, key, properties }: Pick<Node, 'label' | 'key' | 'properties'>): Place {
  const { application } = properties;
  const source = label === 'Identity' ? '' : (key.split('|')[0] ?? '');
  return { source, application: typeof application === 'string' ? application : null };
}

function holds(place: Place, here: Place): boolean {
  return (
    place.source === here.source &&
    (place.application === null || place.application === here.application)
  );
}

/** Whether a name may be an ordinary word (docs/rules.md: Erasing a person). */
function isOrdinary(name: string): boolean {
  return name.length < 4 || /^[\p{L}\p{M}]+$/u.test(name) || /^\p{N}+$/u.test(name);
}
