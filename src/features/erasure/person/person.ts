import { fold } from '../../../model/fold';
import { keyOf } from '../../../model/key';
import { spelled } from '../../../model/person-names';
import { Identity } from '../../../model/shared-nodes';
import { IdpUser } from '../../../templates/identity-provider/users';
import { PERSON_LABELS } from '../statements';
import type { Runner } from '../../../neo4j/transaction';
import { Claims } from './claims';
import type { Decisions } from './doubt';
import {
  dataSourceOf,
  isDirectory,
  isPersonLabel,
  nameOfIdentity,
  ownNames,
  People,
  type Someone,
} from './people';
import { type Person, PersonSearch } from './person-search';
import { ALWAYS } from './span';
import { hasSignedIn, isSigner } from './signers';

/** Several people have the name. Each is one candidate. */
export class SeveralPeople extends Error {
  constructor(readonly candidates: readonly Someone[]) {
    super('several people have this name');
  }
}

/** Nobody has the name. */
export class NobodyFound extends Error {}

/** Whom a node leads to: an account of an application and an identity lead to their users. */
const headsOf = async (
  people: People,
  claims: Claims,
  seed: Someone,
): Promise<readonly Someone[]> => {
  if (isDirectory(seed.label)) return [seed];
  const live = async (key: string, type: string): Promise<readonly string[]> =>
    (await people.tiesOf(key, type))
      .filter(({ span }) => span.until === null)
      .map(({ other }) => other);
  const identities =
    seed.label === Identity.label ? [seed.key] : await live(seed.key, 'IDENTITY_OF');
  const known = (await Promise.all(identities.map((key) => live(key, 'KNOWN_AS')))).flat();
  // An account does not prove that it is that of a user of another provider.
  const isProof = (user: string): boolean =>
    seed.label === Identity.label ||
    claims.isTrusted(dataSourceOf(seed.key)) ||
    claims.areOfOneProvider(seed.key, user);
  const users = (await people.load(new Set(known.filter(isProof)))).filter(
    ({ label }) => label === IdpUser.label,
  );
  if (users.length > 0) return users;
  return seed.label === Identity.label && known.length > 0 ? [] : [seed];
};

const identityOfKey = (key: string): Someone => ({
  key,
  label: Identity.label,
  span: ALWAYS,
  properties: { name: nameOfIdentity(key) },
});

/** Nodes that exist or existed by this key. */
const ofKey = async (tx: Runner, people: People, key: string): Promise<readonly Someone[]> => {
  const existing = await people.load([key]);
  if (existing.length > 0) return existing;
  const [former] = await people.past([key]);
  if (former !== undefined) return isPersonLabel(former.label) ? [former] : [];
  if (isSigner(key) && (await hasSignedIn(tx, key))) {
    return [{ key, label: '', span: ALWAYS, properties: {} }];
  }
  const isIdentity = key.startsWith(`${Identity.label}|`);
  return isIdentity && (await people.ties(key)).length > 0 ? [identityOfKey(key)] : [];
};

/** Nodes that exist or existed by this name, email or id. */
const ofName = async (tx: Runner, people: People, asked: string): Promise<readonly Someone[]> => {
  const name = spelled(asked);
  const found = await people.all(PERSON_LABELS, (one) =>
    ownNames(one).some((own) => own.name === name),
  );
  const existing = found.filter(({ span }) => span.until === null);
  if (existing.length > 0) return existing;
  if (found.length > 0) return found;
  return ofKey(tx, people, keyOf(Identity.label, fold(asked)));
};

/** Finds the person whom a client names by a key, an id, an email or a name. */
export const findPerson = async (
  tx: Runner,
  asked: string,
  decisions: Decisions,
  trusted: readonly string[],
): Promise<Person> => {
  const people = new People(tx);
  const claims = await Claims.read(tx, trusted);
  const byKey = await ofKey(tx, people, asked);
  const named = byKey.length > 0 ? byKey : await ofName(tx, people, asked);
  // A person in a directory is meant before an account of the same name.
  const inDirectory = named.filter(({ label }) => isDirectory(label));
  const seeds = inDirectory.length > 0 ? inDirectory : named;
  const heads: Someone[] = [];
  for (const seed of seeds) heads.push(...(await headsOf(people, claims, seed)));
  const led = heads.filter(({ label }) => isDirectory(label));
  const meant = led.length > 0 ? led : heads;
  const [head] = meant;
  if (head === undefined) throw new NobodyFound();
  const person = await new PersonSearch(people, decisions, claims).from(head);
  const others = meant.filter(({ key }) => key !== head.key && !person.keys.has(key));
  if (others.length === 0) return person;
  const candidates = new Map([head, ...others].map((one) => [one.key, one]));
  throw new SeveralPeople([...candidates.values()].sort((a, b) => (a.key < b.key ? -1 : 1)));
};
