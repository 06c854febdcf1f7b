import { readFile } from 'node:fs/promises';

import type { RequestHandler, Response } from 'express';

import type { Config } from '../../config';
import { type Context, oncePerContext } from '../../context';
import { sealingKeyOf } from '../../secrets/vault-key';
import { derivedSecret } from '../../secrets/vault';
import type { Asked, PeopleAccess, Route } from '../../web/routing/route';
import { graphCodes } from './graph/code-records';
import { type Issuer, issuer, type OpenIdClient } from './issuer/issuer';
import { oneTimeCodes } from './one-time-codes';
import { graphSessions } from './graph/session-records';
import { signInCounts } from './graph/sign-in-counts';
import { sessions } from './sessions';
import { endpoints } from './endpoints';
import type { ErrorForm, FormOf } from '../../web/exchange/respond';
import { pageOf } from '../../web/exchange/html-page';
import { errorsArePages } from '../../web/routing/error-as-page';
import { errorPage, signedOutPage } from './sign-in-pages';

/** What a second click on the button that signs out gets. */
const signedOut = (res: Response): ErrorForm => {
  const { html, headers } = pageOf('Signed out', signedOutPage());
  if (!res.headersSent) res.set(headers);
  return { mediaType: 'text/html', status: 401, body: html };
};

/** Errors as pages, where browsers show the answers of a path. */
export const peopleErrors: FormOf = (res, { status, message, problems }) => {
  if (!errorsArePages(res)) return null;
  const why = problems.map(({ pointer, message: what }) => ` ${pointer.slice(1)} ${what}.`);
  if (status === 401 && res.req.path === endpoints.signOut.path) return signedOut(res);
  const { html, headers } = pageOf(String(status), errorPage(status, message + why.join('')));
  if (!res.headersSent) res.set(headers);
  return { mediaType: 'text/html', status, body: html };
};

/** The clock of sign-ins, in milliseconds since 1970. */
export const signInClockOf = oncePerContext(() => (): number => Date.now());

const secretOf = (context: Context) => async (): Promise<string> =>
  derivedSecret(await sealingKeyOf(context)(), 'sessions');

/** What decides who somebody is and what their role is, if an issuer signs them in. */
const rulesOfIssuer = ({ issuer: settings }: Config): string => {
  const { address, clientId, rolesClaim, admins, auditors, analysts } = settings;
  const { dataSource, personClaim } = settings;
  return JSON.stringify([
    address ?? null,
    clientId ?? null,
    rolesClaim,
    admins ?? [],
    auditors ?? [],
    analysts ?? [],
    dataSource ?? null,
    personClaim,
  ]);
};

/** The sessions of people. */
export const sessionsOf = oncePerContext((context) => {
  const { idleMinutes, hours, mostOfPerson, signInsOfPerson } = context.config.sessions;
  return sessions({
    records: graphSessions(context.graph),
    secret: secretOf(context),
    now: signInClockOf(context),
    idleMinutes,
    hours,
    quota: { sessions: mostOfPerson, signIns: signInsOfPerson },
    issuer: rulesOfIssuer(context.config),
  });
});

/** One-time codes with which browsers sign in. */
export const oneTimeCodesOf = oncePerContext((context) =>
  oneTimeCodes({
    records: graphCodes(context.graph),
    secret: secretOf(context),
    now: signInClockOf(context),
    most: context.config.sessions.codesOfKey,
  }),
);

/** What is counted of the sign-ins of people and keys. */
export const signInCountsOf = oncePerContext((context) =>
  signInCounts(context.graph, signInClockOf(context)),
);

/** Loads the library that speaks OpenID Connect. Tests load it in another way. */
export const openIdClientOf = oncePerContext(
  () => (): Promise<OpenIdClient> => import('openid-client'),
);

const clientSecretOf =
  ({ clientSecret, clientSecretFile = '' }: Config['issuer']) =>
  async (): Promise<string> =>
    clientSecret ?? (await readFile(clientSecretFile, 'utf8')).trim();

/** The issuer with which people sign in; `null` if they sign in with keys. */
export const issuerOf = oncePerContext((context): Issuer | null => {
  const { issuer: settings, http } = context.config;
  const { address, clientId, scopes } = settings;
  if (address === undefined || clientId === undefined || http.publicUrl === undefined) return null;
  return issuer({
    settings: {
      address,
      clientId,
      scopes,
      callback: `${http.publicUrl}${endpoints.comeFromIssuer.path}`,
      signedOut: `${http.publicUrl}${endpoints.signInPage.path}`,
      clientSecret: clientSecretOf(settings),
    },
    load: openIdClientOf(context),
    secret: async () => derivedSecret(await sealingKeyOf(context)(), 'issuer'),
    now: signInClockOf(context),
  });
});

/**
 * The other addresses to which a form of a page may lead: that of the issuer, which signs people out.
 * A browser follows a form's redirect only where `Content-Security-Policy` allows it.
 */
export const formsLeadTo = (context: Context): readonly string[] => {
  const issuer = issuerOf(context);
  return issuer === null ? [] : [issuer.origin];
};

/** What a page or a form of the console declares. */
type DeclaredPage = Pick<Asked, 'path' | 'summary'> &
  Partial<Pick<Asked, 'query' | 'more' | 'headers'>> & {
    readonly people: PeopleAccess['people'];
    /** The media types of the answer; HTML if unset. */
    readonly mediaTypes?: readonly [string, ...string[]];
    readonly handler: RequestHandler;
  };

const asRoute = ({ people, mediaTypes = ['text/html'], ...declared }: DeclaredPage) => ({
  ...declared,
  access: { people },
  answer: { mediaTypes },
});

/** A page for people. A GET changes nothing; its handler finds the person with `visitorOf(res)`. */
export const page = (declared: DeclaredPage): Route => ({ ...asRoute(declared), method: 'get' });

/**
 * What happens when people send a form: `form` names its fields, which the handler reads with
 * `decodeForm(codec, res)`, and the file with `formFileOf(res)`. By then the service has checked the
 * field `form_token` and the origin.
 */
export const form = (
  declared: DeclaredPage & Required<Pick<Asked, 'form'>> & Partial<Pick<Asked, 'fileBytes'>>,
): Route => ({
  ...asRoute(declared),
  method: 'post',
});

/** Where a form ends the session. */
export const SIGN_OUT = endpoints.signOut.path;

/** The roles of everybody who may ask about the graph. */
export const READERS = ['analyst', 'auditor', 'administrator'] as const;

export { FORM_TOKEN } from '../../web/admission/check-form';
export { visitorOf } from '../../web/admission/visitor';
