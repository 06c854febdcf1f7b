import type { Entity } from '../contract/answers/entities';
import type { Client } from './client';

/** A name that fits no entity, or several. */
export class NotOne extends Error {
  constructor(
    readonly wanted: string,
    readonly candidates: readonly Entity[],
  ) {
    super(
      candidates.length === 0
        ? `Nothing in the graph is called ${JSON.stringify(wanted)}.`
        : `Several things are called ${JSON.stringify(wanted)}: use the id of one.`,
    );
  }
}

/** A text in the quotes of a filter (docs/api.md: Search). */
const quoted = (text: string): string => JSON.stringify(text);

const MOST_CANDIDATES = 20;

/** The fields that people call entities by: name, email, login or path. */
const FIELDS = ['name', 'email', 'identity', 'path', 'unique_id'] as const;

const found = async (client: Client, filter: string, label?: string): Promise<readonly Entity[]> =>
  (
    await client.get<{ readonly values: readonly Entity[] }>('/api/v1/entities', {
      ...{ filter, label },
      page_size: MOST_CANDIDATES,
    })
  ).values;

/** Finds the one entity that a person means by an id, a name, an email or a path. */
export const findEntity = async (client: Client, name: string, label?: string): Promise<Entity> => {
  for (const fields of [['key'], FIELDS]) {
    const filter = fields.map((field) => `${field} eq ${quoted(name)}`).join(' or ');
    const entities = await found(client, filter, label);
    const [one] = entities;
    if (one !== undefined && entities.length === 1) return one;
    if (entities.length > 1) throw new NotOne(name, entities);
  }
  throw new NotOne(name, []);
};

/** Searches by a part of a name, email or path. */
export const partFilter = (text: string): string =>
  FIELDS.map((field) => `${field} co ${quoted(text)}`).join(' or ');
