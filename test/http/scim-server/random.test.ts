/** @more night */

import { ask } from '../../../src/neo4j/ask';
import { Random } from '../../hardening/random';
import { sized } from '../../support/test-size';
import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from '../service-under-test';
import { digestOf, pushedWhole, type ScimSource, scimSource } from './directory';

/*
 * Random requests end in the graph that a whole push of the same people and groups gives. What they should end in is
 * kept here in plain maps, a second writing of docs/provisioning.md: Being read through SCIM.
 */

interface Person {
  userName: string;
  displayName?: string;
  title?: string;
  active?: boolean;
  email?: string;
  manager?: string;
}

interface Model {
  readonly people: Map<string, Person>;
  /** Names of groups by their ids. */
  readonly groups: Map<string, string>;
  /** Ids of members by the ids of groups, of those who are there and of those who come later. */
  readonly members: Map<string, Set<string>>;
}

const IDS = ['p1', 'p2', 'p3', 'p4', 'p5', 'p6'];
const GROUPS = ['g1', 'g2', 'g3'];
const MANAGER = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager';

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

const patch = (...Operations: object[]) => ({ Operations });

/** Changes one thing of a person, in one of the forms in which identity providers spell it. */
const change = (random: Random, person: Person): object => {
  const said = random.pick(['A', 'Bo', 'Ünal', 'x'.repeat(40)]);
  switch (random.below(6)) {
    case 0:
      person.title = said;
      return random.pick([
        patch({ op: 'Replace', path: 'title', value: [{ $ref: null, value: said }] }),
        patch({ op: 'add', value: { TITLE: said } }),
      ]);
    case 1:
      person.displayName = said;
      return patch({ op: 'replace', value: { displayName: said } });
    case 2:
      person.active = random.happens(0.5);
      return patch({
        op: 'replace',
        path: 'active',
        value: random.pick([person.active, String(person.active)]),
      });
    case 3:
      person.email = `${said}@halden.example`;
      return patch({
        op: 'add',
        path: 'emails',
        value: [{ value: person.email, type: 'work', primary: true }],
      });
    case 4:
      person.manager = random.pick(IDS);
      return patch({ op: 'Add', path: MANAGER, value: person.manager });
    default:
      delete person.title;
      delete person.manager;
      return patch({ op: 'remove', path: 'title' }, { op: 'Remove', path: MANAGER });
  }
};

/** What a person says of their email after another one: the first stays, and is the primary one no more. */
const usedEmails = new WeakMap<Person, string[]>();

const step = async (
  random: Random,
  { people, groups, members }: Model,
  { send }: ScimSource,
): Promise<void> => {
  const [id, group] = [random.pick(IDS), random.pick(GROUPS)];
  const person = people.get(id);
  const name = groups.get(group);
  const expectDone = async (sent: ReturnType<ScimSource['send']>): Promise<void> => {
    const { status, body } = await sent;
    expect({ status, body, isDone: status < 300 }).toMatchObject({ isDone: true });
  };
  if (random.happens(0.5)) {
    if (person === undefined) {
      people.set(id, { userName: `${id}@halden.example` });
      return expectDone(
        send('post', '/Users', { userName: `${id}@halden.example`, externalId: id }),
      );
    }
    if (random.happens(0.15)) {
      people.delete(id);
      // Whoever is gone is a member of nothing, also when they come back.
      for (const ids of members.values()) ids.delete(id);
      return expectDone(send('delete', `/Users/${id}`));
    }
    if (random.happens(0.2)) {
      person.userName = `${random.pick(['new', 'old'])}-${id}@halden.example`;
      const value = { userName: person.userName };
      return expectDone(send('patch', `/Users/${id}`, patch({ op: 'replace', value })));
    }
    const before = person.email;
    const body = change(random, person);
    if (person.email !== before && before !== undefined) {
      usedEmails.set(person, [...(usedEmails.get(person) ?? []), before]);
    }
    return expectDone(send('patch', `/Users/${id}`, body));
  }
  if (name === undefined) {
    const some = IDS.filter(() => random.happens(0.3));
    groups.set(group, group.toUpperCase());
    members.set(group, new Set(some));
    return expectDone(
      send('post', '/Groups', {
        displayName: group.toUpperCase(),
        externalId: group,
        members: some.map((value) => ({ value, type: 'User' })),
      }),
    );
  }
  if (random.happens(0.1)) {
    groups.delete(group);
    members.delete(group);
    return expectDone(send('delete', `/Groups/${group}`));
  }
  const ids = members.get(group) as Set<string>;
  const some = IDS.filter(() => random.happens(0.4));
  const values = some.map((value) => ({ value }));
  const path = `/Groups/${group}`;
  switch (random.below(4)) {
    case 0:
      for (const one of some) ids.add(one);
      return expectDone(send('patch', path, patch({ op: 'Add', path: 'members', value: values })));
    case 1: {
      if (some.length === 0) return;
      for (const one of some) ids.delete(one);
      const filter = some.map((one) => `value eq "${one}"`).join(' or ');
      return expectDone(
        send(
          'patch',
          path,
          random.pick([
            patch({ op: 'Remove', path: 'members', value: values }),
            patch({ op: 'remove', path: `members[${filter}]` }),
          ]),
        ),
      );
    }
    case 2:
      members.set(group, new Set(some));
      return expectDone(
        send('patch', path, patch({ op: 'replace', path: 'members', value: values })),
      );
    default:
      members.set(group, new Set(some));
      return expectDone(
        send('put', path, { displayName: name, externalId: group, members: values }),
      );
  }
};

