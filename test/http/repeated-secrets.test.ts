import fc from 'fast-check';

import { ask } from '../../src/neo4j/ask';
import type { Got, MisbehavingServer } from '../scim/misbehaving-server';
import { FORMS } from '../scim/repeated-forms';
import { sized } from '../support/test-size';
import { type PolicyWorld, policyWorld, user } from './policy-stage';

/*
 * An application repeats the secret by which it is asked, in every form and in every place of its answers. No answer
 * to a call by hand, no action of a policy, no event, no log line and nothing in the graph may hold it
 * (docs/security.md: Secrets of applications).
 */

let world: PolicyWorld;

beforeAll(async () => {
  world = await policyWorld();
});
afterAll(() => world.close());

type Resource = { [name: string]: unknown; id: string };
type Place = (server: MisbehavingServer, said: string, secret: string) => void;

const shown = (server: MisbehavingServer, more: (resource: Resource) => object): void => {
  server.ways = { ...server.ways, show: (resource) => ({ ...resource, ...more(resource) }) };
};

const answersWrites = (
  server: MisbehavingServer,
  status: number,
  headers: object,
  body: object,
) => {
  server.misdeed = ({ method }: Got, res, next) => {
    if (method === 'GET') return next();
    res.writeHead(status, { 'content-type': 'application/scim+json', ...headers });
    res.end(JSON.stringify(body));
  };
};

const PLACES: Readonly<Record<string, Place>> = {
  'texts of accounts and groups': (server, said) =>
    shown(server, () => ({
      title: said,
      [said]: said,
      meta: { version: said },
      x: [[{ y: said }]],
    })),
  'texts, where accounts are written whole': (server, said) => {
    server.ways = { ...server.ways, patch: false };
    shown(server, () => ({ title: said }));
  },
  ids: (server, said) => shown(server, ({ id }) => ({ id: `${id} ${said}` })),
  'external ids and names': (server, said) =>
    shown(server, () => ({ externalId: said, displayName: said })),
  logins: (server, said) => shown(server, () => ({ externalId: undefined, userName: said })),
  members: (server, said) =>
    shown(server, ({ members }) => ({
      members: [...((members ?? []) as object[]), { value: said, display: said }],
    })),
  'attributes that it does not keep': (server, said) =>
    shown(server, () => ({ name: said, emails: [{ value: said, type: said }], active: said })),
  refusals: (server, said) =>
    answersWrites(server, 400, {}, { detail: said, scimType: said.slice(0, 99) }),
  failures: (server, said) => answersWrites(server, 503, {}, { detail: said }),
  redirects: (server, _, secret) =>
    answersWrites(
      server,
      302,
      { location: `https://${Buffer.from(secret).toString('hex')}.example/` },
      {},
    ),
  'the place of what is made': (server, said) =>
    answersWrites(
      server,
      201,
      { location: `${server.base}/Users/${encodeURIComponent(said.slice(0, 900))}` },
      {},
    ),
  'all other answers': (server, said) => {
    server.misdeed = ({ path }, res, next) => {
      if (!/ServiceProviderConfig|ResourceTypes|Schemas/.test(path)) return next();
      const type = { id: said, name: said, endpoint: '/Users', attributes: [{ name: said }] };
      const body = { Resources: [type], patch: { supported: said }, documentationUri: said };
      res.writeHead(200, { 'content-type': 'application/scim+json' }).end(JSON.stringify(body));
    };
  },
};

/** Passwords of letters and signs that every form writes otherwise; in hexadecimal they fit into a name of a host. */
const password = fc
  .array(fc.constantFrom(...'abcdefghijkXYZ0123456789+/=&<"\\%~.-_'), {
    minLength: 16,
    maxLength: 20,
  })
  .map((letters) => `k${letters.join('')}é`);

/** Pieces of a secret in all its forms, which would tell that it is there. */
const piecesOf = (secret: string): readonly string[] =>
  Object.values(FORMS).flatMap((form) => form(secret, 'ab').match(/[^]{8}/g) ?? []);

const everything = async (): Promise<string> =>
  JSON.stringify(
    await ask(
      world.service.graph,
      'MATCH (n) OPTIONAL MATCH (n)-[r]->() RETURN properties(n) AS p, properties(r) AS q',
    ),
  );

const PASSWORDS = fc.sample(password, { seed: 38, numRuns: sized(1, 10) });

test.each(Object.entries(PLACES))(
  'a secret that an application repeats in %s is shown nowhere',
  async (_, place) => {
    const { application, service } = world;
    for (const secret of PASSWORDS) {
      const stage = await world.stage();
      const said = Object.values(FORMS)
        .map((form) => form(secret, 'ab'))
        .join(' ');
      const scim = stage.path.replace('/policies', '/scim');
      const told: string[] = [];
      const call = async (path: string, body: object | undefined = {}): Promise<void> => {
        told.push((await service.post(path, body)).text);
      };
      await service
        .send('put', scim, {
          base_url: application.base,
          authentication: { type: 'basic', user: 'grantgraph', password: secret },
        })
        .expect(200);
      await service.send('put', `${scim}/import`, {}).expect(200);
      await stage.push({ users: [user('ann'), user('bob', { is_active: false }), user('cy')] });
      const [ann, bob] = [await stage.keyOf('ann'), await stage.keyOf('bob')];
      // Accounts that stand before anything is repeated.
      await call(`${scim}:provision`, { user: bob });
      application.users.set('old', { id: 'old', userName: 'cy', externalId: 'somebody' });
      place(application, said, secret);

      await call(`${scim}:test`);
      for (const query of ['?dry_run=true', '']) {
        await call(`${scim}:provision${query}`, { user: ann, adopt: true });
        await call(`${scim}:update${query}`, { user: bob });
        await call(`${scim}:add-members${query}`, { group: 'Writers', users: [ann, bob] });
        await call(`${scim}:remove-members${query}`, { group: 'Others', accounts: ['somebody'] });
        await call(`${scim}:deprovision${query}`, { user: bob, how: 'disable' });
        await call(`${scim}:import${query}`);
      }
      const set = await stage.policy({
        who: [stage.everybody],
        groups: ['Writers'],
        drift: 'correct',
        adopt: true,
        guard: { share: 1 },
      });
      told.push(set.text);
      for (const verb of ['plan?full=true', 'run?full=true', 'run?full=true']) {
        await call(`${stage.path}:${verb}`, undefined);
      }
      for (const verb of ['status', 'actions']) {
        told.push((await stage.send('get', `${stage.path}:${verb}`)).text);
      }
      told.push((await stage.send('get', '/api/v1/events?page_size=1000')).text);

      // The application did repeat it.
      const isRepeated =
        /\*\*\*|id that is a text|made the account|did not change|repeats a secret/;
      expect(isRepeated.test(told.join('\n'))).toBe(true);
      const all = [...told, await everything(), JSON.stringify(service.logged)].join('\n');
      expect(piecesOf(secret).filter((piece) => all.includes(piece))).toEqual([]);
      await service.send('delete', stage.path.replace('/policies', ''));
    }
  },
  sized(600_000, 900_000),
);
