import { isUtf8 } from 'node:buffer';
import { readFile } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';

import { utf8Fault } from '../json/utf8-fault';
import { WrongUsage } from './context';

/** The text of a file or of standard input. Bytes that are not UTF-8 are refused, not repaired. */
export const readText = async (file: string): Promise<string> => {
  let bytes: Buffer;
  try {
    bytes = file === '-' ? await buffer(process.stdin) : await readFile(file);
  } catch (error) {
    throw new WrongUsage(`Cannot read ${file}: ${(error as Error).message}`);
  }
  if (!isUtf8(bytes)) {
    const fault = utf8Fault(bytes, ': save it as UTF-8');
    throw new WrongUsage(`Cannot read ${file}: it is not UTF-8: ${fault}.`);
  }
  return new TextDecoder().decode(bytes);
};
