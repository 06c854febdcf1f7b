const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;

const endOfString = (bytes: Uint8Array, start: number): number => {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
};

/**
 * Which bound some JSON exceeds: its levels, or its values; `null` if it exceeds neither. It stops
 * counting at the first bound that is exceeded. If the text is no JSON at all, the parser reports
 * that.
 */
export const excessOf = (
  bytes: Uint8Array,
  most: { readonly levels: number; readonly values: number },
): 'levels' | 'values' | null => {
  let [level, values] = [0, 1];
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at];
    if (byte === QUOTE) at = endOfString(bytes, at);
    else if (byte === COMMA) values += 1;
    else if (byte === LIST || byte === OBJECT) {
      values += 1;
      level += 1;
      if (level > most.levels) return 'levels';
    } else if (byte === LIST_END || byte === OBJECT_END) level -= 1;
    if (values > most.values) return 'values';
  }
  return null;
};
