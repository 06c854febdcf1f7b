import { once } from 'node:events';
import { constants, createReadStream } from 'node:fs';
import { type FileHandle, open, rm, stat } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ExportedAccess } from '../contract/answers/questions/access';
import { pathOf } from '../contract/parameters/path-of';
import { endpoints } from '../questions/endpoints';
import { type Client, RefusedRequest, Unreachable } from './client';

const CUT = 'The answer ends again and again before its last line.';
const PAUSE_MILLISECONDS = 1_000;
const MOST_TRIES_IN_VAIN = 10;

/** Where an export goes on behind a line, and whether the line is the last one. */
const placeOf = (line: string): Pick<ExportedAccess, 'cursor' | 'is_last'> => {
  try {
    return JSON.parse(line) as ExportedAccess;
  } catch {
    // An earlier process ended in the middle of this line.
    return {};
  }
};

/**
 * Where an export into this file can go on: the last cursor in the file, and how many bytes and
 * rows precede it.
 */
interface SavedPlace {
  readonly cursor: string;
  readonly bytes: number;
  readonly rows: number;
}

const NOTHING: SavedPlace = { cursor: '', bytes: 0, rows: 0 };

/** Reads what a file holds up to its last line with a cursor. */
const savedPlaceIn = async (path: string): Promise<SavedPlace> => {
  let saved = NOTHING;
  let [bytes, rows] = [0, 0];
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: 0 })) {
    bytes += Buffer.byteLength(line) + 1;
    rows += 1;
    const { cursor } = placeOf(line);
    if (cursor !== undefined) saved = { cursor, bytes, rows };
  }
  return saved;
};

/** The lines of an answer; the last one may be cut. */
async function* linesOf(answer: Response): AsyncGenerator<string> {
  let rest = '';
  const decoder = new TextDecoder();
  for await (const bytes of answer.body ?? []) {
    const lines = (rest + decoder.decode(bytes, { stream: true })).split('\n');
    rest = lines.pop() ?? '';
    yield* lines;
  }
}

const mayPass = (error: unknown): boolean =>
  error instanceof Unreachable ||
  // If an open connection breaks, fetch throws a TypeError.
  error instanceof TypeError ||
  (error instanceof RefusedRequest && error.mayPass);

/** How to export. */
export interface ExportOptions {
  readonly isExplained: boolean;
  /**
   * Whose access to export: principals, and whether the human behind them is meant. Without
   * principals, everybody's access.
   */
  readonly whom: {
    readonly principal: readonly string[];
    readonly person: true | undefined;
  } | null;
  /** Whether to go on where the file ends. */
  readonly resumes: boolean;
  /** Called with the number of rows that the file has. */
  readonly onRows: (rows: number) => void;
}

/**
 * Opens the file of an export: a new one, or the existing one to go on with. It follows no link.
 */
const openPart = async (path: string, existing: boolean): Promise<FileHandle> => {
  if (existing) return open(path, constants.O_WRONLY | constants.O_NOFOLLOW);
  await rm(path, { force: true });
  return open(path, 'wx', 0o600);
};

/**
 * Exports the access of everybody into a file of NDJSON, and returns the number of its rows
 * (docs/api.md: Exports of access). It writes complete stretches up to a cursor. If the connection
 * breaks, it goes on after the last cursor.
 */
export const exportAccess = async (
  client: Client,
  path: string,
  { isExplained, whom, resumes, onRows }: ExportOptions,
): Promise<number> => {
  const existing = resumes && (await stat(path).catch(() => null)) !== null;
  const saved = existing ? await savedPlaceIn(path) : NOTHING;
  const opened = await openPart(path, existing);
  await opened.truncate(saved.bytes);
  const file = opened.createWriteStream({ start: saved.bytes });
  let { cursor, rows } = saved;
  const write = async (lines: readonly string[], next: string): Promise<void> => {
    cursor = next;
    rows += lines.length;
    if (!file.write(lines.map((line) => `${line}\n`).join(''))) await once(file, 'drain');
    onRows(rows);
  };
  for (let inVain = 0; ;) {
    const before = cursor;
    try {
      const query = new URLSearchParams({ format: 'ndjson', explain: String(isExplained), cursor });
      for (const principal of whom?.principal ?? []) query.append('principal', principal);
      if (whom?.person === true) query.set('person', 'true');
      const answer = await client.open(
        `${pathOf(endpoints.exportAccess, {})}?${query.toString()}`,
        {},
      );
      let lines: string[] = [];
      let isWhole = true;
      for await (const line of linesOf(answer)) {
        lines.push(line);
        const { cursor: next, is_last = false } = placeOf(line);
        isWhole = is_last;
        if (next === undefined) continue;
        await write(lines, next);
        lines = [];
      }
      // Otherwise something between ended the answer, such as a proxy. What follows is requested.
      if (isWhole) break;
      inVain = cursor === before ? inVain + 1 : 0;
      if (inVain === MOST_TRIES_IN_VAIN) throw new Unreachable(CUT);
    } catch (error) {
      inVain = cursor === before ? inVain + 1 : 0;
      if (!mayPass(error) || inVain === MOST_TRIES_IN_VAIN) throw error;
      await sleep(PAUSE_MILLISECONDS);
    }
  }
  file.end();
  await once(file, 'close');
  return rows;
};
