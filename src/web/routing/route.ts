import type { RequestHandler } from 'express';

import type { AnyCodec, Codec } from '../../codec/codec';
import type { Fields, Struct } from '../../codec/struct';
import { Role } from '../../contract/team-key';
import type { TeamKeyScope } from '../../contract/team-key';
import { API_CODES, type ApiCode } from '../../problem';
import type { BodyBounds } from '../bodies/body-bounds';
import type { Handler } from '../exchange/handle';

/** An answer other than JSON. */
export interface OtherAnswer {
  /** The media types of the answer; the first one is the usual one. */
  readonly mediaTypes: readonly [string, ...string[]];
  /** For a stream, the codec of each event. */
  readonly event?: AnyCodec;
  /** For NDJSON, the codec of each line. */
  readonly line?: AnyCodec;
  /** For JSON under another media type, its codec. */
  readonly json?: AnyCodec;
  /** The status of the answer; 200 if unset. 204 has no content. */
  readonly status?: 201 | 204;
  /** The answer may also be 204, without content. */
  readonly mayBeEmpty?: true;
}

/**
 * Whether a key that is limited to providers may use a route. `never`: it may not. `own provider`:
 * it may if the path names one of its providers. `shown in part`: it may, and the answer leaves out
 * other providers.
 */
export type LimitedKeys = 'never' | 'own provider' | 'shown in part';

/** Which keys a route admits. */
export interface Access {
  /** The key needs all of these scopes; `admin` has every scope but `cypher`. */
  readonly scopes: readonly TeamKeyScope[];
  /**
   * A key with this scope needs no other. Connectors find their own provider and data source with
   * only `push`.
   */
  readonly orScope?: TeamKeyScope;
  /**
   * A key that is not limited to providers needs these scopes in addition. Its requests reach what
   * all providers pushed, so what a limited key may do with its own is more for such a key.
   */
  readonly unlimitedAlso?: readonly TeamKeyScope[];
  /** The scopes that a body needs in which these flags are true, by their fields. */
  readonly flagScopes?: Readonly<Record<string, TeamKeyScope>>;
  readonly limitedKeys: LimitedKeys;
}

/**
 * Which people a route admits, by their session (docs/sign-in.md: Roles). Such a route never accepts
 * a key, and a route for keys never accepts a cookie.
 */
export interface PeopleAccess {
  /** The roles that may use it; `signed in`: also people without a role. */
  readonly people: 'signed in' | readonly [Role, ...Role[]];
}

/** Who may use a route; `open`: everybody. */
export type Admission = 'open' | Access | PeopleAccess;

/** Whether a route admits people by their session. */
export const isForPeople = (access: Admission): access is PeopleAccess =>
  access !== 'open' && 'people' in access;

/** Whether a route admits keys. */
export const isForKeys = (access: Admission): access is Access =>
  access !== 'open' && !isForPeople(access);

/** Whether browsers show the answers of a route, so that its errors are pages too. */
export const showsPages = ({
  access,
  isForBrowsers,
}: Pick<Route, 'access' | 'isForBrowsers'>): boolean =>
  isForBrowsers === true || isForPeople(access);

/** What some routes are about. */
export interface Topic {
  readonly name: string;
  /** One sentence for readers of the API description. */
  readonly about: string;
}

/** The description of a route, apart from its answer. */
export interface Asked {
  readonly method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** The path as Express spells it: parameters begin with a colon, and other colons are escaped. */
  readonly path: string;
  /** `open`: the route needs neither a key nor a session. */
  readonly access: Admission;
  readonly summary: string;
  /** The page of the documentation and the heading that say more, such as `api#plan`. */
  readonly more?: string;
  /** The fields of a form that the route accepts as its body, in place of JSON. */
  readonly form?: AnyCodec;
  /** The form has a file in addition to its fields. The body has at most so many bytes. */
  readonly fileBytes?: number;
  /** The codecs of the body: one of them must fit. */
  readonly body?: readonly AnyCodec[];
  /**
   * What the body may hold, if it may hold more than most (`bodyBoundsOf`). A push or a write
   * through SCIM has bounds of its own, since a push thread reads large ones.
   */
  readonly bodyBounds?: Partial<BodyBounds>;
  /** The query parameters. */
  readonly query?: Pick<Struct<Fields, Fields>, 'required' | 'optional'>;
  /** Public clients use the route, so it ignores query parameters that it does not have. */
  readonly ignoresOtherParameters?: true;
  readonly headers?: readonly string[];
  /** A media type in which the route also answers, in addition to JSON. */
  readonly alsoAs?: 'text/csv';
  /** Errors of this path in another form: their media type and codec. */
  readonly errors?: { readonly mediaType: string; readonly codec: AnyCodec };
  /** Parameters of this path may hold colons. In all other paths a colon begins a verb. */
  readonly idsMayHoldColons?: true;
  /** Pages from other addresses may fetch this path, so browsers send OPTIONS first. */
  readonly isSharedWithPages?: true;
  /** Browsers show its answers, so its errors are pages too. Routes for people are always so. */
  readonly isForBrowsers?: true;
  /** The route signs people in without a form, so it may refuse them. */
  readonly signsIn?: true;
  /** Monitors call it every few seconds, so the log has it at the level `debug`. */
  readonly isForMonitors?: true;
  /** The route also answers before the graph has its schema, as open routes do. */
  readonly isWithoutGraph?: true;
}

