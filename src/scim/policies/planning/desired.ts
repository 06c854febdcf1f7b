import type { Attributes } from '../../client/attribute';
import type { Profile } from '../../client/profile';
import { ScimFault } from '../../client/scim-fault';
import { byCodeUnits } from '../../../model/fold';
import { accountOf, type Mapping } from '../../actions/mapping';
import { digestOf } from './digest';
import {
  type DesiredAccount,
  type IncompletePerson,
  type MatchedPerson,
  type Policy,
  selectorKey,
} from './policy';

/** The mapping of a connection. Attributes of policies are added to it or replace some of it. */
export const mappingWith = (base: Mapping, policies: readonly Policy[]): Mapping => {
  const mapping = new Map(base);
  for (const [asked, properties] of policies.flatMap(({ attributes }) =>
    Object.entries(attributes),
  )) {
    const path = [...mapping.keys()].find((each) => each.toLowerCase() === asked.toLowerCase());
    if (properties.length === 0) mapping.delete(path ?? asked);
    else mapping.set(path ?? asked, properties);
  }
  return mapping;
};

/** A digest of the wanted state of an account. */
const accountDigest = (attributes: Attributes): string =>
  digestOf([...attributes].sort(([a], [b]) => byCodeUnits(a, b)));

const isActive = ({ properties }: MatchedPerson, attributes: Attributes): boolean => {
  const active = attributes.get('active') ?? properties.is_active;
  return active !== false && (typeof active !== 'string' || active.toLowerCase() !== 'false');
};

/** The accounts that people must have, and people who lack something. Inactive people have none. */
export interface Desired {
  readonly accounts: ReadonlyMap<string, DesiredAccount>;
  readonly incomplete: readonly IncompletePerson[];
}

/** Decides who must have which account. `policies` are those that count, the eldest first. */
export const desiredOf = (
  policies: readonly Policy[],
  people: readonly MatchedPerson[],
  base: Mapping,
  profile: Pick<Profile, 'external_id'>,
): Desired => {
  const accounts = new Map<string, DesiredAccount>();
  const incomplete: IncompletePerson[] = [];
  const mappings = new Map<string, Mapping>();
  for (const person of people) {
    const fits = (selector: Policy['who'][number]): boolean =>
      person.selectors.has(selectorKey(selector));
    const finding = policies.filter(({ who }) => who.some(fits));
    const [first, ...others] = finding;
    if (first === undefined) continue;
    const ids = [first.id, ...others.map(({ id }) => id)] as const;
    const known = ids.join();
    const mapping = mappings.get(known) ?? mappingWith(base, finding);
    mappings.set(known, mapping);
    try {
      const { who, attributes } = accountOf(person.properties, mapping, profile);
      if (!isActive(person, attributes)) continue;
      const whole = new Map<string, string | boolean>([...attributes, ['active', true]]);
      const groups = finding.flatMap((policy) =>
        policy.groups
          .filter((group) => group.who === null || fits(group.who))
          .map(({ name }) => name),
      );
      accounts.set(person.key, {
        person: person.key,
        policies: ids,
        who,
        attributes: whole,
        digest: accountDigest(whole),
        groups: [...new Set(groups)].sort(),
        adopt: finding.some(({ adopt }) => adopt),
      });
    } catch (error) {
      if (!(error instanceof ScimFault)) throw error;
      if (!isActive(person, new Map())) continue;
      const { message } = error;
      incomplete.push({ person: person.key, policy: first.id, code: 'INCOMPLETE', message });
    }
  }
  return { accounts, incomplete };
};
