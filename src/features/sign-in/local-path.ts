import { LONGEST_WAY_BACK } from '../../web/admission/admit-people';

const BASE = 'http://here.invalid';

/**
 * The path of a page of this service to which a sign-in leads. `null` if a browser might leave the
 * service by the text, or if it is longer than a sign-in can carry.
 */
export const localPath = (text: string | null | undefined): string | null => {
  // A browser reads `//host`, `/\host` and addresses with tabs or line breaks as other hosts.
  if (text === null || text === undefined || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) {
    return null;
  }
  if (text.length > LONGEST_WAY_BACK) return null;
  if (!URL.canParse(text, BASE)) return null;
  const { origin, pathname, search } = new URL(text, BASE);
  // The path may begin with two slashes once its dots are resolved.
  return origin === BASE && !pathname.startsWith('//') ? `${pathname}${search}` : null;
};
