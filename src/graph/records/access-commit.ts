import { gunzipSync, gzipSync } from 'node:zlib';

import { HELD_TYPES, type HeldType } from '../../access/relationship-types';

/** A relationship of the access graph, by the keys of its nodes. */
export type Related = readonly [type: HeldType, from: string, to: string];

/** Some of what a transaction changed in the access graph. */
export interface AccessChanges {
  /** Nodes that were created or changed, by their keys. */
  readonly put: readonly string[];
  /** Nodes that were removed, by their keys. All relationships at them ended. */
  readonly removed: readonly string[];
  /** Relationships that began. */
  readonly begun: readonly Related[];
  /** Relationships that ended, or that have other properties. */
  readonly ended: readonly Related[];
}

/** Changes as they are stored: each key once, and its number everywhere else. */
interface Packed {
  readonly keys: readonly string[];
  readonly put: readonly number[];
  readonly removed: readonly number[];
  /** Type, start and end of each, one after the other. */
  readonly begun: readonly number[];
  readonly ended: readonly number[];
}

/** How many nodes and relationships a piece holds: a reader pauses after each piece. */
const OF_PIECE = 5_000;

/** Collects what a transaction changes in the access graph, and packs it in pieces. */
export class AccessChangesPacker {
  private readonly pieces: string[] = [];
  private keys = new Map<string, number>();
  private piece: Record<'put' | 'removed' | 'begun' | 'ended', number[]> = empty();
  private count = 0;

  node(change: 'put' | 'removed', key: string): void {
    this.piece[change].push(this.number(key));
    this.next();
  }

  relationship(change: 'begun' | 'ended', [type, from, to]: Related): void {
    this.piece[change].push(HELD_TYPES.indexOf(type), this.number(from), this.number(to));
    this.next();
  }

  /** Everything that it collected. */
  get packed(): string {
    this.finish();
    return this.pieces.join('\n');
  }

  private number(key: string): number {
    const known = this.keys.get(key);
    if (known !== undefined) return known;
    this.keys.set(key, this.keys.size);
    return this.keys.size - 1;
  }

  private next(): void {
    this.count += 1;
    if (this.count === OF_PIECE) this.finish();
  }

  private finish(): void {
    if (this.count === 0) return;
    const packed: Packed = { keys: [...this.keys.keys()], ...this.piece };
    this.pieces.push(gzipSync(JSON.stringify(packed), { level: 1 }).toString('base64'));
    this.keys = new Map();
    this.piece = empty();
    this.count = 0;
  }
}

const empty = (): Record<'put' | 'removed' | 'begun' | 'ended', number[]> => ({
  put: [],
  removed: [],
  begun: [],
  ended: [],
});

/** What a packer has packed, piece by piece. */
export function* unpacked(text: string): Generator<AccessChanges, void> {
  for (const piece of text === '' ? [] : text.split('\n')) {
    const json = gunzipSync(Buffer.from(piece, 'base64')).toString('utf8');
    const { keys, put, removed, begun, ended } = JSON.parse(json) as Packed;
    const key = (number: number): string => keys[number] ?? '';
    const related = (numbers: readonly number[]): readonly Related[] =>
      Array.from({ length: numbers.length / 3 }, (_, at) => {
        const [type = 0, from = 0, to = 0] = numbers.slice(3 * at, 3 * at + 3);
        return [HELD_TYPES[type] as HeldType, key(from), key(to)];
      });
    yield {
      put: put.map(key),
      removed: removed.map(key),
      begun: related(begun),
      ended: related(ended),
    };
  }
}
