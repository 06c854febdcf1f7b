/**
 * What the interface lets which key do, written out by hand. It is not read from the routes: it is what they are compared with
 * (docs/security.md: Keys, scopes and limits to providers).
 */

/** What a limited key may do with a path: nothing, only what is below its provider, or see a part. */
type Limited = 'no' | 'own' | 'part';

/** Whom a page admits: everybody who signed in, or those with one of these roles. */
type People = 'signed in' | readonly Role[];

type Role = 'administrator' | 'analyst' | 'auditor';

/** A method and path with the scopes that it needs; `null`: no key. */
export interface Row {
  readonly method: string;
  readonly path: string;
  /** Set for what people use with their session, and no key. */
  readonly people?: People;
  /** `read|push`: either does. `all:read`: a key without a limit needs it. */
  readonly scopes: readonly string[] | null;
  readonly limited: Limited;
}

const row = (method: string, path: string, scopes: string | null, limited: Limited): Row => ({
  method,
  path,
  limited,
  scopes: scopes === null ? null : scopes.split(' '),
});

const page = (method: string, path: string, people: People): Row => ({
  method,
  path,
  people,
  scopes: null,
  limited: 'no',
});

const WITH_ROLE: readonly Role[] = ['administrator', 'analyst', 'auditor'];

export const GONE = 'GONE';
const CUSTOM = '/api/v1/providers/custom';
const PROVIDER = `${CUSTOM}/${GONE}`;
const SOURCES = `${PROVIDER}/datasources`;
const SOURCE = `${SOURCES}/ds`;
const SCIM = `${PROVIDER}/scim`;
const POLICIES = `${PROVIDER}/policies`;
const REVIEWS = '/api/v1/reviews';
const KEYS = '/api/preview/teamkeys';
const SERVED = '/scim/v2/ds';
const CONSOLE_SOURCE = '/console/sources/a%7Cb:c';
const CONSOLE_REVIEW = '/console/reviews/a%7Cb:c';

/** What identity providers read and write. */
const served = ['Users', 'Groups'].flatMap((list): readonly Row[] => [
  row('GET', `${SERVED}/${list}`, 'push all:read', 'part'),
  row('POST', `${SERVED}/${list}`, 'push all:read', 'part'),
  row('GET', `${SERVED}/${list}/u`, 'push all:read', 'part'),
  row('PUT', `${SERVED}/${list}/u`, 'push all:read', 'part'),
  row('PATCH', `${SERVED}/${list}/u`, 'push all:read', 'part'),
  row('DELETE', `${SERVED}/${list}/u`, 'push all:read', 'part'),
  row('POST', `${SERVED}/${list}/.search`, 'push all:read', 'part'),
]);

