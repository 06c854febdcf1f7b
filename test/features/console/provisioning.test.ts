/** @more pages */
import { sessionsOf } from '../../../src/features/sign-in/contract';
import { SESSION_COOKIE } from '../../../src/web/admission/visitor';
import { Browser } from '../../http/browser-session';
import { type PolicyStage, type PolicyWorld, policyWorld, user } from '../../http/policy-stage';
import { isWrite } from '../../scim/misbehaving-server';
import { expectPlainPage } from './page-parts';
import { plain } from './page-rows';

const NAME = '</td><script>alert(1)</script>';

let world: PolicyWorld;
let stage: PolicyStage;
/** The page of the data source to which the application is imported. */
let path: string;

/** A browser of somebody with a role. */
const somebody = async (role: 'administrator' | 'auditor' | 'analyst'): Promise<Browser> => {
  const opened = await sessionsOf(world.service.context).open(
    { subject: `person:${role}`, name: role, role, person: null, address: null },
    new Map(),
    'r',
    [],
  )();
  if (opened._tag === 'Left') throw new Error(opened.left.message);
  const one = new Browser(world.service.app);
  one.cookies.set(SESSION_COOKIE, opened.right.token);
  return one;
};

const page = async (one: Browser): Promise<string> => {
  const { status, text } = await one.get(path);
  expect(status).toBe(200);
  return text;
};

type Json = Readonly<Record<string, unknown>>;

const told = async (of: string): Promise<unknown> => {
  const { status, body } = await stage.send('get', of);
  expect(status).toBe(200);
  return body.value ?? body.values;
};

beforeAll(async () => {
  world = await policyWorld();
  stage = await world.stage();
  const scim = stage.path.replace(/policies$/, 'scim');
  await stage.send('put', `${scim}/import`, {});
  const settings = (await told(`${scim}/import`)) as Json;
  path = `/console/sources/${String(settings.data_source_id)}`;
});
afterAll(() => world.close());

test('a provider without policies, imports and actions shows nothing of them', async () => {
  const { service } = world;
  const { data_source_id } = await service.register();
  const { text } = await (
    await somebody('administrator')
  ).get(`/console/sources/${data_source_id}`);
  expect(text).not.toContain('id="provisioning"');
});

test('administrators see policies, imports and actions that are not done, as the interface has them', async () => {
  const { application, service } = world;
  await stage.push({ users: [user('ann', { full_name: 'Ann' })] });
  expect((await stage.policy({ name: NAME, who: [stage.everybody] })).status).toBe(200);
  application.misdeed = (got, res, next) =>
    isWrite(got) ? res.writeHead(400).end(JSON.stringify({ detail: NAME })) : next();
  await stage.run();
  application.misdeed = (_got, res) => res.writeHead(401).end('{}');
  await service.post(`${stage.path.replace(/policies$/, 'scim')}:import`, {});
  application.misdeed = null;

  const html = await page(await somebody('administrator'));
  expectPlainPage(html);
  const section = plain(
    /<section aria-labelledby="provisioning">.*?<\/section>/s.exec(html)?.[0] ?? '',
  );
  const policies = (await told(stage.path)) as readonly Json[];
  expect(policies.map(({ name }) => name)).toEqual([NAME]);
  for (const { name, state } of policies) {
    expect(section).toContain(`${String(name)}</bdi>`);
    expect(section).toContain(`<span class="kind">${String(state)}</span>`);
  }
  const actions = (await told(`${stage.path}:actions?status=FAILED`)) as readonly (Json & {
    readonly problem: Json;
  })[];
  expect(actions).toHaveLength(1);
  for (const { kind, why, problem } of actions) {
    for (const part of [kind, why, problem.code, problem.message]) {
      expect(section).toContain(String(part));
    }
  }
  expect(section).toContain('>failed</td>');
  expect(section.match(/<td data-name="Whom">.*?<\/td>/s)?.[0]).toMatch(
    /<a href="\/console\/people\/[^"]+"><bdi[^>]*>ann<\/bdi>/,
  );
  const imported = (await told(`${stage.path.replace(/policies$/, 'scim')}/import`)) as {
    readonly last: { readonly outcome: string; readonly problem: Json };
  };
  expect(imported.last.outcome).toBe('failed');
  expect(section).toContain(`<code>${String(imported.last.problem.code)}</code>`);
});

describe('the failures of imports and actions are on the lists of', () => {
  const id = (): string => path.replace('/console/sources/', '');
  const shown = async (role: 'administrator' | 'auditor' | 'analyst', address: string) => {
    const { status, text } = await (await somebody(role)).get(address);
    expect(status).toBe(200);
    return text;
  };
  const rowsIn = (html: string): string =>
    [...html.matchAll(/<(tr|li)>.*?<\/\1>/gs)]
      .map(([row]) => row)
      .filter((row) => row.includes(id()))
      .join('\n')
      .replaceAll(/<[^>]*>/g, '');

  // A run that failed was on the page of its data source alone.
  test.each([
    ['Sources', '/console/sources'],
    ['Sources, narrowed', '/console/sources?troubled=true'],
    ['Find', '/console'],
  ])('%s, for administrators', async (_, address) => {
    const html = await shown('administrator', address);
    expect(html).toContain(`href="${path}#provisioning"`);
    expect(rowsIn(html)).toContain('1 import, 1 action');
    for (const role of ['auditor', 'analyst'] as const) {
      const other = await shown(role, address);
      expect(other).not.toContain('#provisioning');
      expect(rowsIn(other)).not.toMatch(/\d import|\d action/);
    }
  });
});

test.each(['auditor', 'analyst'] as const)('an %s sees nothing of them', async (role) => {
  const html = await page(await somebody(role));
  for (const part of ['provisioning', 'Policies', 'Actions that are not done', 'alert(1)']) {
    expect(html).not.toContain(part);
  }
});
