import { createHash } from 'node:crypto';

const longest = 475;
const kept = longest - 1 - 64;

/** The key of a data source's node: its id, then the local key (docs/rules.md: Keys). */
export function keyOf(dataSource: string, ...parts: readonly string[]): string {
  return `${dataSource}|${shortened(parts.map(escaped).join('|'))}`;
}

/** The key of a resource without id below a parent: the parent's local key and what follows it. */
export function keyBelow(
  dataSource: string,
  parentKey: string,
  ...parts: readonly string[]
): string {
  const parentLocal = parentKey.slice(dataSource.length + 1);
  return `${dataSource}|${shortened([parentLocal, ...parts.map(escaped)].join('|'))}`;
}

/** The key of a shared node, which has no data source before it. */
export function sharedKey(...parts: readonly string[]): string {
  return shortened(parts.map(escaped).join('|'));
}

/** The key of a resource with an id: the mark before its type is no text, so it is not escaped. */
export function keyOfTyped(
  dataSource: string,
  application: string,
  type: string,
  id: string,
): string {
  const parts = ['Resource', escaped(application), `#${escaped(type)}`, escaped(id)];
  return `${dataSource}|${shortened(parts.join('|'))}`;
}

function escaped(part: string): string {
  return part.replaceAll('%', '%25').replaceAll('|', '%7C').replaceAll('#', '%23');
}

function shortened(key: string): string {
  if (Buffer.byteLength(key) <= longest) return key;
  let start = '';
  for (const character of key) {
    if (Buffer.byteLength(start + character) > kept) break;
    start += character;
  }
  return `${start}#${createHash('sha256').update(key).digest('hex')}`;
}
