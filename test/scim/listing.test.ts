import { listResources } from '../../src/scim/client/paging';
import { Random } from '../hardening/random';
import { sized } from '../support/test-size';
import { act } from './acting';
import { first, type MisbehavingServer, misbehavingServer } from './misbehaving-server';

let server: MisbehavingServer;

beforeAll(async () => {
  server = await misbehavingServer();
});
afterAll(() => server.close());
beforeEach(() => server.reset());

const given = (count: number): void => {
  for (let id = 0; id < count; id += 1) server.users.set(`u${id}`, { id: `u${id}` });
};

const read = (page_size = 100) =>
  act(
    server.base,
    async ({ exchange, can }) => {
      const ids: string[] = [];
      for await (const one of listResources(exchange, can, { endpoint: '/Users' })) {
        ids.push(String(one.id));
      }
      return ids;
    },
    { profile: { page_size }, limits: { pages: 200 } },
  );

type Total = (all: number, page: number, place: number) => number | undefined;

/** What servers write as `totalResults`. */
const TOTALS: Readonly<Record<string, Total>> = {
  'of all': (all) => all,
  'of the page': (_all, page) => page,
  missing: () => undefined,
  'with phantoms': (all) => all + 3,
  'too small': (all) => Math.floor(all / 2),
  moving: (all, _page, place) => all + place,
};

const withTotal =
  (total: Total): MisbehavingServer['misdeed'] =>
  (got, res, next) => {
    const end = res.end.bind(res);
    res.end = ((text: string) => {
      const body = JSON.parse(text) as { Resources?: unknown[] };
      const place = Number(/startIndex=(\d+)/.exec(got.path)?.[1] ?? 1);
      const told = total(server.users.size, body.Resources?.length ?? 0, place);
      return end(JSON.stringify({ ...body, totalResults: told }), 'utf8');
    }) as typeof res.end;
    next();
  };

const SEED = Number(process.env.PROPERTY_SEED ?? 5);
const ROUNDS = sized(60, 2_000);

test(`${ROUNDS} lists with random totals, pages and changes are read whole`, async () => {
  const random = new Random(SEED);
  const counts: Record<string, number> = {};
  for (let round = 0; round < ROUNDS; round += 1) {
    const [kind, total] = random.pick(Object.entries(TOTALS));
    const page = 1 + random.below(7);
    server.reset({ page, paging: random.happens(0.2) ? 'cursor' : 'index' });
    given(random.below(25));
    const totals = withTotal(total);
    const isChanging = random.happens(0.4) && server.users.size > 0;
    const before = [...server.users.keys()];
    server.misdeed = (got, res, next) => {
      if (!got.path.includes('/Users')) return next();
      // Somebody adds an account, or takes one away, while the pages are read.
      if (isChanging && random.happens(0.3)) {
        if (random.happens(0.5)) server.users.set(`n${round}`, { id: `n${round}` });
        else server.users.delete(random.pick(before));
      }
      totals?.(got, res, next);
    };
    const { result, fault } = await read(1 + random.below(7));
    counts[kind] = (counts[kind] ?? 0) + 1;
    if (isChanging) continue;
    expect([kind, fault?.code ?? null]).toEqual([kind, null]);
    expect([kind, [...new Set(result)].sort()]).toEqual([kind, before.sort()]);
    expect(result?.length).toBe(before.length);
  }
  expect(Object.keys(counts).sort()).toEqual(Object.keys(TOTALS).sort());
});

test('an account is not lost where another one is deleted between two pages', async () => {
  given(12);
  server.misdeed = first(
    1,
    ({ path }) => path.includes('startIndex=6'),
    (_got, _res, next) => {
      server.users.delete('u1');
      next();
    },
  );
  expect((await read(5)).result).toContain('u5');
});

test('cursors are read where a profile says so', async () => {
  server.reset({ page: 2, paging: 'cursor' });
  given(5);
  server.misdeed = ({ path }, res, next) =>
    path.includes('ServiceProviderConfig') ? res.writeHead(404).end() : next();
  const { result } = await act(
    server.base,
    async ({ exchange, can }) => {
      const ids: unknown[] = [];
      for await (const { id } of listResources(exchange, can, { endpoint: '/Users' })) ids.push(id);
      return ids;
    },
    { profile: { paging: 'cursor' } },
  );
  expect(result).toHaveLength(5);
  expect(server.got.some(({ path }) => path.includes('cursor=4'))).toBe(true);
});

