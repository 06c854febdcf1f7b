import type { JSX } from 'preact';

import type { ChangedRow } from '../../../contract/answers/questions/access-changes';
import { useAddresses } from '../frame/reading';
import { Can } from '../words/can';
import { Unseen } from '../parts/name';

/** What a reader must know if two instants show no difference (docs/rules.md: Changes of access). */
export const ONLY_INSTANTS =
  'Only these two instants are compared: what was gained and lost again in between is not listed. A shorter time shows it.';

/** What was gained or lost, with a link to _Why_ at the instant at which it was so. */
export const ChangedSide = ({
  of,
  word,
  about,
  ends,
}: {
  readonly of: ChangedRow['gained'];
  readonly word: string;
  /** What the link is about, for screen readers. */
  readonly about: string;
  /** Who and what, and when. `person` is `true` if all nodes of a human count. */
  readonly ends: Readonly<Record<'principal' | 'resource' | 'person' | 'at', string>>;
}): JSX.Element | null => {
  const addresses = useAddresses();
  return of.length === 0 ? null : (
    <>
      <Can of={of} />{' '}
      <a href={addresses.why(ends)}>
        {word}
        <Unseen>{about}</Unseen>
      </a>
    </>
  );
};
