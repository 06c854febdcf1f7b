import * as TE from 'fp-ts/TaskEither';
import { renderToString } from 'preact-render-to-string';

import type { Context } from '../../../src/context';
import { type Glance, glanceAt } from '../../../src/features/console/overview/findings';
import { type News, Overview } from '../../../src/features/console/pages/find/news';
import type { Failure } from '../../../src/problem';
import { type AccessThen, accessMemoryOf, interfaceOf } from '../../../src/questions/contract';
import type { Asking } from '../../../src/web/lists/listed';

type Interface = ReturnType<typeof interfaceOf>;
type Memory = ReturnType<typeof accessMemoryOf>;
type Asked = Readonly<Record<string, unknown>>;

const TOO_LARGE: Failure = { _tag: 'TooLarge', message: 'The answer needs more than 30 seconds.' };
const NO_MEMORY: Failure = { _tag: 'Unavailable', message: 'The graph needs more memory.' };

type Held = Pick<AccessThen, 'turns' | 'dropped'> & {
  readonly graph: Pick<AccessThen['graph'], 'relationshipCount'>;
};

const LARGE = { relationshipCount: 50_001 };
const HELD: Held = { turns: 1, dropped: new AbortController().signal, graph: LARGE };

/** An interface that answers so about each of two applications, and what it was asked. */
const interfaceThat = (
  list: (asked: Asked) => Failure | object,
  held: () => Held = () => HELD,
): { readonly context: Context; readonly asked: readonly Asked[] } => {
  const context = {} as Context;
  const then = () => TE.fromIO(held);
  accessMemoryOf.replace(context, () => ({ then }) as unknown as Memory);
  const asked: Asked[] = [];
  const applications = ['wiki', 'crm'].map((id) => ({ id, name: id, provider: null }));
  interfaceOf.replace(
    context,
    () =>
      ({
        entities: {
          search: ({ query: { label } }: Asking) =>
            TE.right(label === 'Application' ? { total: 2, values: applications } : { total: 5 }),
        },
        kindCounts: (labels: readonly string[]) =>
          TE.right(Object.fromEntries(labels.map((label) => [label, 2]))),
        access: {
          list: ({ query }: Asking) => {
            asked.push(query);
            const answer = list(query);
            return '_tag' in answer ? TE.left(answer) : TE.right({ resource: {}, ...answer });
          },
        },
      }) as unknown as Interface,
  );
  return { context, asked };
};

const glanceIn = async (context: Context): Promise<Glance> => {
  const found = await glanceAt(context)();
  if (found._tag === 'Left') throw new Error(JSON.stringify(found.left));
  return found.right;
};

/** What the overview sees of such an interface. */
const glance = async (
  list: (asked: Asked) => Failure | object,
): Promise<{ readonly glance: Glance; readonly asked: readonly Asked[] }> => {
  const { context, asked } = interfaceThat(list);
  return { glance: await glanceIn(context), asked };
};

const shown = (of: Glance): string => {
  const failed = { first: [], total: 0 };
  const news = { stale: [], failed, sources: [{}], days: [], pushes: [], uncounted: 0 };
  return renderToString(
    Overview({ of: { ...news, glance: of } as unknown as News, administers: false }),
  );
};

const NOBODY = { values: [], total: 0, people: 0, counts: { privileged: 0, inactive: 0 } };
const COUNTS = { privileged: 0, inactive: 0, guest: 0, without_user: 0 };

test('of lists that were all answered without a row the overview says that there is nothing', async () => {
  const { glance: of, asked } = await glance(() => ({ ...NOBODY, counts: COUNTS }));
  expect([of.unanswered, of.isAtLeast, asked.length]).toEqual([[], false, 2]);
  expect(shown(of)).toContain('Nothing: no inactive');
});

