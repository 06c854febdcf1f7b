import { sessionsOf } from '../../../src/features/sign-in/contract';
import type { Role } from '../../../src/contract/team-key';
import { SESSION_COOKIE } from '../../../src/web/admission/visitor';
import { Browser } from '../browser-session';
import type { ServiceUnderTest } from '../service-under-test';

/** A browser in which a person of the graph has signed in; `null`: no person is certainly theirs. */
export const signedIn = async (
  service: ServiceUnderTest,
  person: string | null,
  role: Role | null = null,
): Promise<Browser> => {
  const subject = `person:${person ?? 'nobody'} ${role ?? ''}`;
  const opened = await sessionsOf(service.context).open(
    { subject, name: 'Somebody', role, person, address: null },
    new Map(),
    'r',
    [],
  )();
  if (opened._tag === 'Left') throw new Error(opened.left.message);
  const browser = new Browser(service.app);
  browser.cookies.set(SESSION_COOKIE, opened.right.token);
  return browser;
};