export const TABLE: readonly Row[] = [
  row('GET', '/', null, 'no'),
  row('GET', '/manual', null, 'no'),
  row('GET', '/manual/readme', null, 'no'),
  row('GET', '/healthz', null, 'no'),
  row('GET', '/readyz', null, 'no'),
  row('GET', '/openapi.json', null, 'no'),
  row('GET', '/schemas/application.json', null, 'no'),
  row('GET', '/docs', null, 'no'),
  row('GET', '/docs/rapidoc.js', null, 'no'),
  row('GET', '/kit/queries.zip', null, 'no'),
  row('GET', '/kit/style.grass', null, 'no'),
  row('GET', '/kit/guide.html', null, 'no'),
  row('GET', '/metrics', 'read', 'no'),
  row('GET', `${CUSTOM}/templates`, 'read|push', 'part'),
  row('GET', CUSTOM, 'read|push', 'part'),
  row('POST', CUSTOM, 'push', 'no'),
  row('GET', PROVIDER, 'read|push', 'own'),
  row('PATCH', PROVIDER, 'admin', 'own'),
  row('DELETE', PROVIDER, 'push', 'own'),
  row('POST', `${PROVIDER}:icon`, 'push', 'own'),
  row('GET', '/api/v1/trusts', 'read', 'no'),
  row('PUT', `${PROVIDER}/trusts`, 'admin', 'no'),
  row('PUT', SCIM, 'admin', 'own'),
  row('GET', SCIM, 'admin', 'own'),
  row('DELETE', SCIM, 'admin', 'own'),
  row('POST', `${SCIM}:test`, 'admin', 'own'),
  row('POST', `${SCIM}:provision`, 'admin', 'own'),
  row('POST', `${SCIM}:update`, 'admin', 'own'),
  row('POST', `${SCIM}:deprovision`, 'admin', 'own'),
  row('POST', `${SCIM}:add-members`, 'admin', 'own'),
  row('POST', `${SCIM}:remove-members`, 'admin', 'own'),
  row('PUT', `${SCIM}/import`, 'admin', 'own'),
  row('GET', `${SCIM}/import`, 'admin', 'own'),
  row('DELETE', `${SCIM}/import`, 'admin', 'own'),
  row('POST', `${SCIM}:import`, 'admin', 'own'),
  row('POST', `${POLICIES}:plan`, 'admin', 'no'),
  row('POST', `${POLICIES}:run`, 'admin', 'no'),
  row('POST', `${POLICIES}:confirm`, 'admin', 'no'),
  row('GET', `${POLICIES}:status`, 'admin', 'no'),
  row('GET', `${POLICIES}:actions`, 'admin', 'no'),
  row('POST', `${POLICIES}:retry`, 'admin', 'no'),
  row('POST', `${POLICIES}:release`, 'admin', 'no'),
  row('GET', POLICIES, 'admin', 'no'),
  row('POST', POLICIES, 'admin', 'no'),
  row('GET', `${POLICIES}/p`, 'admin', 'no'),
  row('PUT', `${POLICIES}/p`, 'admin', 'no'),
  row('DELETE', `${POLICIES}/p`, 'admin', 'no'),
  row('GET', SOURCES, 'read|push', 'own'),
  row('POST', SOURCES, 'push', 'own'),
  row('GET', SOURCE, 'read|push', 'own'),
  row('DELETE', SOURCE, 'push', 'own'),
  row('POST', `${SOURCE}:push`, 'push', 'own'),
  row('POST', `${SOURCE}:push_csv`, 'push', 'own'),
  row('POST', `${SOURCE}:parts`, 'push', 'own'),
  row('POST', `${SOURCE}:plan`, 'push read', 'own'),
  row('POST', `${SOURCE}:verify`, 'push read', 'own'),
  row('POST', `${SOURCE}:allow-removal`, 'push', 'own'),
  row('GET', `${SOURCE}/pushes`, 'read|push', 'own'),
  row('GET', `${SOURCE}/pushes/p`, 'read|push', 'own'),
  row('GET', '/api/v1/events', 'read', 'part'),
  row('GET', '/api/preview/events', 'read', 'part'),
  row('GET', '/api/v1/events:stream', 'read', 'part'),
  row('GET', '/api/v1/entities', 'read', 'no'),
  row('GET', '/api/v1/entities/a%7Cb:c', 'read', 'no'),
  row('GET', '/api/v1/access', 'read', 'no'),
  row('GET', '/api/v1/access:check', 'read', 'no'),
  row('GET', '/api/v1/access:explain', 'read', 'no'),
  row('GET', '/api/v1/access:gateways', 'read', 'no'),
  row('GET', '/api/v1/access:changes', 'read', 'no'),
  row('GET', '/api/v1/access:export', 'read', 'no'),
  row('GET', '/api/v1/reviewers', 'read', 'no'),
  row('POST', '/api/v1/query', 'cypher', 'no'),
  row('POST', '/api/v1/queries/GONE/s', 'read', 'no'),
  row('GET', '/api/v1/history', 'read', 'no'),
  row('GET', REVIEWS, 'read', 'no'),
  row('POST', REVIEWS, 'admin', 'no'),
  row('GET', `${REVIEWS}:applications`, 'read', 'no'),
  row('GET', `${REVIEWS}/r`, 'read', 'no'),
  row('POST', `${REVIEWS}/r:plan`, 'admin', 'no'),
  row('POST', `${REVIEWS}/r:open`, 'admin', 'no'),
  row('GET', `${REVIEWS}/r/items`, 'read', 'no'),
  row('POST', `${REVIEWS}/r:decide`, 'admin', 'no'),
  row('POST', `${REVIEWS}/r:reassign`, 'admin', 'no'),
  row('POST', `${REVIEWS}/r:remind`, 'admin', 'no'),
  row('POST', `${REVIEWS}/r:except`, 'admin', 'no'),
  row('POST', `${REVIEWS}/r:send`, 'admin', 'no'),
  row('POST', `${REVIEWS}/r:close`, 'admin', 'no'),
  row('POST', `${REVIEWS}/r:cancel`, 'admin', 'no'),
  row('POST', `${REVIEWS}/r:appoint`, 'admin', 'no'),
  row('GET', `${REVIEWS}/r/evidence`, 'read', 'no'),
  row('POST', `${REVIEWS}/r:verify`, 'admin', 'no'),
  row('POST', '/api/v1/erase', 'admin', 'no'),
  row('GET', KEYS, 'admin', 'no'),
  row('POST', KEYS, 'admin', 'no'),
  row('PATCH', `${KEYS}/k`, 'admin', 'no'),
  row('DELETE', `${KEYS}/k`, 'admin', 'no'),
  row('POST', `${KEYS}/k:revoke`, 'admin', 'no'),
  row('POST', `${KEYS}/k:rotate`, 'admin', 'no'),
  row('POST', `${KEYS}/k:reinstate`, 'admin', 'no'),
  row('GET', '/sign-in', null, 'no'),
  row('POST', '/sign-in', null, 'no'),
  row('GET', '/sign-in/code', null, 'no'),
  row('POST', '/sign-in/code', null, 'no'),
  page('GET', '/session', 'signed in'),
  page('POST', '/sign-out', 'signed in'),
  row('GET', '/api/preview/sessions', 'admin', 'no'),
  row('DELETE', '/api/preview/sessions/s', 'admin', 'no'),
  row('POST', '/api/preview/sign-in-codes', 'read', 'no'),
  row('GET', `${SERVED}/ServiceProviderConfig`, 'push all:read', 'part'),
  row('GET', `${SERVED}/ResourceTypes`, 'push all:read', 'part'),
  row('GET', `${SERVED}/ResourceTypes/u`, 'push all:read', 'part'),
  row('GET', `${SERVED}/Schemas`, 'push all:read', 'part'),
  row('GET', `${SERVED}/Schemas/u`, 'push all:read', 'part'),
  row('POST', `${SERVED}/.search`, 'push all:read', 'part'),
  row('GET', '/api/v1/restored', 'admin', 'no'),
  row('POST', '/api/v1/restored:start', 'admin', 'no'),
  row('GET', '/console/assets/none', null, 'no'),
  page('GET', '/console', WITH_ROLE),
  page('GET', '/console/people/a%7Cb:c', WITH_ROLE),
  page('GET', '/console/resources/a%7Cb:c', WITH_ROLE),
  page('GET', '/console/why', WITH_ROLE),
  page('GET', '/console/changes', WITH_ROLE),
  page('GET', '/console/sources', WITH_ROLE),
  page('POST', '/console/sources', ['administrator']),
  page('GET', CONSOLE_SOURCE, WITH_ROLE),
  page('GET', `${CONSOLE_SOURCE}/push`, ['administrator']),
  page('POST', `${CONSOLE_SOURCE}/push`, ['administrator']),
  page('GET', '/console/register', ['administrator']),
  page('POST', '/console/register', ['administrator']),
  page('GET', `${CONSOLE_SOURCE}/keys`, ['administrator']),
  page('POST', `${CONSOLE_SOURCE}/keys`, ['administrator']),
  page('GET', '/console/suggestions', WITH_ROLE),
  page('GET', '/console/ask', WITH_ROLE),
  page('GET', '/console/csv/access', WITH_ROLE),
  page('GET', '/console/events', ['auditor', 'administrator']),
  page('GET', '/console/csv/changes', WITH_ROLE),
  page('GET', '/console/csv/entities', WITH_ROLE),
  page('GET', '/console/csv/pushes', WITH_ROLE),
  page('GET', '/console/csv/query', WITH_ROLE),
  page('GET', '/console/csv/why', WITH_ROLE),
  page('GET', '/console/csv/members', WITH_ROLE),
  page('GET', '/console/csv/losses', WITH_ROLE),
  page('GET', '/console/picture/why', WITH_ROLE),
  page('GET', '/console/mine', 'signed in'),
  page('GET', '/console/mine/why', 'signed in'),
  page('GET', '/console/reviews', 'signed in'),
  page('GET', CONSOLE_REVIEW, 'signed in'),
  page('GET', `${CONSOLE_REVIEW}/decide`, 'signed in'),
  page('POST', `${CONSOLE_REVIEW}/decide`, 'signed in'),
  page('GET', `${CONSOLE_REVIEW}/progress`, 'signed in'),
  page('POST', `${CONSOLE_REVIEW}/progress`, 'signed in'),
  page('GET', `${CONSOLE_REVIEW}/items`, 'signed in'),
  page('GET', `${CONSOLE_REVIEW}/plan`, 'signed in'),
  page('POST', `${CONSOLE_REVIEW}/plan`, 'signed in'),
  page('GET', `${CONSOLE_REVIEW}/verified`, 'signed in'),
  page('GET', `${CONSOLE_REVIEW}/evidence`, 'signed in'),
  page('GET', '/console/new-review', ['administrator']),
  page('POST', '/console/new-review', ['administrator']),
  ...served,
];

