/** @more bounds */

import { fold } from '../../src/model/fold';
import { withSharedRules } from '../../src/kit/shared-rules';
import { type ServiceUnderTest, serviceUnderTest } from './service-under-test';

/** All letters with case that the platform knows. */
const letters = (): readonly string[] => {
  const found: string[] = [];
  for (let point = 0x80; point <= 0x10ffff; point += 1) {
    if (point >= 0xd800 && point <= 0xdfff) continue;
    const letter = String.fromCodePoint(point);
    if (letter.toLowerCase() !== letter || letter.toUpperCase() !== letter) found.push(letter);
  }
  return found;
};

/** Names of at most 200 bytes that hold all these letters, with what lower case looks at around them. */
const namesOf = (parts: readonly string[]): readonly string[] => {
  const names: string[] = [];
  let name = '';
  for (const [at, part] of parts.entries()) {
    const next = `${part}${['-', 'Σ_', 'Σ', ' ', 'ΑΣ:', '1'][at % 6] ?? ''}`;
    if (Buffer.byteLength(name + next) > 200) {
      names.push(name);
      name = '';
    }
    name += next;
  }
  return [...names, name].map((each, at) => `${at} ${each}end`);
};

const names = namesOf(letters());
const FIND_PERSON = withSharedRules('test', '// <shared: find the person>\n// </shared>');

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest();
  const { path, ...ids } = await service.register('identity_provider');
  const domains = [{ name: 'folding.example' }];
  const custom_property_definition = { user_properties: { nick: 'STRING' } };
  const push = async (payload: object): Promise<void> => {
    const pushed = await service.post(path, { ...ids, json_data: JSON.stringify(payload) });
    expect(pushed.status).toBe(200);
  };
  await push({ domains, custom_property_definition });
  for (let from = 0; from < names.length; from += 20) {
    const users = names.slice(from, from + 20).map((name, at) => ({
      operation: 'add',
      name,
      identity: `u${from + at}`,
      full_name: name,
      custom_properties: { nick: name },
    }));
    await push({ incremental_change: true, domains, users });
  }
});
afterAll(() => service.close());

const found = async (filter: string): Promise<readonly unknown[]> => {
  const answer = await service.send(
    'get',
    `/api/v1/entities?${new URLSearchParams({ filter, label: 'IdpUser' }).toString()}`,
  );
  return (answer.body as { values: readonly { properties: { identity: unknown } }[] }).values.map(
    ({ properties }) => properties.identity,
  );
};

// A final sigma, and letters of newer versions of Unicode, fold otherwise in Neo4j.
test.each(['name', 'full_name', 'customprop_nick'])(
  'each %s of all letters is found by its own spelling and in any case',
  async (property) => {
    for (const [at, name] of names.entries()) {
      const middle = name.slice(0, -3);
      for (const filter of [
        `eq "${name}"`,
        `co "${middle}"`,
        `eq "${fold(name)}"`,
        `sw "${at} "`,
      ]) {
        expect([filter, await found(`${property} ${filter}`)]).toEqual([filter, [`u${at}`]]);
      }
    }
  },
);

test('a saved query finds each name by its exact spelling', async () => {
  for (const [at, name] of names.entries()) {
    const answer = await service.post('/api/v1/query', {
      cypher: `${FIND_PERSON}\nRETURN person.identity AS id`,
      parameters: { person: name },
    });
    expect([name, (answer.body as { value: { rows: unknown } }).value.rows]).toEqual([
      name,
      [[`u${at}`]],
    ]);
  }
});
