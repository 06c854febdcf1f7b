import { applicationPayload } from './application-payload';
import { bigPayload } from './big-payload';
import { upTo } from './up-to';

/** A shape of payloads, and its template. */
export interface Shape {
  readonly template: 'application' | 'identity_provider';
  /**
   * Makes a payload of about this size. Equal turns give equal texts, and each turn changes every
   * entity.
   */
  readonly json: (bytes: number, turn: number) => string;
}

/** About how many elements a usual payload has for each byte. */
const ELEMENTS_A_BYTE = 1 / 130;

const directory = (users: string): string =>
  `{"name":"d","idp_type":"x","domains":[{"name":"x"}],"users":[${users}]}`;

const filled = (bytes: number, entry: (at: number) => string): string => {
  const entries: string[] = [];
  for (let size = 0; size < bytes; size += (entries.at(-1)?.length ?? 0) + 1) {
    entries.push(entry(entries.length));
  }
  return entries.join();
};

/**
 * Few entities and very many short references between them. No other text of this size has as many
 * elements.
 */
const references = (bytes: number, turn: number): string => {
  const resources = upTo(1000);
  const names = resources.map((at) => `"r.${at}"`).join();
  return JSON.stringify({
    applications: [
      {
        name: 'a',
        application_type: 'a',
        description: String(turn),
        resources: [
          {
            name: 'r',
            resource_type: 't',
            sub_resources: resources.map((at) => ({ name: String(at), resource_type: 't' })),
          },
        ],
        local_users: upTo(Math.ceil(bytes / names.length)).map((at) => ({ name: `u${at}` })),
      },
    ],
    permissions: [{ name: 'p', permission_type: ['DataRead'] }],
    identity_to_permissions: 'ENTRIES',
  }).replace(
    '"ENTRIES"',
    `[${filled(bytes, (at) => `{"identity":"u${at}","identity_type":"local_user","application_permissions":[{"application":"a","permission":"p","resources":[${names}]}]}`)}]`,
  );
};

/**
 * Shapes from the usual to the most expensive for its size. The service reads the last two and
 * refuses them.
 */
export const SHAPES: Readonly<Record<string, Shape>> = {
  company: {
    template: 'application',
    json: (bytes, turn) =>
      JSON.stringify(applicationPayload(Math.floor(bytes * ELEMENTS_A_BYTE), turn + 1)),
  },
  texts: {
    template: 'application',
    json: (bytes, turn) =>
      JSON.stringify(bigPayload(Math.max(1000, Math.floor(bytes / 1000)), bytes, turn + 1)),
  },
  users: {
    template: 'identity_provider',
    json: (bytes, turn) =>
      directory(filled(bytes, (at) => `{"name":"u${at}","full_name":"${turn}"}`)),
  },
  names: {
    template: 'identity_provider',
    json: (bytes, turn) => directory(filled(bytes, (at) => `{"name":"${turn}${at}"}`)),
  },
  references: { template: 'application', json: references },
  objects: { template: 'identity_provider', json: (bytes) => directory(filled(bytes, () => '{}')) },
  lists: { template: 'identity_provider', json: (bytes) => `[${filled(bytes, () => '[]')}]` },
};
