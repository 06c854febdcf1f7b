import type { Response } from 'express';
import type { ComponentChildren } from 'preact';

import { FORM_TOKEN, READERS, SIGN_OUT, visitorOf } from '../../sign-in/contract';
import type { Role } from '../../../contract/team-key';
import type { PeopleAccess } from '../../../web/routing/route';
import { Name } from '../parts/name';
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