test('a list that ends early with 404 is not taken for whole', async () => {
  given(12);
  server.misdeed = ({ path }, res, next) =>
    path.includes('startIndex=6') ? res.writeHead(404).end() : next();
  expect((await read(5)).fault?.code).toBe('NOT_WHOLE');
});

test('a page past the end that is refused is the end', async () => {
  given(10);
  server.misdeed = ({ path }, res, next) =>
    path.includes('startIndex=11') ? res.writeHead(400).end() : next();
  expect((await read(5)).result).toHaveLength(10);
});

test('a busy list is asked four times', async () => {
  server.misdeed = ({ path }, res, next) =>
    path.includes('/Users') ? res.writeHead(429, { 'retry-after': '0' }).end() : next();
  expect((await read()).fault?.code).toBe('BUSY');
  expect(server.got.filter(({ path }) => path.includes('/Users'))).toHaveLength(4);
});

const FORGIVING = { without: 'members', only: 'displayName' } as const;

describe.each(['excludedAttributes', 'attributes', 'count'])(
  'an application that refuses %s',
  (parameter) => {
    const readAll = () =>
      act(
        server.base,
        async ({ exchange, can }) => {
          const lists: string[][] = [];
          for (let time = 0; time < 2; time += 1) {
            const ids: string[] = [];
            for await (const one of listResources(exchange, can, {
              endpoint: '/Users',
              ...FORGIVING,
            })) {
              ids.push(String(one.id));
            }
            lists.push(ids);
          }
          return lists;
        },
        { profile: { page_size: 5 }, limits: { pages: 200 } },
      );
    const refuse = (body: object): void => {
      server.misdeed = ({ path }, res, next) =>
        new RegExp(`/Users.*[?&]${parameter}=`).test(path)
          ? res
              .writeHead(400, { 'content-type': 'application/scim+json' })
              .end(JSON.stringify(body))
          : next();
    };

    test('is read without it, which is remembered', async () => {
      server.reset({ page: 5 });
      given(12);
      refuse({ status: '400', detail: `unknown parameter ${parameter}` });
      const { result, fault } = await readAll();
      expect(fault).toBeNull();
      expect(result?.map((ids) => ids.length)).toEqual([12, 12]);
      const refusals = server.got.filter(({ path }) => path.includes(`${parameter}=`));
      // Only the first page of the first list tries it.
      expect(refusals.length).toBeLessThanOrEqual(3);
      const others = ['excludedAttributes', 'attributes', 'count'].filter(
        (name) => name !== parameter,
      );
      const last = server.got.at(-1)?.path ?? '';
      expect([parameter, ...others].map((name) => new RegExp(`[?&]${name}=`).test(last))).toEqual([
        false,
        true,
        true,
      ]);
    });

    test('because of its filter is not read without it', async () => {
      given(3);
      refuse({ status: '400', scimType: 'invalidFilter' });
      expect((await readAll()).fault?.code).toBe('REFUSED');
    });
  },
);

test('all parameters that an application need not know are left out, if no single one is to blame', async () => {
  given(4);
  server.misdeed = ({ path }, res, next) =>
    /\/Users.*[?&](excludedAttributes|attributes|count)=/.test(path)
      ? res.writeHead(400).end()
      : next();
  const { result, fault } = await act(
    server.base,
    async ({ exchange, can }) => {
      const ids: unknown[] = [];
      for await (const { id } of listResources(exchange, can, {
        endpoint: '/Users',
        ...FORGIVING,
      })) {
        ids.push(id);
      }
      return ids;
    },
    { profile: { page_size: 5 } },
  );
  expect([fault, result?.length]).toEqual([null, 4]);
});

test.each([
  ['with phantoms', [[7, 4]]],
  ['of all', []],
  ['of the page', []],
  ['missing', []],
  ['too small', []],
] as const)('a list that counts more than it shows is reported: totals %s', async (kind, told) => {
  server.reset({ page: 2 });
  given(4);
  server.misdeed = withTotal(TOTALS[kind] as Total);
  const short: number[][] = [];
  await act(
    server.base,
    async ({ exchange, can }) => {
      const listing = {
        endpoint: '/Users',
        onShort: (counted: number, shown: number) => void short.push([counted, shown]),
      };
      for await (const one of listResources(exchange, can, listing)) expect(one.id).toBeDefined();
    },
    { profile: { page_size: 2 } },
  );
  expect(short).toEqual(told);
});
