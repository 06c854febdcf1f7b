/** @more scim */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type ServiceUnderTest, serviceUnderTest } from '../service-under-test';
import { digestOf, digestOfWhole, scimSource } from './directory';

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
  readonly payload: object;
}

const lifeOf = (name: string): Life =>
  JSON.parse(readFileSync(join(__dirname, `../../fixtures/scim/${name}.json`), 'utf8')) as Life;

let service: ServiceUnderTest;
beforeAll(async () => {
  service = await serviceUnderTest();
});
afterAll(() => service.close());

test.each(['entra', 'okta'])(
  'requests of %s are answered as it expects, and end in the graph of a whole push',
  async (name) => {
    const { steps, payload } = lifeOf(name);
    const { source, base, send } = await scimSource(service);
    const ids = new Map<string, string>();
    const filled = <A>(value: A): A =>
      JSON.parse(
        JSON.stringify(value).replace(/\{\{(\w+)\}\}/g, (_, id: string) => ids.get(id) ?? '?'),
      ) as A;
    for (const step of steps) {
      const { title, as, method, path, body, status, shows = {}, lacks = [], ignored } = step;
      const answer = await send(
        method.toLowerCase() as 'get',
        filled(path),
        body === undefined ? undefined : filled(body),
      );
      expect({ title, status: answer.status, told: answer.body }).toMatchObject({
        title,
        status,
        told: filled(shows),
      });
      expect({ title, ignored: answer.headers['grantgraph-ignored-attributes'] }).toEqual({
        title,
        ignored,
      });
      for (const attribute of lacks) {
        expect(JSON.stringify(answer.body)).not.toContain(`"${attribute}"`);
      }
      if (as !== undefined) {
        ids.set(as, String(answer.body.id));
        expect(answer.headers.location).toContain(`${base}/`);
      }
    }
    expect(await digestOf(service, source)).toBe(await digestOfWhole(service, source, payload));
    const verified = await service.post(source.path.replace(/:push$/, ':verify'), undefined);
    expect(verified.body).toMatchObject({ sound: true });
  },
);
