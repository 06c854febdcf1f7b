/** An answer that is JSON already. */
export class JsonText {
  constructor(private readonly json: Uint8Array<ArrayBuffer>) {}

  bytes(): Buffer {
    const { buffer, byteOffset, length } = this.json;
    return Buffer.from(buffer, byteOffset, length);
  }
}
