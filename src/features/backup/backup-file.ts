import { constants } from 'node:buffer';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { link, open, rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';

import type {
  BackedUpGraph,
  GraphPart,
  LeftOut,
  NodeLine,
  RelationshipLine,
  Section,
} from './graph/backup-line';
import { checkStore, type WrittenStore } from '../../graph/migration/migrate';
import { derivedSecret, type VaultKey } from '../../secrets/vault';

const FORMAT = 'grantgraph-backup';
/** The version of the format of backup files that this release writes. It reads this one alone. */
const FORMAT_VERSION = 1;

/** The first line of a backup. */
export interface BackupHeader extends BackedUpGraph {
  readonly format: typeof FORMAT;
  readonly format_version: number;
  /** The release that wrote the backup. */
  readonly release: string;
  readonly commit: string;
  readonly rules_version: number;
}

/** The last line of a backup. */
export interface BackupEnd {
  readonly nodes: number;
  readonly relationships: number;
  readonly left_out: LeftOut;
  /** SHA-256 of all lines before this one, in hexadecimal. */
  readonly sha256: string;
  /** The id of the key that signs it. */
  readonly signed_with: string;
  /** HMAC-SHA-256 of the rest of this line, in hexadecimal. The key is not in the graph. */
  readonly signature: string;
}

/** Signs the last line of a backup, which names the digest of all others. */
const signatureOf = (key: VaultKey, { signature: _none, ...end }: BackupEnd): string =>
  createHmac('sha256', derivedSecret(key, 'backup')).update(JSON.stringify(end)).digest('hex');

/** A file is no backup that this release can restore. */
export class WrongBackup extends Error {}

/** The build that writes a backup. */
export interface WritingBuild {
  readonly version: string;
  readonly commit: string;
  readonly rulesVersion: number;
}

/** What is written to a backup. */
export interface BackupSource {
  readonly about: BackedUpGraph;
  parts(): AsyncIterable<GraphPart>;
  leftOut(): LeftOut;
}

const CHARACTERS_AT_ONCE = 65_536;
/** Speed counts, because pushes wait during a backup. */
const GZIP_LEVEL = 3;

async function* linesOf(
  source: BackupSource,
  { version, commit, rulesVersion }: WritingBuild,
  ended: (end: BackupEnd) => void,
): AsyncGenerator<string> {
  const header: BackupHeader = {
    format: FORMAT,
    format_version: FORMAT_VERSION,
    ...source.about,
    release: version,
    commit,
    rules_version: rulesVersion,
  };
  yield JSON.stringify(header);
  const counts = { nodes: 0, relationships: 0 };
  let inSection: number | null = null;
  for await (const part of source.parts()) {
    if ('section' in part) {
      if (inSection !== null) yield JSON.stringify({ end: inSection });
      inSection = 0;
      yield JSON.stringify(part.section);
      continue;
    }
    inSection = (inSection ?? 0) + 1;
    counts['node' in part ? 'nodes' : 'relationships'] += 1;
    yield JSON.stringify('node' in part ? part.node : part.relationship);
  }
  yield JSON.stringify({ end: inSection ?? 0 });
  ended({ ...counts, left_out: source.leftOut(), sha256: '', signed_with: '', signature: '' });
}

async function* textOf(
  source: BackupSource,
  build: WritingBuild,
  key: VaultKey,
  ended: (end: BackupEnd) => void,
): AsyncGenerator<string> {
  const hash = createHash('sha256');
  let end: BackupEnd | undefined;
  let text = '';
  for await (const line of linesOf(source, build, (made) => (end = made))) {
    text += `${line}\n`;
    if (text.length < CHARACTERS_AT_ONCE) continue;
    hash.update(text);
    yield text;
    text = '';
  }
  hash.update(text);
  const unsigned = { ...(end as BackupEnd), sha256: hash.digest('hex'), signed_with: key.id };
  const last = { ...unsigned, signature: signatureOf(key, unsigned) };
  ended(last);
  yield `${text}${JSON.stringify(last)}\n`;
}

/**
 * Writes a backup to a new file that only its owner may read, because it holds the hashes of keys.
 * The file gets its name when it is complete and on the disk. It is opened new, so it follows no
 * link, and never replaces another file.
 */
export const writeBackup = async (
  file: string,
  source: BackupSource,
  build: WritingBuild,
  key: VaultKey,
): Promise<BackupEnd> => {
  const unfinished = `${file}.unfinished`;
  const target = await open(unfinished, 'wx', 0o600);
  let end: BackupEnd | undefined;
  try {
    await pipeline(
      Readable.from(textOf(source, build, key, (made) => (end = made))),
      createGzip({ level: GZIP_LEVEL }),
      target.createWriteStream({ flush: true }),
    );
    await link(unfinished, file);
  } finally {
    await rm(unfinished, { force: true });
  }
  return end as BackupEnd;
};

const NO_BACKUP = 'The file is no backup of Grantgraph.';
/** A file that begins with a longer line is no backup, and is not read further. */
const LONGEST_HEADER = 65_536;
/** No backup has a longer line, since no text is longer. */
const LONGEST_LINE = constants.MAX_STRING_LENGTH;

const isEnd = (line: unknown): line is BackupEnd =>
  typeof line === 'object' && line !== null && 'sha256' in line;

/** The store version of a backup, and the release that wrote it. */
export const storeOf = ({ store_version, release }: BackupHeader): WrittenStore => ({
  version: store_version,
  release: typeof release === 'string' ? release : null,
});

const checkHeader = (line: unknown): BackupHeader => {
  const header = line as Partial<BackupHeader> | null;
  if (header?.format !== FORMAT) throw new WrongBackup(NO_BACKUP);
  const { format_version, release } = header as BackupHeader;
  if (format_version !== FORMAT_VERSION) {
    throw new WrongBackup(
      `The backup has format ${format_version}, and this release reads format ${FORMAT_VERSION}: ` +
        `restore it with the release that wrote it (${release}), or a newer one.`,
    );
  }
  checkStore(storeOf(header as BackupHeader));
  return header as BackupHeader;
};

/** A part of a backup, and the length of its line. */
export interface ReadPart {
  readonly part: GraphPart;
  readonly characters: number;
}

/** What a backup says of itself. */
export interface BackupWords {
  readonly header: BackupHeader;
  readonly end: BackupEnd;
}

/**
 * Reads a backup part by part, and checks its header, its counts and its digest. Rejects with
 * `WrongBackup` at the end at the latest.
 */
export async function* readBackup(
  file: string,
  onComplete: (words: BackupWords) => void = () => undefined,
): AsyncGenerator<ReadPart> {
  const hash = createHash('sha256');
  const counts = { nodes: 0, relationships: 0 };
  let header: BackupHeader | undefined;
  let section: { readonly of: 'nodes' | 'relationships'; read: number } | null = null;
  let end: BackupEnd | undefined;
  for await (const text of unzipped(file)) {
    if (end !== undefined) throw new WrongBackup('The backup has lines after its end.');
    const line = parsed(text);
    if (isEnd(line)) {
      end = line;
      continue;
    }
    hash.update(`${text}\n`);
    if (header === undefined) header = checkHeader(line);
    else if (Array.isArray(line)) {
      if (section === null) throw new WrongBackup('The backup has a line outside its sections.');
      section.read += 1;
      counts[section.of] += 1;
      const part: GraphPart =
        section.of === 'nodes'
          ? { node: line as unknown as NodeLine }
          : { relationship: line as unknown as RelationshipLine };
      yield { part, characters: text.length };
    } else if ('end' in line) {
      if (line.end !== section?.read)
        throw new WrongBackup('A section of the backup is not whole.');
      section = null;
    } else {
      section = { of: 'nodes' in line ? 'nodes' : 'relationships', read: 0 };
      yield { part: { section: line as Section }, characters: text.length };
    }
  }
  if (header === undefined || end === undefined) {
    throw new WrongBackup('The backup is cut off: its last line is missing.');
  }
  const isWhole =
    section === null &&
    end.nodes === counts.nodes &&
    end.relationships === counts.relationships &&
    end.sha256 === hash.digest('hex');
  if (!isWhole)
    throw new WrongBackup('The backup is damaged: its content is not what its end says.');
  onComplete({ header, end });
}

async function* unzipped(file: string): AsyncGenerator<string> {
  const gunzip = createGunzip();
  gunzip.setEncoding('utf8');
  // An error of the file reaches the loop, because it destroys the other end too.
  pipeline(createReadStream(file), gunzip).catch(() => undefined);
  // A line may have very many pieces, so they are joined once.
  let pieces: string[] = [];
  let length = 0;
  let longest = LONGEST_HEADER;
  try {
    for await (const text of gunzip as AsyncIterable<string>) {
      const [first = '', ...others] = text.split('\n');
      pieces.push(first);
      length += first.length;
      if (length > longest) {
        throw new WrongBackup(
          longest === LONGEST_HEADER ? NO_BACKUP : 'The backup is damaged: it has an endless line.',
        );
      }
      for (const line of others) {
        yield pieces.join('');
        pieces = [line];
        length = line.length;
        longest = LONGEST_LINE;
      }
    }
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code?.startsWith('Z_') !== true) throw error;
    throw new WrongBackup(`The backup is cut off or damaged: ${message}.`);
  }
  if (length > 0) throw new WrongBackup('The backup is cut off: its last line has no end.');
}

