import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { readBase64 } from '../../contract/base64';
import type { Provider } from '../../contract/answers/registry';
import type { Icon } from '../../graph/records/provider-record';
import type { Registry } from './registry-records';
import { providerEvent } from '../../service/events/event';
import type { KeyAct } from '../../graph/records/event-record';
import { badField, type Failure, type ProblemCode } from '../../problem';

const LARGEST_ICON = 64 * 1024;
const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
const isSvg = (text: string): boolean => /^\uFEFF?\s*</.test(text) && /<svg[\s/>]/i.test(text);

/**
 * What a browser would run or load if it showed an SVG as a page. Names may have a prefix of a
 * namespace, and a page that inlines an image ignores case.
 */
const ACTIVE: readonly RegExp[] = [
  /<(?:[^\s<>/:]+:)?(?:script|foreignObject|iframe|embed|object|handler|listener)[\s/>]/i,
  /[\s"'/]on[a-z]+\s*=/i,
  /href\s*=(?!\s*["']?(?:#|data:image\/(?:png|jpe?g|gif|webp)[,;]))/i,
  /attributeName\s*=\s*["']?(?:[^\s"':]+:)?href/i,
  /<!ENTITY/i,
  /<\?(?!xml\s)/i,
];

const isActive = (text: string): boolean => ACTIVE.some((pattern) => pattern.test(text));

const refused = (code: ProblemCode, message: string): E.Either<Failure, never> =>
  E.left(badField('/icon_base64', code, message));

const iconOf = (text: string): E.Either<Failure, Icon> => {
  const bytes = readBase64(text);
  if (bytes === null) return refused('BAD_BASE64', 'is not base64');
  if (bytes.length > LARGEST_ICON) {
    return refused('TOO_LONG', `is larger than ${LARGEST_ICON} bytes`);
  }
  const isPng = bytes.subarray(0, PNG.length).equals(PNG);
  const svg = isPng ? '' : bytes.toString('utf8');
  if (!isPng && !isSvg(svg)) return refused('BAD_IMAGE', 'is neither a PNG nor an SVG image');
  if (isActive(svg)) {
    return refused('BAD_IMAGE', 'has scripts, event handlers, entities, or links to elsewhere');
  }
  const mediaType = isPng ? 'image/png' : 'image/svg+xml';
  return E.right({ mediaType, base64: bytes.toString('base64') });
};

/**
 * Sets the icon of a provider, and writes an event. The icon is PNG or SVG, at most 64 KB, in
 * base64 that may hold line breaks. An SVG holds nothing that a browser would run or load.
 */
export const setIcon =
  ({ registry }: { readonly registry: Registry }) =>
  (
    provider: Pick<Provider, 'id' | 'name'>,
    base64: string,
    act: KeyAct,
  ): TE.TaskEither<Failure, void> =>
    pipe(
      TE.fromEither(iconOf(base64)),
      TE.flatMap((icon) =>
        registry.setIcon(
          provider.id,
          icon,
          providerEvent(
            provider,
            { at: new Date().toISOString(), ...act },
            {
              severity: 'INFO',
              name: 'Provider icon set',
              message: `Provider ${JSON.stringify(provider.name)} has another icon.`,
              event_type: 'PROVIDER_ICON_SET',
              metadata: { media_type: icon.mediaType },
            },
          ),
        ),
      ),
    );