// It said that nothing is wrong, although it had looked at nothing.
test.each([TOO_LARGE, NO_MEMORY])(
  'of lists that nobody answers it says that it could not look: %j',
  async (failure) => {
    const { glance: of, asked } = await glance(() => failure);
    // A list that fails may have needed long.
    expect(asked).toHaveLength(2);
    expect(of.unanswered.map(({ name }) => name)).toEqual(['wiki', 'crm']);
    const html = shown(of);
    expect(html).not.toContain('Nothing: no inactive');
    expect(html).toContain('could not look at all of');
    expect(html).toMatch(/at least <span class="big">0<\/span> people are privileged/);
  },
);

test('a list of one application that nobody answers hides no other', async () => {
  const { glance: of } = await glance(({ resource, counts, mark }) => {
    if (counts === 'true') return { ...NOBODY, counts: { ...COUNTS, inactive: 2 } };
    if (resource === 'crm') return TOO_LARGE;
    return { values: [{ name: 'ann' }], total: mark === 'inactive' ? 2 : 0, people: 0 };
  });
  expect(of.findings.map(({ count, application }) => [count, application?.id])).toEqual([
    [2, 'wiki'],
  ]);
  expect(of.unanswered.map(({ id }) => id)).toEqual(['crm']);
});

test('privileged people of whom an answer has only the first are at least as many', async () => {
  const { glance: of, asked } = await glance(({ counts, permission_type, mark }) => {
    if (counts === 'true') return { ...NOBODY, counts: { ...COUNTS, privileged: 3 } };
    return permission_type === 'privileged' && mark === undefined
      ? { values: ['a', 'b'].map((id) => ({ id, person: true })), total: 3, people: 3 }
      : NOBODY;
  });
  expect([of.privileged, of.isAtLeast, of.unanswered]).toEqual([2, true, []]);
  expect(asked.length).toBeGreaterThan(2);
  expect(shown(of)).toMatch(/at least <span class="big">2<\/span> people are privileged/);
});

// Before, the number led nowhere.
test.each([
  ['one list has all of them', 1, 2, true],
  ['the list of its application has others too', 1, 3, false],
  ['they are in two applications', 2, 2, false],
])(
  'the number of privileged people leads to a list only if %s',
  async (_, places, total, leads) => {
    const { glance: of } = await glance(({ counts, permission_type, mark, resource }) => {
      if (places === 1 && resource === 'crm') return { ...NOBODY, counts: COUNTS };
      if (counts === 'true') return { ...NOBODY, counts: { ...COUNTS, privileged: total } };
      return permission_type === 'privileged' && mark === undefined
        ? { values: ['a', 'b'].map((id) => ({ id, person: true })), total, people: 2 }
        : NOBODY;
    });
    const html = shown(of);
    expect(/<a href="[^"]*permission_type[^"]*"><span class="big">2</.test(html)).toBe(leads);
    const lists = [...html.matchAll(/<a href="([^"]*)"><bdi[^>]*>(wiki|crm)<\/bdi> ([^<]*)/g)];
    expect(lists).toHaveLength(places);
    for (const [, href, , rows] of lists) {
      expect(href).toMatch(/\?permission_type=privileged$/);
      expect(rows).toBe(total === 2 ? '2' : '2 and 1 other');
    }
  },
);

// Before, the page counted the others, and led nowhere.
test('findings that weigh less are counted, and open in place', async () => {
  const { glance: of } = await glance(() => ({ ...NOBODY, counts: COUNTS }));
  const finding = (rank: number): Glance['findings'][number] => ({
    rank,
    count: 1,
    words: 'is so',
    names: [{ name: 'ann', provider: null, href: '/console/people/ann' }],
    href: `/console/${rank}`,
    application: { id: 'wiki', name: 'wiki', provider: null },
  });
  const ten = { ...of, findings: Array.from({ length: 10 }, (_, rank) => finding(rank)) };
  const html = shown(ten);
  expect(html).toMatch(/<details><summary>2 more findings, which weigh less<\/summary>/);
  const [first = '', others = ''] = html.split('<details>');
  for (let rank = 0; rank < 10; rank += 1) {
    expect((rank < 8 ? first : others).includes(`<a href="/console/${rank}"><b>1</b>`)).toBe(true);
  }
  expect(html).toContain('<a href="/console/people/ann"><bdi dir="auto">ann</bdi></a>');
  const nine = shown({ ...ten, findings: ten.findings.slice(0, 9) });
  expect(nine).toContain('1 more finding, which weighs less');
  expect(nine).toContain('<a href="/console/resources/wiki">');
  expect(shown({ ...ten, findings: ten.findings.slice(0, 8) })).not.toContain('more finding');
});