/**
 * The roles that other pages and routes show a kind of record; what is not here is for administrators
 * alone.
 */
export const RECORDS: Readonly<Record<string, readonly Role[]>> = {
  Provider: WITH_ROLE,
  DataSource: WITH_ROLE,
  Push: WITH_ROLE,
  PastNode: WITH_ROLE,
  PastRelationship: WITH_ROLE,
  Event: ['auditor', 'administrator'],
};

/** Flags of bodies that need a further scope: the route, the body, and the scope. */
export const FLAGS: readonly (readonly [string, string, (name: string) => object, string])[] = [
  [
    'POST',
    CUSTOM,
    (name) => ({ name, custom_template: 'application', provisioning: true }),
    'admin',
  ],
  [
    'POST',
    CUSTOM,
    (name) => ({ Name: name, Custom_Template: 'application', Provisioning: true }),
    'admin',
  ],
];

/** A kind of key: its scopes, `null` where it lets nobody in, and which provider it is limited to. */
export interface KeyKind {
  readonly scopes: readonly string[] | null;
  readonly limit: 'own' | 'other' | null;
  /** Set for the session of a person: their role, `null` without one. */
  readonly session?: Role | null;
}

/** What becomes of a request. */
export type Outcome = 401 | 403 | 405 | 'no path' | 'answered' | 'to the sign-in';

