import type { RequestHandler } from 'express';

import type { AnyCodec, Codec } from '../../codec/codec';
import type { Fields, Struct } from '../../codec/struct';
import type { TeamKeyScope } from '../../contract/team-key';
import type { Handler } from '../exchange/handle';

/** An answer that is no JSON. */
export interface OtherAnswer {
  /** Its media type; the first of several is the usual one. */
  readonly mediaTypes: readonly [string, ...string[]];
  /** Of a stream, what each of its events says, as JSON. */
  readonly event?: AnyCodec;
}

/**
 * Whether a key that is limited to providers may use a route: `never`; for its `own provider`, which the route's path names; or `shown in part`, where
 * the answer leaves out what is not of its providers.
 */
export type LimitedKeys = 'never' | 'own provider' | 'shown in part';

/** Which keys a route admits. */
export interface Access {
  /** The scopes that a key needs, all of them; `admin` has every scope. */
  readonly scopes: readonly TeamKeyScope[];
  /** A scope that does instead of all of them: connectors look for their own provider and data source with `push` alone. */
  readonly orScope?: TeamKeyScope;
  readonly limitedKeys: LimitedKeys;
}

/** What a route says but for its answer. */
interface Asked {
  readonly method: 'get' | 'post' | 'patch' | 'delete';
  /** In Express's spelling: parameters begin with a colon, a colon of the path itself is escaped. */
  readonly path: string;
  /** `open`: the route needs no key. */
  readonly access: 'open' | Access;
  readonly summary: string;
  /** What its body may be. */
  readonly body?: readonly AnyCodec[];
  /** Its query parameters; endpoints that older clients use ignore others. */
  readonly query?: Struct<Fields, Fields>;
  readonly headers?: readonly string[];
  /** Its parameters may hold colons; in all other paths a colon begins a verb. */
  readonly idsMayHoldColons?: true;
  /** Pages of other addresses may fetch it, so browsers ask with OPTIONS beforehand. */
  readonly isSharedWithPages?: true;
  /** It answers also before the graph has its schema. Open routes do, too. */
  readonly isWithoutGraph?: true;
}

/**
 * One thing that the HTTP interface can be asked. The router, authorization, 405, the API description and the table of docs/api.md are made from these values
 * (docs/security.md: Keys, scopes and limits to providers).
 */
export interface Route extends Asked {
  /** What it answers with 200: JSON of this codec, or something else. */
  readonly answer: AnyCodec | OtherAnswer;
  readonly handler: RequestHandler;
}

/** A route whose handler answers what its codec says. */
export const route = <A>(
  told: Asked & { readonly answer: Codec<A>; readonly handler: Handler<A> },
): Route => told;

/** Whether an answer is JSON of a codec. */
export const isJson = (answer: Route['answer']): answer is AnyCodec => 'explain' in answer;

/** The scopes that a key needs, in words. */
export const scopesInWords = ({ scopes, orScope }: Access): string => {
  const all = scopes.map((scope) => `\`${scope}\``).join(' and ');
  return orScope === undefined ? all : `${all} or \`${orScope}\``;
};

const TOLD_NAMES: Readonly<Record<string, string>> = {
  providerId: 'id',
  dataSourceId: 'ds',
  pushId: 'push',
  keyId: 'key',
  entityId: 'id',
};

/** A route's path as clients read it: parameters stand in braces. */
export const toldPath = ({ path }: Pick<Route, 'path'>): string =>
  path.replace(/(\\?):(\w+)/g, (_, escape: string, name: string) =>
    escape === '' ? `{${TOLD_NAMES[name] ?? name}}` : `:${name}`,
  );
