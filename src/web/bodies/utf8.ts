import { isUtf8 } from 'node:buffer';

import * as E from 'fp-ts/Either';

import { utf8Fault } from '../../json/utf8-fault';
import { badField, type Failure } from '../../problem';

const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/**
 * Decodes bytes as UTF-8. Refuses ill-formed bytes and never repairs them (docs/rules.md:
 * Problems).
 */
export const decodeUtf8 = (bytes: Buffer, pointer: string): E.Either<Failure, string> => {
  if (!isUtf8(bytes)) {
    const message = `is not well-formed UTF-8: ${utf8Fault(bytes)}`;
    return E.left(badField(pointer, 'ILL_FORMED_TEXT', message));
  }
  const start = bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? 3 : 0;
  return E.right(bytes.toString('utf8', start));
};
