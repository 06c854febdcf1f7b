/**
 * A text with its length before it. Several such texts can be joined and hashed: the lengths show
 * where each one ends, so different lists give different joined texts.
 */
export const sized = (text: string): string => `"${text.length} ${text}`;

// Lists up to this length are sorted by insertion. That is quicker than `sort` and allocates
// nothing.
const FEW = 12;

/** Sorts texts in place by code units, and returns the same list. */
export const sorted = (texts: string[]): readonly string[] => {
  if (texts.length > FEW) return texts.sort();
  for (let next = 1; next < texts.length; next += 1) {
    const text = texts[next] as string;
    let at = next;
    for (; at > 0 && (texts[at - 1] as string) > text; at -= 1) texts[at] = texts[at - 1] as string;
    texts[at] = text;
  }
  return texts;
};

const MODULUS = 1n << 256n;

/**
 * A digest of a set of hashes, whatever their order: the sum of the SHA-256 values modulo 2^256, in
 * hexadecimal. A data source's digest is that of its row hashes (docs/rules.md: Digests).
 */
export class Digest {
  private constructor(private readonly sum: bigint) {}

  static readonly empty = new Digest(0n);

  /** Reads what `hex` wrote. `null`, where nothing is recorded yet, gives the empty digest. */
  static of(hex: string | null): Digest {
    return hex === null ? Digest.empty : new Digest(BigInt(`0x${hex}`));
  }

  /** The digest after some hashes are added and others are removed. */
  with(added: Iterable<string>, taken: Iterable<string> = []): Digest {
    let sum = this.sum;
    for (const hash of added) sum += BigInt(`0x${hash}`);
    for (const hash of taken) sum -= BigInt(`0x${hash}`);
    return new Digest(((sum % MODULUS) + MODULUS) % MODULUS);
  }

  get hex(): string {
    return this.sum.toString(16).padStart(64, '0');
  }
}
