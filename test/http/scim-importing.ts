import { expectedPayload } from '../scim/expected-payload';
import type { MisbehavingServer } from '../scim/misbehaving-server';
import type { ServiceUnderTest } from './service-under-test';

type Json = Readonly<Record<string, unknown>>;

const PROVIDERS = '/api/v1/providers/custom';

/** A provider that is connected to an application, and whose import is set. */
export interface Connected {
  /** The path of the connection. */
  readonly path: string;
  readonly provider: string;
  readonly name: string;
}

/** What tests of imports do. */
export interface Importing {
  connected(settings?: object, profile?: object): Promise<Connected>;
  /** Imports, and expects that this is answered. */
  run(to: Connected, query?: string): Promise<Json>;
  settingsOf(to: Connected): Promise<Json>;
  /** The graph holds what the payload says that the tests themselves make of the application. */
  expectMirrored(to: Connected, isOut?: (user: Json) => boolean): Promise<void>;
}

let names = 0;

/** Imports of a server of the tests. */
export const importing = (
  application: Pick<MisbehavingServer, 'base' | 'users' | 'groups'>,
  service: ServiceUnderTest,
): Importing => {
  const settingsOf: Importing['settingsOf'] = async ({ path }) =>
    ((await service.send('get', `${path}/import`)).body as { value: Json }).value;
  return {
    settingsOf,

    connected: async (settings = {}, profile = {}) => {
      const name = `Wiki ${(names += 1)}`;
      const made = await service.post(PROVIDERS, {
        name,
        custom_template: 'application',
        external_lifecycle_management_type: 'SCIM',
      });
      const provider = (made.body as { value: { id: string } }).value.id;
      const path = `${PROVIDERS}/${provider}/scim`;
      const authentication = { type: 'bearer', token: 'hush-hush' };
      const connection = { base_url: application.base, authentication, profile };
      await service.send('put', path, connection).expect(200);
      await service.send('put', `${path}/import`, settings).expect(200);
      return { path, provider, name };
    },

    run: async ({ path }, query = '') => {
      const answer = await service.post(`${path}:import${query}`, {});
      expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
      return answer.body as Json;
    },

    expectMirrored: async (to, isOut = () => false) => {
      const data_source_id = String((await settingsOf(to)).data_source_id);
      const payload = expectedPayload(application, to.name, isOut);
      const pushed = await service.post(
        `${PROVIDERS}/${to.provider}/datasources/${data_source_id}:push`,
        { id: to.provider, data_source_id, json_data: JSON.stringify(payload) },
      );
      expect(pushed.body).toMatchObject({
        unchanged: true,
        put: { nodes: 0, relationships: 0 },
        removed: { nodes: 0, relationships: 0 },
      });
    },
  };
};