const parsed = (text: string): object => {
  try {
    const line = JSON.parse(text) as unknown;
    if (typeof line === 'object' && line !== null) return line;
  } catch {
    // The check below reports it.
  }
  throw new WrongBackup('The backup is damaged: it has a line that is no JSON.');
};

/** A file that was read once to its end, and is a complete backup. */
export interface CheckedBackup {
  readonly file: string;
  readonly words: BackupWords;
}

/** A backup that another key signed, so nobody can tell here whether somebody changed it. */
export class ForeignBackup extends WrongBackup {}

const checkSignature = (end: BackupEnd, key: VaultKey, trusted: string | null): void => {
  const { signed_with: signer, signature } = end as Partial<BackupEnd>;
  if (typeof signer !== 'string' || typeof signature !== 'string') {
    throw new WrongBackup('Somebody changed the backup: it has no signature.');
  }
  if (signer === key.id) {
    const [given, expected] = [signature, signatureOf(key, end)].map((text) => Buffer.from(text));
    const isRight =
      given !== undefined &&
      expected !== undefined &&
      given.length === expected.length &&
      timingSafeEqual(given, expected);
    if (!isRight) throw new WrongBackup('Somebody changed the backup: its signature is wrong.');
  } else if (signer !== trusted) {
    throw new ForeignBackup(
      `The backup is signed with the key ${JSON.stringify(signer)}, and this service has ${key.id}. ` +
        'Give the service that key (SECRETS_KEY); or name the signer with --signed-by, if you know that nobody changed the file.',
    );
  }
};

/**
 * Reads a complete backup to check it, line by line, and its signature. `trusted` names another key
 * than the service's; such a signature cannot be checked. Rejects with `WrongBackup`.
 */
export const checkBackup = async (
  file: string,
  key: VaultKey,
  trusted: string | null = null,
): Promise<CheckedBackup> => {
  let words: BackupWords | undefined;
  for await (const { part } of readBackup(file, (ended) => (words = ended))) void part;
  checkSignature((words as BackupWords).end, key, trusted);
  return { file, words: words as BackupWords };
};