const isReading = (method: string): boolean => method === 'GET' || method === 'HEAD';

/** Whether the person of a session may use a row; a key never does. */
const isAdmitted = ({ session = null }: KeyKind, people: People): boolean =>
  people === 'signed in' || (session !== null && people.includes(session));

const hasAll = ({ scopes, limit }: KeyKind, needed: readonly string[]): boolean =>
  needed
    .filter((one) => limit === null || !one.startsWith('all:'))
    .every((either) =>
      either
        .replace(/^all:/, '')
        .split('|')
        .some(
          (scope) =>
            scopes?.includes(scope) || (scope !== 'cypher' && scopes?.includes('admin') === true),
        ),
    );

/** A request whose path takes other methods. */
export const withoutMethod = (key: KeyKind, method: string): Outcome => {
  if (key.scopes === null) return 401;
  const needed = method === 'GET' || method === 'HEAD' ? 'read' : 'push';
  return key.limit !== null || !hasAll(key, [needed]) ? 403 : 405;
};

/** A request to a row for people. */
const withPage = (key: KeyKind, method: string, people: People): Outcome => {
  if (key.session === undefined) return isReading(method) ? 'to the sign-in' : 401;
  return isAdmitted(key, people) ? 'answered' : 403;
};

/** A request that a row admits, about the key's own provider or, with `isOther`, about another. */
export const withRow = (
  key: KeyKind,
  { method, scopes, limited, people }: Row,
  isOther = false,
): Outcome => {
  if (people !== undefined) return withPage(key, method, people);
  if (scopes === null) return 'answered';
  if (key.scopes === null) return 401;
  if (!hasAll(key, scopes)) return 403;
  if (key.limit === null || limited === 'part') return 'answered';
  return limited === 'own' && key.limit === 'own' && !isOther ? 'answered' : 403;
};

