import type { ServiceUnderTest } from '../service-under-test';

/** An item of a review, as a decision names it. */
export interface NamedItem {
  readonly number: number;
  readonly digest: string;
}

interface Plan {
  readonly token: string;
  readonly sources: readonly {
    readonly data_source: string;
    readonly is_stale: boolean;
    readonly has_failed: boolean;
  }[];
}

/** Opens a review of what one person holds, in which another one owns and reviews everything. */
export const reviewedBy = async (
  service: ServiceUnderTest,
  reviewer: string,
  holder: string,
): Promise<{ readonly id: string; readonly items: readonly NamedItem[] }> => {
  const sent = async <A>(path: string, body?: object): Promise<A> => {
    const answer = await service.send(
      body === undefined ? 'get' : 'post',
      `/api/v1/reviews${path}`,
      body,
    );
    expect([path, answer.status, answer.text]).toEqual([path, 200, expect.any(String)]);
    return answer.body as A;
  };
  const { value } = await sent<{ value: { review: { id: string } } }>('', {
    ...{ name: 'What somebody holds', owner: reviewer, fallback: reviewer },
    ...{ due: '2099-01-01T00:00:00Z', scope: { people: [holder] } },
  });
  const { id } = value.review;
  const { value: plan } = await sent<{ value: Plan }>(`/${id}:plan`, {});
  const acknowledged = plan.sources
    .filter(({ is_stale, has_failed }) => is_stale || has_failed)
    .map(({ data_source }) => ({ data_source, reason: 'a test' }));
  await sent(`/${id}:open`, { token: plan.token, acknowledged });
  const { values } = await sent<{ values: readonly NamedItem[] }>(`/${id}/items`);
  const numbers = values.map(({ number }) => number);
  const given = { on_behalf_of: reviewer, to: reviewer, items: numbers, reason: 'a test' };
  await sent(`/${id}:reassign`, given);
  return { id, items: values };
};