/**
 * An endpoint without its handler. Features declare theirs in `endpoints.ts`, for the route and for
 * those who send it requests (docs/architecture.md: Features).
 */
export interface Endpoint extends Asked {
  /** The answer with 200: JSON of this codec, or something else. */
  readonly answer: AnyCodec | OtherAnswer;
}

/** Endpoints of a feature, by names of their own. */
export type Endpoints = Readonly<Record<string, Endpoint>>;

/**
 * One route of the HTTP interface. The router, authorization, the answer 405, the API description
 * and the table of docs/api.md all use these values (docs/security.md: Keys, scopes and limits to
 * providers).
 */
export interface Route extends Endpoint {
  /** What the route belongs to; the API description groups routes by it. */
  readonly topic?: Topic;
  readonly handler: RequestHandler;
}

/** Makes a route; the compiler checks that the handler answers what the codec describes. */
export const route = <A>(
  declared: Asked & { readonly answer: Codec<A>; readonly handler: Handler<A> },
): Route => declared;

/** Whether the answer is JSON of a codec. */
export const isJson = (answer: Route['answer']): answer is AnyCodec => 'explain' in answer;

/**
 * The codes with which a route may refuse a request (docs/api.md: Answers). Reading changes
 * nothing, so no state of a data source prevents it. It has no body that may be too large, but an
 * answer about an instant may need too much.
 */
export const refusalsOf = (
  route: Pick<Route, 'access' | 'form' | 'method' | 'path' | 'query' | 'signsIn'>,
): readonly ApiCode[] => {
  // An open form is one with which people sign in.
  const isForAll = route.access === 'open' && route.form === undefined && !route.signsIn;
  const isAboutInstant = 'at' in { ...route.query?.required, ...route.query?.optional };
  const never = new Set<ApiCode>([
    ...(isForAll ? (['Unauthenticated', 'PermissionDenied', 'ResourceExhausted'] as const) : []),
    ...(route.method === 'get' ? (['FailedPrecondition'] as const) : []),
    ...(route.method === 'get' && !isAboutInstant ? (['PayloadTooLarge'] as const) : []),
    ...(route.access === 'open' && !shownPath(route).includes('{') ? (['NotFound'] as const) : []),
  ]);
  return (Object.keys(API_CODES) as ApiCode[]).filter((code) => !never.has(code));
};

/** The scopes that a key needs, in words. */
export const scopesInWords = ({
  scopes,
  orScope,
  unlimitedAlso,
  flagScopes = {},
}: Access): string => {
  const named = (some: readonly TeamKeyScope[]): string =>
    some.map((scope) => `\`${scope}\``).join(' and ');
  const withFlags = Object.entries(flagScopes).map(
    ([field, scope]) => `, and \`${scope}\` for \`${field}: true\``,
  );
  const all = `${named(scopes)}${withFlags.join('')}`;
  if (orScope !== undefined) return `${all} or \`${orScope}\``;
  return unlimitedAlso === undefined
    ? all
    : `${all}, and ${named(unlimitedAlso)} unless the key is limited to providers`;
};

/** The people that a route admits, in words. */
export const peopleInWords = ({ people }: PeopleAccess): string =>
  people === 'signed in'
    ? 'a person'
    : people.length === Role.values.length
      ? 'a person with a role'
      : `a person: ${people.join(' or ')}`;

const SHOWN_NAMES: Readonly<Record<string, string>> = {
  providerId: 'id',
  dataSourceId: 'ds',
  pushId: 'push',
  policyId: 'policy',
  keyId: 'key',
  sessionId: 'session',
  entityId: 'id',
  scimId: 'id',
};

/** The path of a route as clients read it: parameters are in braces. */
export const shownPath = ({ path }: Pick<Route, 'path'>): string =>
  path.replace(/(\\?):(\w+)/g, (_, escape: string, name: string) =>
    escape === '' ? `{${SHOWN_NAMES[name] ?? name}}` : `:${name}`,
  );
