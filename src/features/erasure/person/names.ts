import { isOrdinary, PersonNames } from '../../../model/person-names';
import { overlapsAny, type Span } from './span';

/** A place in the graph: a data source, and an application of it. */
export interface Place {
  readonly dataSource: string;
  readonly application: string | null;
}

/** A name of the person, and where and when it means them (docs/rules.md: Erasing a person). */
export interface ScopedName {
  /** Spelled. */
  readonly name: string;
  /** Whether it is only what people call the person. Others may be called alike. */
  readonly isDisplay: boolean;
  /** Whether it would count elsewhere if its provider were entrusted with it. */
  readonly isClaim: boolean;
  /** The place whose own name it is; `null` if it means the person everywhere. */
  readonly within: Place | null;
  /** Places in which it means somebody else. */
  readonly outside: readonly Place[];
  /** When it belonged to somebody else. */
  readonly taken: readonly Span[];
}

/** The names that a text at a place may hold. */
export interface NamesHere {
  /** Names that certainly mean the person in this text. */
  readonly certain: PersonNames;
  /** Names by which people in this text call the person. */
  readonly display: PersonNames;
  /** Names that mean the person in other places, and may mean anybody in this text. */
  readonly foreign: PersonNames;
}

/** Whether a place is or holds another one. */
export const reaches = (place: Place, here: Place): boolean =>
  place.dataSource === here.dataSource &&
  (place.application === null || place.application === here.application);

/** Whether a name counts in a record of a data source, or of none. */
const countsInRecord = ({ isDisplay, isClaim, within }: ScopedName, dataSource: string): boolean =>
  within === null || within.dataSource === dataSource || (isDisplay && !isClaim);

/** The names of a person, by where and when they mean the person. */
export class NamesByPlace {
  private readonly made = new Map<string, NamesHere>();
  private readonly recorded = new Map<string, PersonNames>();
  /** All of them. */
  readonly all: PersonNames;

  constructor(private readonly names: readonly ScopedName[]) {
    this.all = new PersonNames(names.map(({ name }) => name));
  }

  /** The times at which somebody else, who no longer has them, had those names of the thing. */
  spansOfOthersBefore(isHeld: (name: PersonNames) => boolean): readonly Span[] {
    return this.names.flatMap(({ name, isDisplay, taken }) => {
      const ended = isDisplay ? [] : taken.filter(({ until }) => until !== null);
      return ended.length > 0 && isHeld(new PersonNames([name])) ? ended : [];
    });
  }

  /** The names that a fact of this place and time may hold. */
  at(here: Place, span: Span): NamesHere {
    const meanings = this.names.map((name) => this.meaning(name, here, span));
    const key = meanings.join('');
    const known = this.made.get(key);
    if (known !== undefined) return known;
    const of = (meaning: string): PersonNames =>
      new PersonNames(
        this.names.flatMap(({ name }, at) => (meanings[at] === meaning ? [name] : [])),
      );
    const certain = of('c');
    const made = { certain, display: of('d'), foreign: of('f') };
    this.made.set(key, made);
    return made;
  }

  /**
   * The names of the person that a record of the service may hold. The record is about a data source,
   * or about none. `isOwn`: whether the person is in that data source. In others an ordinary word may
   * mean anybody.
   */
  inRecords(dataSource: string, isOwn: boolean, span: Span): PersonNames {
    return this.recordedNames(span, isOwn, (name) => countsInRecord(name, dataSource));
  }

  /**
   * The names that would count in such a record if the provider that states them were entrusted with
   * them.
   */
  claimedInRecords(dataSource: string, isOwn: boolean, span: Span): PersonNames {
    return this.recordedNames(
      span,
      isOwn,
      (name) => name.isClaim && !countsInRecord(name, dataSource),
    );
  }

  /**
   * The other names that such a record holds if it names the person by keys: those claims, and what
   * counts in the data sources of these keys, such as the name of an account next to its key.
   */
  provenInRecords(
    dataSource: string,
    isOwn: boolean,
    span: Span,
    keyed: ReadonlySet<string>,
  ): PersonNames {
    return this.recordedNames(
      span,
      isOwn,
      (name) =>
        !countsInRecord(name, dataSource) &&
        (name.isClaim || (name.within !== null && keyed.has(name.within.dataSource))),
    );
  }

  private recordedNames(
    span: Span,
    isOwn: boolean,
    counts: (name: ScopedName) => boolean,
  ): PersonNames {
    const own = this.names.flatMap((one) =>
      !overlapsAny(span, one.taken) && (isOwn || !isOrdinary(one.name)) && counts(one)
        ? [one.name]
        : [],
    );
    const key = JSON.stringify(own);
    const known = this.recorded.get(key) ?? new PersonNames(own);
    this.recorded.set(key, known);
    return known;
  }

  private meaning(
    { name, isDisplay, within, outside, taken }: ScopedName,
    here: Place,
    span: Span,
  ): 'c' | 'd' | 'f' | '-' {
    const isHere = within === null || reaches(within, here);
    if (isHere && !outside.some((place) => reaches(place, here)) && !overlapsAny(span, taken)) {
      return isDisplay ? 'd' : 'c';
    }
    return isOrdinary(name) ? '-' : 'f';
  }
}