/** The role that a key would give somebody who signs in with it. */
const roleOf = ({ scopes, limit, session }: KeyKind): Role | null => {
  if (session !== undefined) return session;
  if (scopes === null || limit !== null) return null;
  return scopes.includes('admin') ? 'administrator' : scopes.includes('read') ? 'auditor' : null;
};

/** Every way to the rows of a saved query that some roles may run. */
export const savedQueryWays = (name: string, roles: readonly Role[]): readonly Spelling[] => {
  const pages = ['/console/ask', '/console/csv/query'].map((path) => ({
    name: path,
    method: 'GET',
    path: `${path}?query=${encodeURIComponent(name)}`,
    expected: (key: KeyKind) => withPage(key, 'GET', roles),
  }));
  const path = `/api/v1/queries/${name}`;
  return [
    ...pages,
    {
      name: path,
      method: 'POST',
      path,
      expected: (key) => {
        if (key.scopes === null) return 401;
        const role = roleOf(key);
        return role !== null && roles.includes(role) ? 'answered' : 403;
      },
    },
  ];
};

const rowOf = (method: string, path: string): Row | undefined =>
  TABLE.find((one) => one.path === path && one.method === (method === 'HEAD' ? 'GET' : method));

/** A request with a method to the path of a row. */
export const withMethod = (key: KeyKind, method: string, path: string): Outcome => {
  const found = rowOf(method, path);
  if (found !== undefined) return withRow(key, found);
  const isForPeople = TABLE.some((one) => one.path === path && one.people !== undefined);
  if (isForPeople) {
    if (key.session === undefined) return 401;
    return TABLE.some(
      (one) => one.path === path && one.people !== undefined && isAdmitted(key, one.people),
    )
      ? 405
      : 403;
  }
  if (TABLE.some((one) => one.path === path && one.scopes === null)) {
    return method === 'OPTIONS' && path.startsWith('/kit/') ? 'answered' : 405;
  }
  return withoutMethod(key, method);
};

/** A spelling of a row's request, and what becomes of it. */
export interface Spelling {
  readonly name: string;
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly expected: (key: KeyKind) => Outcome;
}

const aboutOther = (method: string) => (key: KeyKind) => {
  const found = rowOf(method, PROVIDER);
  return found === undefined ? withoutMethod(key, method) : withRow(key, found, true);
};

