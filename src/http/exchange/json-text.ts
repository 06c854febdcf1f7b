/** An answer that is JSON already. */
export class JsonText {
  constructor(private readonly pieces: readonly (string | Uint8Array)[]) {}

  bytes(): Buffer {
    return Buffer.concat(
      this.pieces.map((piece) => (typeof piece === 'string' ? Buffer.from(piece) : piece)),
    );
  }
}
