import type * as t from 'io-ts';

import { list } from '../codec/collections';
import { struct } from '../codec/struct';
import { enumeration, requiredText, time } from '../codec/text';

/**
 * What a key allows: `read` to ask, `push` to register, push, change and delete, `admin` everything, keys among it.
 */
export const TeamKeyScope = enumeration('scope', ['push', 'read', 'admin']);
export type TeamKeyScope = t.TypeOf<typeof TeamKeyScope>;

/** How a team key begins. */
export const ACCESS_KEY_PREFIX = 'ggk_';

const ACCESS_KEY = new RegExp(`^${ACCESS_KEY_PREFIX}[A-Za-z0-9_-]{43}$`);

/** Whether a text can be a team key: of others it is known without the graph that they are none. */
export const isAccessKey = (text: string): boolean => ACCESS_KEY.test(text);

const limits = { scopes: list(TeamKeyScope), providers: list(requiredText), expires_at: time };

/** A request to create a team key; `[]` says the same as nothing (docs/rules.md: Team keys, Values). */
export const CreateTeamKeyRequest = struct(
  'create team key request',
  { name: requiredText },
  limits,
  {
    isOpen: true,
  },
);

/** A request to change a team key: what is absent stays. */
export const ChangeTeamKeyRequest = struct(
  'change team key request',
  {},
  { name: requiredText, ...limits },
  { isOpen: true },
);
