import { once } from 'node:events';
import { createGzip } from 'node:zlib';

import { ScimFault } from '../client/scim-fault';

/** How many characters are compressed at once. */
const AT_ONCE = 64 * 1024;

/** The fault of an application that shows more than one push accepts. */
export const tooMuchForPush = (mostBytes: number): ScimFault =>
  new ScimFault(
    'TOO_LARGE',
    `What the application shows makes a payload of more than the ${mostBytes} bytes that a push may have. Leave some accounts out (leave_out), or give the service more memory (MEMORY).`,
  );

/**
 * The text of a payload, written piece by piece. Only its gzip is held in memory, which is about a
 * tenth. Fails as soon as the text is larger than a push may be.
 */
export class PayloadText {
  private readonly gzip = createGzip({ level: 1 });
  private readonly packed: Buffer[] = [];
  private readonly ended: Promise<unknown>;
  private waiting = '';
  private isFirst = true;
  private bytes = 0;

  constructor(private readonly mostBytes: number) {
    this.gzip.on('data', (piece: Buffer) => this.packed.push(piece));
    this.ended = once(this.gzip, 'end');
  }

  /** Writes a piece of the text. */
  async write(text: string): Promise<void> {
    this.waiting += text;
    if (this.waiting.length < AT_ONCE) return;
    const piece = this.waiting;
    this.waiting = '';
    this.count(piece);
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

  private count(piece: string): void {
    this.bytes += Buffer.byteLength(piece);
    if (this.bytes > this.mostBytes) throw tooMuchForPush(this.mostBytes);
  }

  /** The gzip of the complete text. */
  async end(): Promise<Buffer> {
    this.count(this.waiting);
    this.gzip.end(this.waiting);
    await this.ended;
    return Buffer.concat(this.packed);
  }
}
