import type { ServiceUnderTest } from '../service-under-test';

/** An item of a review, as a decision names it. */
export interface NamedItem {
  readonly number: number;
  readonly digest: string;
}

interface Planned {
  readonly token: string;
  readonly sources: readonly {
    readonly data_source: string;
    readonly is_stale: boolean;
    readonly has_failed: boolean;
  }[];
}

/** What opens a draft. */
interface Opening {
  readonly token: string;
  readonly acknowledged: readonly { readonly data_source: string; readonly reason: string }[];
}

const sent = async <A>(service: ServiceUnderTest, path: string, body?: object): Promise<A> => {
  const method = body === undefined ? 'get' : 'post';
  const answer = await service.send(method, `/api/v1/reviews${path}`, body);
  expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)]);
  return answer.body as A;
};

/** Drafts and plans a review of what one person holds, which another one owns. */
export const draftAbout = async (
  service: ServiceUnderTest,
  owner: string,
  holder: string,
): Promise<{ readonly id: string; readonly plan: Opening }> => {
  const { value } = await sent<{ value: { review: { id: string } } }>(service, '', {
    name: 'What somebody holds',
    owner,
    fallback: owner,
    due: '2099-01-01T00:00:00Z',
    scope: { people: [holder] },
  });
  const { id } = value.review;
  const { value: plan } = await sent<{ value: Planned }>(service, `/${id}:plan`, {});
  const acknowledged = plan.sources
    .filter(({ is_stale, has_failed }) => is_stale || has_failed)
    .map(({ data_source }) => ({ data_source, reason: 'a test' }));
  return { id, plan: { token: plan.token, acknowledged } };
};

/** Opens a review of what one person holds, in which another one owns and reviews everything. */
export const reviewedBy = async (
  service: ServiceUnderTest,
  reviewer: string,
  holder: string,
): Promise<{ readonly id: string; readonly items: readonly NamedItem[] }> => {
  const { id, plan } = await draftAbout(service, reviewer, holder);
  await sent(service, `/${id}:open`, plan);
  const { values } = await sent<{ values: readonly NamedItem[] }>(service, `/${id}/items`);
  const numbers = values.map(({ number }) => number);
  const given = { on_behalf_of: reviewer, to: reviewer, items: numbers, reason: 'a test' };
  await sent(service, `/${id}:reassign`, given);
  return { id, items: values };
};
