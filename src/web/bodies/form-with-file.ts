import { createHash } from 'node:crypto';
import { once } from 'node:events';

import busboy, { type Busboy } from 'busboy';
import type { Request, Response } from 'express';
import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import { Blocks } from './blocks';
import { NO_ROOM, type Place, placeOf } from './body-room';
import { fieldsOf, type FormFile, type ReceivedForm, refusedForm } from './form';
import { LEFT } from './receive-body';

const TYPE = /^multipart\/form-data *;/i;

/** Enough for the fields in addition to the file. */
const LIMITS = {
  fields: 30,
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  files: 1,
  parts: 31,
  headerPairs: 20,
};

const MALFORMED = refusedForm('The body is not the form with a file that its type says.');
const TOO_MUCH = refusedForm(
  'The form has more than one file, or more or longer fields than it may.',
);

const tooLarge = (mostBytes: number): Failure => ({
  _tag: 'TooLarge',
  message:
    `The file is larger than ${mostBytes} bytes. Push it with the command line, which sends it in parts; or give the ` +
    `service more memory (its container's limit, or MEMORY), from which the largest file follows, up to 128m.`,
});

/** A file that arrives in pieces. */
class ArrivingFile {
  private readonly blocks = new Blocks();
  private readonly hash = createHash('sha256');

  constructor(private readonly name: string) {}

  add(piece: Buffer): void {
    this.blocks.add(piece);
    this.hash.update(piece);
  }

  /** `null`: nobody chose a file. Browsers send an empty one without a name then. */
  end(): FormFile | null {
    const { name, blocks, hash } = this;
    if (name === '' && blocks.size === 0) return null;
    return { name, bytes: blocks.size, body: blocks.end(), sha256: hash.digest('hex') };
  }
}

/** Takes a form apart. It holds the bytes of the file, and copies them once. */
class FormParser {
  private readonly fields: (readonly [string, string])[] = [];
  private file: ArrivingFile | null = null;
  private hasTooMuch = false;
  private isBroken = false;

  /** Resolves when the whole form is taken apart, and rejects if it is none. */
  private readonly ended: Promise<unknown>;

  private constructor(private readonly parser: Busboy) {
    this.ended = once(parser, 'close');
    // An error that nobody waits for, now or later, would end the process.
    this.ended.catch(() => undefined);
    parser.on('error', () => {
      this.isBroken = true;
    });
    parser.on('field', (name, value, { nameTruncated, valueTruncated }) => {
      if (nameTruncated || valueTruncated) this.hasTooMuch = true;
      this.fields.push([name, value]);
    });
    // A browser that sends an empty file gives it no name.
    parser.on('file', (_field, stream, { filename }: { readonly filename?: string }) => {
      const file = new ArrivingFile(filename ?? '');
      this.file = file;
      stream.on('data', (piece: Buffer) => file.add(piece)).on('error', () => undefined);
    });
    const stop = (): void => {
      this.hasTooMuch = true;
    };
    parser.on('fieldsLimit', stop).on('filesLimit', stop).on('partsLimit', stop);
  }

  /** Gives `null` if the content type names no boundary. */
  static of(type: string): FormParser | null {
    try {
      return new FormParser(
        busboy({ headers: { 'content-type': type }, limits: LIMITS, defParamCharset: 'utf8' }),
      );
    } catch {
      return null;
    }
  }

  /** Rejects if the bytes are no form. */
  async take(piece: Buffer): Promise<void> {
    if (this.isBroken) await this.ended;
    if (!this.parser.write(piece)) await Promise.race([once(this.parser, 'drain'), this.ended]);
  }

  /** Rejects if the form is not complete. */
  async end(): Promise<E.Either<Failure, ReceivedForm>> {
    this.parser.end();
    await this.ended;
    if (this.hasTooMuch) return E.left(TOO_MUCH);
    return pipe(
      fieldsOf(this.fields),
      E.map((fields) => ({ fields, file: this.file?.end() ?? null })),
    );
  }
}

const takeForm = async (
  req: Request,
  place: Place,
  parser: FormParser,
  mostBytes: number,
): Promise<E.Either<Failure, ReceivedForm>> => {
  let bytes = 0;
  try {
    // The service still answers on the connection of a body that it gives up.
    for await (const piece of req.iterator({ destroyOnReturn: false })) {
      bytes += (piece as Buffer).length;
      if (bytes > mostBytes) return E.left(tooLarge(mostBytes));
      if (!place.take((piece as Buffer).length)) return E.left(NO_ROOM);
      await parser.take(piece as Buffer);
    }
    return await parser.end();
  } catch {
    return E.left(req.destroyed && !req.complete ? LEFT : MALFORMED);
  }
};

/**
 * Receives a form with a file, up to a size in all (docs/rules.md: Requests). It takes the form apart
 * as its bytes arrive, so that no step waits for the others, and reads nothing of the file.
 */
export const readFormWithFile = (
  req: Request,
  res: Response,
  mostBytes: number,
): TE.TaskEither<Failure, ReceivedForm> => {
  const type = req.headers['content-type'] ?? '';
  const parser = TYPE.test(type) ? FormParser.of(type) : null;
  if (parser === null) {
    return TE.left(refusedForm('The body must be a form with a file: multipart/form-data.'));
  }
  if (Number(req.headers['content-length'] ?? 0) > mostBytes) return TE.left(tooLarge(mostBytes));
  const place = placeOf(res);
  if (!place.enter()) return TE.left(NO_ROOM);
  return () => takeForm(req, place, parser, mostBytes);
};