/** Two glances of which each question takes so long, the second so much later; what is held then. */
const twice = async (
  each: number,
  later: number,
  second: Partial<Held>,
): Promise<{ readonly questions: readonly number[]; readonly glance: Glance }> => {
  const now = jest.spyOn(performance, 'now').mockReturnValue(0);
  try {
    const dropped = new AbortController();
    let held: Held = { turns: 1, dropped: dropped.signal, graph: second.graph ?? LARGE };
    const { context, asked } = interfaceThat(
      () => {
        now.mockReturnValue(performance.now() + each);
        return { ...NOBODY, counts: COUNTS };
      },
      () => held,
    );
    await glanceIn(context);
    const first = asked.length;
    now.mockReturnValue(performance.now() + later);
    if (second.dropped?.aborted === true) dropped.abort();
    held = { ...held, ...second };
    const again = await glanceIn(context);
    return { questions: [first, asked.length - first], glance: again };
  } finally {
    now.mockRestore();
  }
};

// While pushes went on, each opening of the overview waited for all lists anew: 6 s on a million elements.
test('a glance that takes long is shown again for a while, and says of when it is', async () => {
  const { questions, glance: of } = await twice(1_000, 5_000, { turns: 2 });
  expect([questions, typeof of.takenAt]).toEqual([[2, 0], 'string']);
  expect(shown(of)).toMatch(/Counted at <time/);
});

test.each([
  ['took no second', [400, 10, { turns: 2 }]],
  // A busy machine made it long: a list that was pushed a second before was missing on the overview.
  ['is of a small graph', [1_000, 10, { turns: 2, graph: { relationshipCount: 50_000 } }]],
  ['is older than ten times what it took', [1_000, 20_000, { turns: 2 }]],
  ['is older than a minute', [20_000, 60_000, { turns: 2 }]],
  [
    'is of a graph from which somebody may be erased',
    [1_000, 10, { dropped: AbortSignal.abort() }],
  ],
] as const)('a glance is taken again if the last one %s', async (_, [each, later, second]) => {
  const { questions, glance: of } = await twice(each, later, second);
  expect([questions, of.takenAt]).toEqual([[2, 2], null]);
});

test('a glance that is shown again has everything if nothing was committed since', async () => {
  const { questions, glance: of } = await twice(1_000, 5_000, {});
  expect([questions, of.takenAt]).toEqual([[2, 0], null]);
});

test('a number says how it differs from that of a week ago', async () => {
  const { glance: of } = await glance(() => ({ ...NOBODY, counts: COUNTS }));
  const counts = { users: 1_005, accounts: 2, groups: 1, applications: 1 };
  const before = { ...counts, users: 3, accounts: 4 };
  const html = shown({ ...of, counts, before });
  expect(html).toMatch(
    />1,005<\/span><\/a> directory users<span class="under"> \+1,002 this week</,
  );
  expect(html).toMatch(/>2<\/span><\/a> accounts<span class="under"> −2 this week</);
  const same = shown({ ...of, counts, before: counts });
  expect(same).toMatch(/directory users<span class="under"> no change this week</);
  expect(shown({ ...of, counts, before: null })).not.toMatch(/users<span[^<]*this week/);
});
