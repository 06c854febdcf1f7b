import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type RegisteredIds, type ServiceUnderTest, serviceUnderTest } from '../service-under-test';

/** A request of an identity provider, and what the answer must have. */
interface SentStep {
  readonly title: string;
  /** The name by which later steps refer to the id of the answer. */
  readonly as?: string;
  readonly method: string;
  readonly path: string;
  readonly body?: object;
  readonly status: number;
  readonly shows?: object;
  /** Attributes that the answer, or a resource in it, must not have. */
  readonly lacks?: readonly string[];
  readonly ignored?: string;
}

interface Life {
  readonly steps: readonly SentStep[];
  /** What a connector would push in place of all these requests. */
  readonly payload: Readonly<Record<string, unknown>>;
}

const lifeOf = (name: string): Life =>
  JSON.parse(readFileSync(join(__dirname, `../../fixtures/scim/${name}.json`), 'utf8')) as Life;

const digestOf = async (service: ServiceUnderTest, { path }: RegisteredIds): Promise<unknown> => {
  const answer = await service.send('get', path.replace(/:push$/, ''));
  return (answer.body as { value: { digest: unknown } }).value.digest;
};

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

describe.each(['entra', 'okta'])('requests of %s', (name) => {
  const { steps, payload } = lifeOf(name);

  test('are answered as it expects, and end in the graph of a whole push', async () => {
    const source = await service.register('identity_provider');
    const base = `/scim/v2/${source.data_source_id}`;
    const ids = new Map<string, string>();
    const filled = <A>(value: A): A =>
      JSON.parse(
        JSON.stringify(value).replace(/\{\{(\w+)\}\}/g, (_, id: string) => ids.get(id) ?? '?'),
      ) as A;
    for (const step of steps) {
      const { title, as, method, path, body, status, shows = {}, lacks = [], ignored } = step;
      const sent = service.send(
        method.toLowerCase() as 'get',
        `${base}${filled(path)}`,
        body === undefined ? undefined : filled(body),
      );
      const answer = await sent.buffer(true).parse((res, done) => {
        let text = '';
        res.on('data', (piece: Buffer) => (text += piece.toString('utf8')));
        res.on('end', () => done(null, text === '' ? {} : (JSON.parse(text) as unknown)));
      });
      const told = answer.body as Readonly<Record<string, unknown>>;
      expect({ title, status: answer.status, ...told }).toMatchObject({
        ...{ title, status },
        ...filled(shows),
      });
      expect({ title, ignored: answer.headers['grantgraph-ignored-attributes'] }).toEqual({
        title,
        ignored,
      });
      for (const attribute of lacks) expect(JSON.stringify(told)).not.toContain(`"${attribute}"`);
      if (as !== undefined) {
        ids.set(as, String(told.id));
        expect(answer.headers.location).toMatch(`${base}/`);
      }
    }

    const whole = await service.register('identity_provider');
    // The digest covers every row and no id of a data source (docs/rules.md: Digests).
    const after = await service.post(whole.path, {
      ...{ id: whole.id, data_source_id: whole.data_source_id },
      json_data: JSON.stringify({ ...payload, name: await providerName(source.id) }),
    });
    expect(after.status).toBe(200);
    expect(await digestOf(service, source)).toBe(await digestOf(service, whole));
    const verified = await service.post(source.path.replace(/:push$/, ':verify'), undefined);
    expect(verified.body).toMatchObject({ sound: true });
  });
});

const providerName = async (id: string): Promise<string> => {
  const answer = await service.send('get', `/api/v1/providers/custom/${id}`);
  return (answer.body as { value: { name: string } }).value.name;
};
