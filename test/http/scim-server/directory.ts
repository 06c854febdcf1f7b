import type supertest from 'supertest';

import type { RegisteredIds, ServiceUnderTest } from '../service-under-test';

/** What an answer of SCIM tells. */
export interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, unknown>>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

/** Sends a request and reads its answer, whose media type supertest does not know. */
export const readScim = async (sent: supertest.Test): Promise<Answered> => {
  const answer = await sent.buffer(true).parse((res, done) => {
    let text = '';
    res.on('data', (piece: Buffer) => (text += piece.toString('utf8')));
    res.on('end', () => done(null, text === '' ? {} : (JSON.parse(text) as unknown)));
  });
  return {
    status: answer.status,
    headers: answer.headers,
    body: answer.body as Readonly<Record<string, unknown>>,
  };
};

/** A data source as an identity provider sees it. */
export interface ScimSource {
  readonly source: RegisteredIds;
  readonly base: string;
  readonly send: (method: Method, path: string, body?: object) => Promise<Answered>;
}

/** Registers an identity provider that pushes over SCIM. */
export const scimSource = async (service: ServiceUnderTest): Promise<ScimSource> => {
  const source = await service.register('identity_provider');
  const base = `/scim/v2/${source.data_source_id}`;
  return {
    source,
    base,
    send: (method, path, body) => readScim(service.send(method, `${base}${path}`, body)),
  };
};

/** The digest of a data source: it covers every row, and no id of a data source (docs/rules.md: Digests). */
export const digestOf = async (
  service: ServiceUnderTest,
  { path }: RegisteredIds,
): Promise<unknown> => {
  const answer = await service.send('get', path.replace(/:push$/, ''));
  return (answer.body as { value: { digest: unknown } }).value.digest;
};

/** The digest that a whole push of a payload gives, from a provider of the same name. */
export const digestOfWhole = async (
  service: ServiceUnderTest,
  { id }: RegisteredIds,
  payload: object,
): Promise<unknown> => digestOf(service, await pushedWhole(service, { id }, payload));

/** Pushes a whole payload to a data source of its own, from a provider of the same name. */
export const pushedWhole = async (
  service: ServiceUnderTest,
  { id }: Pick<RegisteredIds, 'id'>,
  payload: object,
): Promise<RegisteredIds> => {
  const told = await service.send('get', `/api/v1/providers/custom/${id}`);
  const { name } = (told.body as { value: { name: string } }).value;
  const whole = await service.register('identity_provider');
  const pushed = await service.post(whole.path, {
    id: whole.id,
    data_source_id: whole.data_source_id,
    json_data: JSON.stringify({ ...payload, name }),
  });
  expect({ status: pushed.status, told: pushed.status === 200 ? '' : pushed.text }).toEqual({
    status: 200,
    told: '',
  });
  return whole;
};
