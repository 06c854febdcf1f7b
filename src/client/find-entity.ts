import type { Entity } from '../contract/answers/questions/entities';
import { endpoints } from '../questions/endpoints';
import type { Client } from './client';

/**
 * What a name may refer to: one end of a question about access, or the person whose account it is.
 */
export type Role = 'principal' | 'resource' | 'user';

/**
 * For each role, the labels of the nodes that can have it, and the word that people use
 * (docs/api.md: Who can do what; docs/provisioning.md).
 */
const ROLES: Readonly<Record<Role, { readonly labels: readonly string[]; readonly word: string }>> =
  {
    // A resource acts with the access of the principals that it connects to.
    principal: { labels: ['Principal', 'Resource'], word: 'principal' },
    resource: { labels: ['Application', 'Resource'], word: 'resource or application' },
    user: { labels: ['IdpUser'], word: 'user' },
  };

/** A name fits nothing of the wanted role, or several things. */
export class NotOne extends Error {
  constructor(
    readonly wanted: string,
    role: Role,
    readonly candidates: readonly Entity[],
    /** How many there are, listed or not. */
    readonly total: number,
  ) {
    super(
      candidates.length === 0
        ? `No ${ROLES[role].word} is called ${JSON.stringify(wanted)}.`
        : `Several things are called ${JSON.stringify(wanted)}: use the id of one.`,
    );
  }
}

/** A text in the quotes of a filter (docs/api.md: Search). */
const quoted = (text: string): string => JSON.stringify(text);

const MOST_CANDIDATES = 20;

/** The fields that people call entities by: name, email, login or path. */
const FIELDS = ['name', 'email', 'identity', 'path', 'unique_id'] as const;

interface Found {
  readonly values: readonly Entity[];
  readonly total: number;
}

/**
 * Entities that fit a filter, of all labels of a role. A search ignores case only if nothing fits
 * exactly. So entities that fit exactly under one label win over those that fit otherwise under
 * another label.
 */
const found = async (client: Client, filter: string, name: string, role: Role): Promise<Found> => {
  const pages = await Promise.all(
    ROLES[role].labels.map((label) =>
      client.call(
        endpoints.search,
        {},
        { parameters: { filter, label, page_size: MOST_CANDIDATES } },
      ),
    ),
  );
  const isExact = ({ values }: Found): boolean =>
    values.some(({ id, properties }) =>
      [id, ...FIELDS.map((field) => properties[field])].includes(name.normalize('NFC')),
    );
  const exact = pages.filter(isExact);
  const meant = exact.length > 0 ? exact : pages;
  return {
    values: meant.flatMap(({ values }) => values).slice(0, MOST_CANDIDATES),
    total: meant.reduce((sum, { total }) => sum + total, 0),
  };
};

/**
 * Finds the one principal, resource or application that a person means by an id, a name, an email
 * or a path. The service itself accepts only ids.
 */
export const findEntity = async (client: Client, name: string, role: Role): Promise<Entity> => {
  for (const fields of [['key'], FIELDS]) {
    const filter = fields.map((field) => `${field} eq ${quoted(name)}`).join(' or ');
    const { values, total } = await found(client, filter, name, role);
    const [one] = values;
    if (one !== undefined && total === 1) return one;
    if (values.length > 0) throw new NotOne(name, role, values, total);
  }
  throw new NotOne(name, role, [], 0);
};

/** Searches by a part of a name, email or path. */
export const partFilter = (text: string): string =>
  FIELDS.map((field) => `${field} co ${quoted(text)}`).join(' or ');
