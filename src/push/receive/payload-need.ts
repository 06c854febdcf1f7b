import * as E from 'fp-ts/Either';

import { endOfString } from '../../contract/repeated-keys';
import type { Failure } from '../../problem';
import { inUnits, memoryForHeap } from './memory-plan';
import type { PushSizes } from './push-sizes';

/**
 * Bytes of heap that a push needs for each byte of its text, each string, each object or list, and
 * each comma. No measured payload needed more (docs/security.md: Bodies, uploads and memory).
 */
const A_BYTE = 6;
const A_STRING = 360;
const A_COLLECTION = 48;
const A_COMMA = 16;

const QUOTE = 0x22;
const COMMA = 0x2c;
const LIST = 0x5b;
const OBJECT = 0x7b;

/**
 * The most heap that a push of this payload needs. It is counted from the text, before the service
 * parses it.
 */
export const heapNeeded = (json: string): number => {
  let [strings, collections, commas] = [0, 0, 0];
  for (let at = 0; at < json.length; at += 1) {
    const character = json.charCodeAt(at);
    if (character === QUOTE) {
      strings += 1;
      at = endOfString(json, at);
    } else if (character === COMMA) commas += 1;
    else if (character === LIST || character === OBJECT) collections += 1;
  }
  return A_BYTE * json.length + A_STRING * strings + A_COLLECTION * collections + A_COMMA * commas;
};

/** Refuses a payload that needs more heap than a push may use, before the service parses it. */
export const withinHeap = (
  json: string,
  sizes: Pick<PushSizes, 'heapBytes' | 'threads'>,
): E.Either<Failure, string> => fitting(json, heapNeeded(json), sizes);

const CELL_ENDS = new Set([...',\n'].map((character) => character.charCodeAt(0)));

/**
 * Refuses a CSV file whose cells need more heap than a push may use, before the service parses it.
 */
export const csvWithinHeap = (
  csv: string,
  sizes: Pick<PushSizes, 'heapBytes' | 'threads'>,
): E.Either<Failure, string> => {
  let cells = 1;
  for (let at = 0; at < csv.length; at += 1) if (CELL_ENDS.has(csv.charCodeAt(at))) cells += 1;
  return fitting(csv, A_BYTE * csv.length + A_STRING * cells, sizes);
};

const fitting = (
  text: string,
  needed: number,
  { heapBytes, threads }: Pick<PushSizes, 'heapBytes' | 'threads'>,
): E.Either<Failure, string> => {
  if (needed <= heapBytes) return E.right(text);
  return E.left({
    _tag: 'TooLarge',
    message:
      `The payload needs up to ${inUnits(needed)} of memory; a push may take ${inUnits(heapBytes)}. ` +
      `Give the service ${inUnits(memoryForHeap(needed, threads))} (its container's limit, or MEMORY); ` +
      'or push less at once.',
  });
};
