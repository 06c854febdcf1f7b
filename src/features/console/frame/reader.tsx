import type { Request, Response } from 'express';
import type { ComponentChildren } from 'preact';

import { FORM_TOKEN, READERS, SIGN_OUT, visitorOf } from '../../sign-in/contract';
import type { Role } from '../../../contract/team-key';
import { cookiesOf } from '../../../web/exchange/cookies';
import type { PeopleAccess } from '../../../web/routing/route';
import { Name } from '../parts/name';
import { UTC, zoneNamed } from '../words/time-zone';
import type { Place } from './document';
import type { Page, Reader } from './page';

/** Which people a page admits. */
export const admittedTo = (readers: Page['readers']): PeopleAccess['people'] =>
  ({
    everybody: 'signed in' as const,
    role: READERS,
    administrators: ADMINISTRATORS,
  })[readers];

/** Whether a page admits a reader. */
export const mayOpen = (
  readers: Page['readers'],
  { seesAll, administers }: Pick<Reader, 'seesAll' | 'administers'>,
): boolean => ({ everybody: true, role: seesAll, administrators: administers })[readers];

/** The places of the navigation: the pages that a reader may open. */
export const placesOf = (
  pages: readonly Page[],
  reader: Pick<Reader, 'seesAll' | 'administers'>,
): readonly Place[] =>
  pages.flatMap(({ path, link, readers }) =>
    link !== undefined && mayOpen(readers, reader) ? [{ ...link, href: path }] : [],
  );

/** The role that pushes from pages need. */
export const ADMINISTRATORS = ['administrator'] as const;

/** The roles that may see events (docs/sign-in.md: Roles). */
export const EVENT_READERS = ['auditor', 'administrator'] as const;

/** Whether a role may see events. */
export const seesEvents = (role: Role | null): boolean =>
  EVENT_READERS.some((reader) => reader === role);

/** The cookie in which the script of the pages stores the time zone of the browser. */
const TIME_ZONE = 'time_zone';

/** The time zone that a browser has said; UTC if it has said none, or several. */
export const zoneOf = (req: Request): string => {
  const [sent, another] = cookiesOf(req, TIME_ZONE);
  return sent === undefined || another !== undefined ? UTC : (zoneNamed(sent) ?? UTC);
};

/** Who asks for a page. */
export const readerOf = (res: Response): Omit<Reader, 'handles'> => {
  const { person, role, formToken } = visitorOf(res);
  return {
    person,
    role,
    seesAll: role !== null,
    administers: role === 'administrator',
    seesEvents: seesEvents(role),
    formToken,
    zone: zoneOf(res.req),
  };
};

/** Who has signed in, for the frame, and how they sign out. */
export const asideOf = (res: Response): ComponentChildren => {
  const { name, formToken } = visitorOf(res);
  return (
    <form method="post" action={SIGN_OUT}>
      <Name>{name}</Name> <input type="hidden" name={FORM_TOKEN} value={formToken} />
      <button class="plain">Sign out</button>
    </form>
  );
};
