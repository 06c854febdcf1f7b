/** An answer that is JSON already; `A` is what it says. */
export class JsonText<out A = unknown> {
  declare readonly says: A;

  constructor(private readonly json: Uint8Array<ArrayBuffer>) {}

  bytes(): Buffer {
    const { buffer, byteOffset, length } = this.json;
    return Buffer.from(buffer, byteOffset, length);
  }
}
