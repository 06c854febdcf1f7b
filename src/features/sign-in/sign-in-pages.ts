import { FORM_TOKEN } from '../../web/admission/check-form';
import type { Visitor } from '../../web/admission/visitor';
import { escaped } from '../../web/exchange/html-page';
import { endpoints } from './endpoints';

/** The page after a sign-in that names no other. */
export const HOME = '/console';
const hidden = (name: string, value: string): string =>
  `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`;

const messageOf = (message: string | null): string =>
  message === null ? '' : `<p role="alert"><strong>${escaped(message)}</strong></p>`;

/** What the sign-in page shows. */
export interface SignInWords {
  /** The page to which the sign-in leads. */
  readonly to: string;
  /** Why the last try did not succeed. */
  readonly message: string | null;
  /** What the issuer is called, if people sign in with one. */
  readonly issuer: string | null;
}

const issuerLink = (issuer: string, to: string): string =>
  `<p><a href="${escaped(`${endpoints.goToIssuer.path}?to=${encodeURIComponent(to)}`)}">Sign in with ${escaped(issuer)}</a></p>`;

const keyForm = (
  to: string,
): string => `<form method="post" action="${endpoints.signInWithKey.path}">
${hidden('to', to)}
<label for="key">Sign in with a key</label>
<input id="key" name="key" type="password" autocomplete="off" required maxlength="4096">
<button>Sign in</button>
</form>`;

/** The page on which people sign in: with their issuer, or without one with a key. */
export const signInPage = ({ to, message, issuer }: SignInWords): string => `<h1>Grantgraph</h1>
${messageOf(message)}
${issuer === null ? keyForm(to) : issuerLink(issuer, to)}`;

/** The page of a one-time code. Only its button uses the code, so a preview of the link does not. */
export const codePage = (code: string, message: string | null): string => `<h1>Grantgraph</h1>
${messageOf(message)}
${message === null ? '' : `<p>If you used it just now, you are signed in: <a href="${HOME}">go on</a>.</p>`}
<p>This signs you in as the key that made the code. It works once.</p>
<form method="post" action="${endpoints.signInWithCode.path}">
${hidden('code', code)}
<button>Sign in</button>
</form>`;

/** The page that says who is signed in, and lets them sign out. */
export const sessionPage = ({ name, role, formToken }: Visitor): string => `<h1>Grantgraph</h1>
<p>You are signed in as ${escaped(name)}, ${role === null ? 'without a role' : `as ${role}`}.</p>
<p><a href="${HOME}">Go on</a></p>
<form method="post" action="${endpoints.signOut.path}">
${hidden(FORM_TOKEN, formToken)}
<button>Sign out</button>
</form>`;

/** The page of a sign-out by somebody who has no session. */
export const signedOutPage = (): string => `<h1>You are signed out</h1>
<p>No session is open in this browser.</p>
<p><a href="${endpoints.signInPage.path}">Sign in</a></p>`;

/** The page of an error. */
export const errorPage = (status: number, message: string): string => `<h1>${status}</h1>
<p>${escaped(message)}</p>
<p><a href="/">Grantgraph</a></p>`;
