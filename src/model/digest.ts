/** A text among others that are hashed as one: it tells its length, so that nothing in it can be read for what follows it. */
export const sized = (text: string): string => `"${text.length} ${text}`;

// Up to so many, putting each in its place takes less time and memory than `sort`, which makes lists of its own.
const FEW = 12;

/** Sorts texts in place, by code units, and gives them. */
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

/** Digest of many things, in whatever order: the sum modulo 2^256 of their SHA-256, in hexadecimal; of a data source that of its rows (docs/rules.md: Digests). */
export class Digest {
  private constructor(private readonly sum: bigint) {}

  static readonly empty = new Digest(0n);

  /** Reads what `hex` wrote; nothing recorded yet is the empty digest. */
  static of(hex: string | null): Digest {
    return hex === null ? Digest.empty : new Digest(BigInt(`0x${hex}`));
  }

  /** With some hashes added and others taken away. */
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
