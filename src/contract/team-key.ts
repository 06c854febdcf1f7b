import type * as t from 'io-ts';

import { enumeration } from '../codec/text';

/**
 * What a key allows. `read` allows questions. `push` allows registration, pushes, changes and
 * deletion. `admin` allows everything, including team keys, but for queries in Cypher: these need
 * `cypher`, which a key has only if it names it (docs/security.md: Queries).
 */
export const TeamKeyScope = enumeration('scope', ['push', 'read', 'admin', 'cypher']);
export type TeamKeyScope = t.TypeOf<typeof TeamKeyScope>;

/** Every team key begins with this. */
export const ACCESS_KEY_PREFIX = 'ggk_';

const ACCESS_KEY = new RegExp(`^${ACCESS_KEY_PREFIX}[A-Za-z0-9_-]{43}$`);

/**
 * Whether a text has the form of a team key. The service refuses other texts without a look into
 * the graph.
 */
export const isAccessKey = (text: string): boolean => ACCESS_KEY.test(text);

/**
 * Requests about team keys may have unknown fields, but none that differs little from a known one.
 * If the service ignored a mistyped limit, the key could do more than somebody meant.
 */
export const TEAM_KEY_REQUESTS = { isOpen: true, refusesNearNames: true } as const;

/**
 * What a person who signed in may do. An analyst asks about the graph, an auditor also sees events
 * and exports, an administrator does everything. A person without a role sees only their own access
 * (docs/sign-in.md: Roles).
 */
export const Role = enumeration('role', ['administrator', 'analyst', 'auditor']);
export type Role = t.TypeOf<typeof Role>;
