import { subjectOfKey } from '../../graph/records/key-sign-ins';
import type { KeyHolder } from '../../web/routing/web';

/** The setting whose change ends the sessions of people whom the issuer signed in. */
export const OF_ISSUER = 'OIDC_ISSUER';

const FROM_ISSUER = 'issuer:';

/** Whose the sessions of a key are: the same for all sessions of one key. */
export const subjectOfHolder = ({ keyId, name }: Pick<KeyHolder, 'keyId' | 'name'>): string =>
  keyId === null ? `setting:${name}` : subjectOfKey(keyId);

/** Whose the sessions of somebody are whom the issuer signed in, by a digest that names nobody. */
export const subjectAtIssuer = (digest: string): string => `${FROM_ISSUER}${digest}`;

/** Whether a session is of somebody whom the issuer signed in, and not of a key. */
export const isFromIssuer = ({ subject }: { readonly subject: string }): boolean =>
  subject.startsWith(FROM_ISSUER);