const lineOf = (value: string, primary: boolean): string =>
  JSON.stringify({ value, type: 'work', primary });

/** The emails that do not fit one field: all of them, in the order in which they came. */
const emailsOf = (person: Person): readonly string[] | undefined => {
  if (person.email === undefined) return undefined;
  const all = [...new Set([...(usedEmails.get(person) ?? []), person.email])];
  const lines = all.map((email) => lineOf(email, email === person.email));
  return lines.length === 1 ? undefined : lines;
};

const payloadOf = ({ people, groups, members }: Model): object => ({
  domains: [{ name: 'Main' }],
  custom_property_definition: {
    user_properties: { external_id: 'STRING', title: 'STRING', emails: 'STRING_LIST' },
    group_properties: { external_id: 'STRING', waiting_members: 'STRING_LIST' },
  },
  users: [...people].map(([identity, person]) => ({
    identity,
    name: person.userName,
    full_name: person.displayName,
    is_active: person.active,
    email: person.email,
    manager_id: person.manager,
    groups: [...members]
      .filter(([, ids]) => ids.has(identity))
      .map(([group]) => ({ identity: group })),
    custom_properties: { external_id: identity, title: person.title, emails: emailsOf(person) },
  })),
  groups: [...groups].map(([identity, name]) => ({
    identity,
    name,
    custom_properties: {
      external_id: identity,
      waiting_members: [...(members.get(identity) ?? [])]
        .filter((id) => !people.has(id))
        .sort((a, b) => (a < b ? -1 : 1)),
    },
  })),
});

/** What stands in a data source, so that a failure shows what differs. */
const shown = async ({ data_source_id }: RegisteredIds): Promise<readonly unknown[]> => {
  const rows = await ask(
    service.graph,
    `MATCH (n:IdpUser|IdpGroup {data_source: $source})
     RETURN n {.*, key: null, data_source: null, provider: null, since: null, changed: null,
       row_hash: null, fold_of_provider: null} AS row,
       COLLECT { MATCH (n)-[:MEMBER_OF]->(g) RETURN g.name ORDER BY g.name } AS groups
     ORDER BY n.identity`,
    { source: data_source_id },
  );
  return rows;
};

const SEEDS = Array.from({ length: sized(3, 40) }, (_, at) => at + 1);
const STEPS = 30;

test.each(SEEDS)('random requests, seed %i, end in the graph of a whole push', async (seed) => {
  const random = new Random(seed);
  const model: Model = { people: new Map(), groups: new Map(), members: new Map() };
  const source = await scimSource(service);
  for (let at = 0; at < STEPS; at += 1) await step(random, model, source);
  const whole = await pushedWhole(service, source.source, payloadOf(model));
  expect(await shown(source.source)).toEqual(await shown(whole));
  expect(await digestOf(service, source.source)).toBe(await digestOf(service, whole));
});
