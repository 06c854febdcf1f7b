const BASE64 = /^[A-Za-z0-9+/_-]*={0,2}$/;

/**
 * The bytes of base64 in either alphabet, possibly with line breaks. `null` if the text is not
 * base64.
 */
export const readBase64 = (text: string): Buffer | null => {
  const base64 = /\s/.test(text) ? text.replace(/\s/g, '') : text;
  const end = base64.indexOf('=');
  const digits = end === -1 ? base64.length : end;
  // One digit is too little for a byte.
  return BASE64.test(base64) && digits % 4 !== 1 ? Buffer.from(base64, 'base64') : null;
};
