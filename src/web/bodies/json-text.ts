/** An answer that is JSON text already; `A` is its type. */
export class JsonText<out A = unknown> {
  declare readonly says: A;

  constructor(private readonly json: Uint8Array<ArrayBuffer>) {}

  bytes(): Buffer {
    const { buffer, byteOffset, length } = this.json;
    return Buffer.from(buffer, byteOffset, length);
  }
}
