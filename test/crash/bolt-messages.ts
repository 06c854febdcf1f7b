/** Messages of Bolt by their signatures: those that a client sends, and the ends of answers. */
const REQUESTS: Readonly<Record<number, string>> = {
  0x01: 'HELLO',
  0x02: 'GOODBYE',
  0x0f: 'RESET',
  0x10: 'RUN',
  0x11: 'BEGIN',
  0x12: 'COMMIT',
  0x13: 'ROLLBACK',
  0x2f: 'DISCARD',
  0x3f: 'PULL',
  0x54: 'TELEMETRY',
  0x66: 'ROUTE',
  0x6a: 'LOGON',
  0x6b: 'LOGOFF',
};
const [SUCCESS, IGNORED, FAILURE] = [0x70, 0x7e, 0x7f];
const MANIFEST = 0x000001ff;
const OPENING_BYTES = 20;

/** What one side sent: the bytes as they came, and the message in them; empty where they are none, such as a sign of life. */
export interface BoltMessage {
  readonly raw: Buffer;
  readonly body: Buffer;
}

/** A request of a client. */
export interface BoltRequest {
  readonly name: string;
  /** The text of a RUN. */
  readonly text: string | null;
}

/** Cuts what comes through a socket into messages: chunks with a length before each, up to one of length 0. */
export class BoltChunks {
  private rest: Buffer = Buffer.alloc(0);

  add(bytes: Buffer): readonly BoltMessage[] {
    this.rest = this.rest.length === 0 ? bytes : Buffer.concat([this.rest, bytes]);
    const messages: BoltMessage[] = [];
    for (let end = endOfMessage(this.rest); end !== null; end = endOfMessage(this.rest)) {
      const raw = this.rest.subarray(0, end);
      this.rest = this.rest.subarray(end);
      messages.push({ raw, body: bodyOf(raw) });
    }
    return messages;
  }
}

function endOfMessage(bytes: Buffer): number | null {
  for (let at = 0; at + 2 <= bytes.length;) {
    const length = bytes.readUInt16BE(at);
    at += 2 + length;
    if (length === 0) return at;
  }
  return null;
}

function bodyOf(raw: Buffer): Buffer {
  const chunks: Buffer[] = [];
  for (let at = 0; at < raw.length;) {
    const length = raw.readUInt16BE(at);
    chunks.push(raw.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return Buffer.concat(chunks);
}

/** How many bytes a client sends before its first message, as far as that is known. */
export const clientOpening = (serverOpening: Buffer | null): number => {
  const isManifest = serverOpening !== null && serverOpening.readUInt32BE(0) === MANIFEST;
  // It chooses a version and (with none of them: one byte) capabilities.
  return isManifest ? OPENING_BYTES + 5 : OPENING_BYTES;
};

/** Where the server's opening ends: a version, or a manifest of them; `null` as long as there is too little of it. */
export const serverOpeningEnd = (bytes: Buffer): number | null => {
  if (bytes.length < 4) return null;
  if (bytes.readUInt32BE(0) !== MANIFEST) return 4;
  const versions = varint(bytes, 4);
  if (versions === null) return null;
  return varint(bytes, versions.end + 4 * versions.value)?.end ?? null;
};

function varint(bytes: Buffer, from: number): { value: number; end: number } | null {
  let value = 0;
  for (let at = from, shift = 0; at < bytes.length; at += 1, shift += 7) {
    const byte = bytes.readUInt8(at);
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return { value, end: at + 1 };
  }
  return null;
}

/** What a client asks for by a message. */
export const readRequest = (body: Buffer): BoltRequest => {
  const name = REQUESTS[body[1] ?? 0] ?? 'unknown';
  return { name, text: name === 'RUN' ? textAt(body, 2) : null };
};

/** Whether a message of a server ends an answer. */
export const endsAnswer = (body: Buffer): boolean =>
  [SUCCESS, IGNORED, FAILURE].includes(body[1] ?? 0);

/** A text of PackStream: its length in the marker's low bits, or in the bytes behind it. */
function textAt(body: Buffer, at: number): string {
  const marker = body.readUInt8(at);
  const text = (start: number, length: number): string =>
    body.toString('utf8', start, start + length);
  if (marker < 0x90) return text(at + 1, marker & 0x0f);
  if (marker === 0xd0) return text(at + 2, body.readUInt8(at + 1));
  if (marker === 0xd1) return text(at + 3, body.readUInt16BE(at + 1));
  return text(at + 5, body.readUInt32BE(at + 1));
}
