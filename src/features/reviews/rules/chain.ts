import { createHash } from 'node:crypto';

/*
 * Hashes that show whether somebody changed a review outside the service. `examples/verify-review.py`
 * computes the same ones without the service (docs/rules.md: Access reviews).
 */

/** The SHA-256 of a JSON array, in hexadecimal. */
export const digestOf = (parts: readonly unknown[]): string =>
  createHash('sha256').update(JSON.stringify(parts)).digest('hex');

/** What an item says that never changes. Its texts may name people, so they have a salt. */
export interface ItemContent {
  readonly number: number;
  /** The alias of the human who holds it; empty if no human certainly does. */
  readonly holder: string;
  /** The alias of its first reviewer; empty for an item that was carried over. */
  readonly reviewer: string;
  readonly isCarried: boolean;
  /** A digest of what it gives. */
  readonly effect: string;
  /** A digest of what is held, which is equal for all who hold the same. */
  readonly entitlement: string;
  readonly marks: readonly string[];
  /** The seals of its holder and of its first reviewer; none in earlier reviews. */
  readonly seals: readonly string[];
}

/** Who has an alias: the key of the node of the human, and what they were called then. */
export interface AliasedPerson {
  readonly alias: string;
  readonly key: string;
  readonly name: string;
  readonly email: string;
  readonly salt: string;
}

/** A digest of whom an alias means. Without the salt, which an erasure removes, nobody can try names. */
export const personSeal = ({ salt, alias, key, name, email }: AliasedPerson): string =>
  digestOf([salt, alias, key, name, email]);

/** A digest of the key by which a review names its owner or its fallback. */
export const keySeal = (salt: string, key: string): string => digestOf([salt, key]);

/** A digest of the texts of an item. Without the salt nobody can try names. */
export const textsDigest = (salt: string, fact: string, shown: string): string =>
  digestOf([salt, fact, shown]);

/** The digest of an item, which each decision about it names. */
export const itemDigest = (content: ItemContent, texts: string): string =>
  digestOf([
    content.number,
    content.holder,
    content.reviewer,
    content.isCarried,
    content.effect,
    content.entitlement,
    content.marks,
    texts,
    ...content.seals,
  ]);

/** The digest of a population: of the digests of its items, in the order of their numbers. */
export class PopulationDigest {
  private readonly hash = createHash('sha256');

  add(digest: string): void {
    this.hash.update(`${digest}\n`);
  }

  end(): string {
    return this.hash.digest('hex');
  }
}

/** The acts of which a review stores an entry. */
export const ACTS = [
  'keep',
  'revoke',
  'reassign',
  'gone',
  'except',
  'confirm',
  'block',
  'came_back',
  'order',
  'close',
  'remediated',
  'open',
  'cancel',
  'name_owner',
  'name_fallback',
  'send',
  'answered',
] as const;
export type Act = (typeof ACTS)[number];

/** An entry of the chain of decisions. */
export interface Entry {
  readonly seq: number;
  readonly previous: string;
  readonly act: Act;
  /** The number of the item; 0 if it is about the review. */
  readonly item: number;
  /** The alias of the person who decided; empty if the service did. */
  readonly by: string;
  /** RFC 3339, in UTC. */
  readonly at: string;
  /** How many items one request decided about. */
  readonly batch: number;
  /** The digest of the item that was shown; empty if it is about the review. */
  readonly shown: string;
  /** The alias of the next reviewer, owner or fallback, the id of a push or an action, or a time, as the act demands. */
  readonly detail: string;
  /** A digest of its texts. */
  readonly said: string;
}

/** A digest of the texts of an entry, and of the seals of those who got an alias with it. */
export const digestOfTexts = (
  salt: string,
  reason: string,
  keyId: string,
  keyName: string,
  seals: readonly string[],
): string => digestOf([salt, reason, keyId, keyName, ...seals]);

/** The hash of an entry, which the next one names. */
export const entryHash = (review: string, entry: Entry): string =>
  digestOf([
    review,
    entry.seq,
    entry.previous,
    entry.act,
    entry.item,
    entry.by,
    entry.at,
    entry.batch,
    entry.shown,
    entry.detail,
    entry.said,
  ]);

/** The hash before the first entry: it names the settings and the population of the review. */
export const firstHash = (review: string, settings: string, population: string): string =>
  digestOf([review, settings, population]);
