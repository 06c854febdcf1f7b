import { unescapePart } from '../../model/key';
import { spelled } from '../../model/person-names';
import { Identity } from '../../model/shared-nodes';
import { LocalUser } from '../../templates/application/local-users';
import { Employee } from '../../templates/hris/employees';
import { IdpGroup } from '../../templates/identity-provider/groups';
import { IdpUser } from '../../templates/identity-provider/users';
import type { Decisions } from './doubt';
import { type Place, reaches, type ScopedName } from './names';
import { isPersonLabel, ownNames, type People, placeOf, type Someone } from './people';
import { ALWAYS, type Span } from './span';

/** Those who may have an address. */
export const ADDRESSED: readonly string[] = [IdpUser, IdpGroup, Employee, LocalUser].map(
  ({ label }) => label,
);
/** Those by whose names an erasure finds people. */
const NAMESAKES: readonly string[] = [...ADDRESSED, Identity.label];
/** Whether a name is an address. */
export const isAddress = (name: string): boolean => name.includes('@');

/** The name of an identity, as its key tells it. */
export const nameOfIdentity = (key: string): string =>
  unescapePart(key.slice(Identity.label.length + 1));

/** Who is known to be the person, and what to do about whoever has a name of the person. */
export interface Named {
  has(key: string): boolean;
  /** When somebody else had a name of the person. */
  takenAt(name: string): readonly Span[];
  /** Identities of the person, with the times when they were somebody else's. */
  readonly identities: ReadonlyMap<string, readonly Span[]>;
  /** Notes that somebody has a name of the person. */
  doubt(key: string, label: string): Promise<void>;
}

/** Finds the names of a person, and those who have the same. */
export class Namesakes {
  constructor(
    private readonly people: People,
    private readonly decisions: Decisions,
    private readonly person: Named,
  ) {}

  /** The names of the person, each with where and when it means nobody else; and their namesakes. */
  async nameAll(keys: ReadonlySet<string>): Promise<readonly ScopedName[]> {
    const names = new Map<string, ScopedName>();
    const add = (name: string, isDisplay: boolean, within: Place | null): void => {
      const key = JSON.stringify([name, isDisplay, within]);
      const taken = this.person.takenAt(name);
      names.set(key, { name, isDisplay, within, outside: [], taken });
    };
    for (const one of await this.people.allOf(keys)) {
      for (const { name, naming } of ownNames(one)) {
        const isEverywhere = isAddress(name) ? naming !== 'display' : naming === 'login';
        if (isEverywhere) add(name, false, null);
        if (one.label !== Identity.label && !isAddress(name)) {
          add(name, naming === 'display', placeOf(one));
        }
      }
    }
    // An identity that is gone has no node.
    for (const [key, taken] of this.person.identities) {
      const name = spelled(nameOfIdentity(key));
      const known = JSON.stringify([name, false, null]);
      if (!names.has(known))
        names.set(known, { name, isDisplay: false, within: null, outside: [], taken });
    }
    await this.findNamesakes(names);
    return [...names.values()];
  }

  private async findNamesakes(names: Map<string, ScopedName>): Promise<void> {
    const byName = new Map<string, string[]>();
    for (const [key, { name }] of names) byName.set(name, [...(byName.get(name) ?? []), key]);
    const namesakes = await this.people.all(
      NAMESAKES,
      (one) => !this.person.has(one.key) && ownNames(one).some(({ name }) => byName.has(name)),
    );
    for (const one of namesakes) {
      if (this.decisions.isLeft(one.key)) continue;
      const place = placeOf(one);
      let isAlike = false;
      for (const { name } of ownNames(one)) {
        if (isAddress(name)) continue;
        for (const key of byName.get(name) ?? []) {
          const sought = names.get(key);
          if (sought === undefined) continue;
          // A number is an id somewhere, and says nothing about anybody elsewhere.
          if (/\p{L}/u.test(name)) isAlike = true;
          names.set(key, withNamesake(sought, one, place));
        }
      }
      if (isAlike && isPersonLabel(one.label)) await this.doubtNamesake(one);
    }
  }

  private async doubtNamesake({ key, label }: Someone): Promise<void> {
    if (label === Identity.label) {
      const known = await this.people.tiesOf(key, 'KNOWN_AS');
      if (known.some(({ span }) => span.until === null)) return;
    }
    await this.person.doubt(key, label);
  }
}

/** A name after somebody else was found to have it: where it means them, it stays. */
const withNamesake = (name: ScopedName, { label, span }: Someone, place: Place): ScopedName => {
  const { within } = name;
  if (label === Identity.label) return name;
  if (within === null) {
    if (label === LocalUser.label) return { ...name, outside: [...name.outside, place] };
    return { ...name, taken: [...name.taken, span.until === null ? ALWAYS : span] };
  }
  return reaches(within, place) ? { ...name, taken: [...name.taken, ALWAYS] } : name;
};
