import type { SentBody } from './sent-body';

const BLOCK = 1024 * 1024;

/**
 * Collects bytes as they arrive, in blocks that can be passed to another thread. The pieces of a
 * socket share their memory, so they cannot be passed.
 */
export class Blocks {
  private readonly full: Uint8Array<ArrayBuffer>[] = [];
  private open = new Uint8Array(0);
  private used = 0;
  size = 0;

  add(piece: Uint8Array): void {
    this.size += piece.length;
    for (let rest = piece; rest.length > 0;) {
      if (this.used === this.open.length) this.begin();
      const fits = rest.subarray(0, this.open.length - this.used);
      this.open.set(fits, this.used);
      this.used += fits.length;
      rest = rest.subarray(fits.length);
    }
  }

  end(): SentBody['body'] {
    return [...this.full, this.open.slice(0, this.used)];
  }

  private begin(): void {
    if (this.used > 0) this.full.push(this.open);
    // Most bodies are small, so the first block starts small and grows with the bytes that arrived.
    this.open = new Uint8Array(Math.min(BLOCK, Math.max(16 * 1024, this.size)));
    this.used = 0;
  }
}
