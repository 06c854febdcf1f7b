import { gzipSync } from 'node:zlib';

import type { AnyCodec } from '../../src/codec/codec';
import { sized } from '../support/test-size';

/** A body that means harm, and what it is. */
export interface HostileBody {
  readonly name: string;
  readonly body: string | Uint8Array;
  readonly isCompressed: boolean;
}

const BYTES = sized(200_000, 1_000_000);
const UNCOMPRESSED = sized(4_000_000, 16_000_000);

/** What no codec of SCIM names, since it takes any object. */
const IN_SCIM = ['members', 'emails', 'Operations', 'userName', 'active'];

/** The names of the fields of a codec. */
export const fieldsOf = (codec: AnyCodec): readonly string[] => {
  const { required, optional, fields } = codec as {
    readonly required?: object;
    readonly optional?: object;
    readonly fields?: object;
  };
  return Object.keys({ ...required, ...optional, ...fields });
};

const filled = (piece: (index: number) => string, bytes: number): string => {
  const pieces: string[] = [];
  for (let length = 0; length < bytes;) {
    const next = piece(pieces.length);
    pieces.push(next);
    length += next.length + 1;
  }
  return pieces.join();
};

const list = (piece: string, bytes: number): string => `[${filled(() => piece, bytes)}]`;

/** An entry that many lists take: what is wrong with it is found late. */
const ENTRY =
  '{"value":"a1","op":"add","path":"members","name":"a","identity":"a","filter":"a eq 1"}';

/** Hostile bodies of a route that takes these codecs: wide, deep, repeated, multiplying, compressed. */
export const hostileBodies = (
  codecs: readonly AnyCodec[],
  isScim: boolean,
): readonly HostileBody[] => {
  const names = [...new Set([...codecs.flatMap(fieldsOf), ...(isScim ? IN_SCIM : [])])];
  const plain = (name: string, body: string): HostileBody => ({ name, body, isCompressed: false });
  const packed = (name: string, body: string): HostileBody => ({
    name: `${name}, compressed`,
    body: gzipSync(body, { level: 9 }),
    isCompressed: true,
  });
  const each = names.flatMap((field) => [
    plain(`wide: ${field}`, `{"${field}":${list('1', BYTES)}}`),
    plain(`deep: ${field}`, `{"${field}":${'['.repeat(BYTES / 2)}${']'.repeat(BYTES / 2)}}`),
  ]);
  const pairs = names.flatMap((one, at) =>
    names
      .slice(at + 1)
      .map((other) =>
        plain(
          `multiplying: ${one} and ${other}`,
          `{"${one}":${list(ENTRY, BYTES / 2)},"${other}":${list(ENTRY, BYTES / 2)}}`,
        ),
      ),
  );
  const some = names[0] ?? 'name';
  return [
    ...each,
    ...pairs.filter((_, at) => at % sized(7, 1) === 0),
    plain('wide: fields', `{${filled((index) => `"x${index}":1`, BYTES)}}`),
    plain(
      'repeated',
      `{${filled((index) => `"${index % 2 ? some.toUpperCase() : some}":1`, BYTES)}}`,
    ),
    plain('a list', list('[]', BYTES)),
    plain('no JSON at its end', `{"${some}":${list('"a"', BYTES)}`),
    packed('wide', `{"${isScim ? 'members' : some}":${list('1', UNCOMPRESSED)}}`),
    packed('deep', '['.repeat(UNCOMPRESSED)),
    packed('spaces', ' '.repeat(UNCOMPRESSED)),
  ];
};
