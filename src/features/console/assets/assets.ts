import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

import type { Failure } from '../../../problem';
import type { Respond } from '../../../web/exchange/respond';
import type { Route } from '../../../web/routing/route';
import { takingNone } from '../../../web/lists/list-query';

const FOLDER = '/console/assets/';

interface Asset {
  readonly address: string;
  /** What names its content, and that of no other one. */
  readonly hash: string;
  readonly mediaType: string;
  readonly content: Buffer;
  readonly zipped: Buffer;
}

/**
 * Reads files once, and joins them. The address has a hash of the content, so browsers never request
 * it again.
 */
const assetOf = (name: string, mediaType: string, files: readonly string[] = [name]): Asset => {
  const content = Buffer.concat(files.map((file) => readFileSync(join(__dirname, file))));
  const hash = createHash('sha256').update(content).digest('hex').slice(0, 12);
  const [stem = '', ending = ''] = name.split('.');
  return {
    address: `${FOLDER}${stem}.${hash}.${ending}`,
    hash,
    mediaType,
    content,
    zipped: gzipSync(content),
  };
};

const styleSheet = assetOf('console.css', 'text/css', ['frame.css', 'content.css']);
const script = assetOf('console.mjs', 'text/javascript', [
  'keyboard.mjs',
  'live.mjs',
  'once.mjs',
  'file.mjs',
  'suggest.mjs',
  'time-zone.mjs',
]);
const icon = assetOf('icon.svg', 'image/svg+xml');

/** The addresses of what every page loads. */
export const ASSETS = {
  styleSheet: styleSheet.address,
  script: script.address,
  icon: icon.address,
} as const;

const NO_ASSET: Failure = { _tag: 'NotFound', message: 'The console has no such file.' };

const SECONDS_OF_A_YEAR = 31_536_000;

/** The style sheet, the script and the icon of the console. They hold no data and need no key. */
export const assetRoute = (respond: Respond): Route => {
  const assets = new Map([styleSheet, script, icon].map((asset) => [asset.address, asset]));
  return {
    method: 'get',
    path: `${FOLDER}:file`,
    access: 'open',
    summary: 'The style sheet, the script and the icon of the console.',
    answer: { mediaTypes: ['text/css', 'text/javascript', 'image/svg+xml'] },
    handler: takingNone(respond, (req, res) => {
      const asset = assets.get(`${FOLDER}${String(req.params.file)}`);
      if (asset === undefined) return respond.failure(res, NO_ASSET);
      const isZipped = req.acceptsEncodings('gzip') === 'gzip';
      res
        .set('Cache-Control', `public, max-age=${SECONDS_OF_A_YEAR}, immutable`)
        // Each encoding is a representation of its own (RFC 9110, 8.8.3.3). A browser that has this
        // one, or any (`*`), is answered 304.
        .set('ETag', `"${asset.hash}${isZipped ? '-gzip' : ''}"`)
        .vary('Accept-Encoding')
        .type(asset.mediaType);
      if (isZipped) res.set('Content-Encoding', 'gzip');
      res.send(isZipped ? asset.zipped : asset.content);
    }),
  };
};
