import { once } from 'node:events';
import { createGzip } from 'node:zlib';

/** How many characters are compressed at once. */
const AT_ONCE = 64 * 1024;

/**
 * The text of a payload, written piece by piece. Only its gzip is held in memory, which is about a
 * tenth.
 */
export class PayloadText {
  private readonly gzip = createGzip({ level: 1 });
  private readonly packed: Buffer[] = [];
  private readonly ended: Promise<unknown>;
  private waiting = '';
  private isFirst = true;

  constructor() {
    this.gzip.on('data', (piece: Buffer) => this.packed.push(piece));
    this.ended = once(this.gzip, 'end');
  }

  /** Writes a piece of the text. */
  async write(text: string): Promise<void> {
    this.waiting += text;
    if (this.waiting.length < AT_ONCE) return;
    const piece = this.waiting;
    this.waiting = '';
    if (!this.gzip.write(piece)) await once(this.gzip, 'drain');
  }

  /** Begins a list. */
  async list(start: string): Promise<void> {
    this.isFirst = true;
    await this.write(start);
  }

  /** Writes an entry of the list that began last. */
  async entry(value: unknown): Promise<void> {
    await this.write(`${this.isFirst ? '' : ','}${JSON.stringify(value)}`);
    this.isFirst = false;
  }

  /** The gzip of the whole text. */
  async end(): Promise<Buffer> {
    this.gzip.end(this.waiting);
    await this.ended;
    return Buffer.concat(this.packed);
  }
}