/** Every spelling of a row's request. */
export const spellingsOf = (of: Row): readonly Spelling[] => {
  const { method, path } = of;
  const asSent = (key: KeyKind): Outcome => withRow(key, of);
  // What is no path of the service is told so to everybody, with or without a key.
  const nowhere = (): Outcome => 'no path';
  const noMethod = (key: KeyKind): Outcome => withoutMethod(key, method);
  const last = path.lastIndexOf('/');
  // Ids of entities have colons, and no verb follows them.
  const endsWithEntity = /\/(?:entities|people|resources|sources|console\/reviews)\/[^/]*$/.test(
    path,
  );
  const hasVerb = /:[a-z_-]+$/.test(path) && !endsWithEntity;
  const endsWithId =
    [
      PROVIDER,
      SOURCE,
      `${SOURCE}/pushes/p`,
      `${POLICIES}/p`,
      `${KEYS}/k`,
      `${REVIEWS}/r`,
      '/api/preview/sessions/s',
      '/console/assets/none',
      '/manual/readme',
      '/api/v1/queries/GONE/s',
    ].includes(path) || /^\/scim\/.*\/u$/.test(path);
  const literal =
    /\/(?:GONE|ds|p|k|s|u|r|a%7Cb:c|application\.json|readme|none)(?::[a-z_-]+)?$/.test(path)
      ? path.lastIndexOf('/', last - 1)
      : last;
  const isTemplates = path.endsWith('/templates');
  const capital = `${path.slice(0, literal + 1)}${path.charAt(literal + 1).toUpperCase()}${path.slice(literal + 2)}`;
  const other = aboutOther(method);
  const overridden = (key: KeyKind): Outcome => withMethod(key, 'GET', path);
  // It has no letters, and one slash more is all that it could be spelled with.
  if (path === '/') {
    return ['/', '//'].map((spelled) => ({
      name: spelled,
      method,
      path: spelled,
      expected: asSent,
    }));
  }
  return [
    { name: 'as sent', method, path, expected: asSent },
    { name: 'upper case', method, path: path.toUpperCase(), expected: nowhere },
    {
      name: 'a capital',
      method,
      path: capital,
      // Names of SCIM begin with a capital, and `.search` with none.
      expected: capital === path ? asSent : isTemplates ? other : nowhere,
    },
    ...(hasVerb
      ? [
          {
            name: 'a capital in the verb',
            method,
            expected: nowhere,
            path: path.replace(
              /:(?=[a-z_-]+$)(.)/,
              (_, letter: string) => `:${letter.toUpperCase()}`,
            ),
          },
          {
            name: '%3A for the colon',
            method,
            path: path.replace(/:(?=[a-z_-]+$)/, '%3A'),
            expected: /\/(GONE|ds|k|r):/.test(path) ? noMethod : nowhere,
          },
        ]
      : []),
    { name: '// before', method, path: `/${path}`, expected: nowhere },
    {
      name: '// within',
      method,
      path: `${path.slice(0, last)}/${path.slice(last)}`,
      // Clients of SCIM join a base URL that ends with a slash.
      expected: path.startsWith(SERVED) ? asSent : nowhere,
    },
    { name: '/ after', method, path: `${path}/`, expected: asSent },
    // Without any slash at its beginning it is no request: Node itself answers that.
    ...(last === 0
      ? []
      : [
          {
            name: '%2F',
            method,
            path: `${path.slice(0, last)}%2F${path.slice(last + 1)}`,
            expected: [SOURCES, SCIM, POLICIES, `${PROVIDER}/trusts`].includes(path)
              ? other
              : path === `${SOURCE}/pushes`
                ? asSent
                : path.startsWith(`${CONSOLE_SOURCE}/`)
                  ? (key: KeyKind) => withMethod(key, method, CONSOLE_SOURCE)
                  : path.startsWith(`${CONSOLE_REVIEW}/`)
                    ? (key: KeyKind) => withMethod(key, method, CONSOLE_REVIEW)
                    : path.startsWith(`${REVIEWS}/r/`)
                      ? (key: KeyKind) => withMethod(key, method, `${REVIEWS}/r`)
                      : nowhere,
          },
        ]),
    {
      name: ';x',
      method,
      path: `${path};x`,
      expected:
        path === PROVIDER || isTemplates
          ? other
          : /\/(Users|Groups)\/\.search$/.test(path)
            ? noMethod
            : endsWithId || endsWithEntity
              ? asSent
              : nowhere,
    },
    { name: 'HEAD', method: 'HEAD', path, expected: (key) => withMethod(key, 'HEAD', path) },
    {
      name: 'OPTIONS',
      method: 'OPTIONS',
      path,
      expected: (key) => withMethod(key, 'OPTIONS', path),
    },
    {
      name: 'X-HTTP-Method-Override',
      method: 'GET',
      path,
      headers: { 'x-http-method-override': method },
      expected: overridden,
    },
    { name: '_method', method: 'GET', path: `${path}?_method=${method}`, expected: overridden },
  ];
};
