/** @more commands */

import { readFileSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { company, placesIn } from '../../src/demo/company';
import type { PushAnswer } from '../../src/demo/connector';
import { askHistory, type PastAnswers, printHistory } from '../../src/demo/history';
import { type Answers, askAll, printAnswers } from '../../src/demo/questions';
import { terminalOn } from '../../src/demo/terminal';
import { ask, type Answer } from '../../src/neo4j/ask';
import { type Access, answersThatChange, effectiveAccess } from '../mirror/access';
import type { Graph as MirrorGraph } from '../mirror/graph';
import { Mirror } from '../mirror/mirror';
import { type DemoService, pushCompany, startDemoService } from './service';

const ROOT = join(__dirname, '../..');
const EXAMPLES = join(ROOT, 'examples/company');
const QUERIES = join(ROOT, 'cypher/queries');

let demo: DemoService;
let first: readonly PushAnswer[];
let answers: Answers;
let past: PastAnswers;

const memory = (): string => join(demo.folder, 'demo.json');

const texts = (value: unknown): readonly string[] => value as readonly string[];
const column = (rows: readonly Answer[], name: string): readonly string[] =>
  rows.map((row) => String(row[name]));

beforeAll(async () => {
  demo = await startDemoService();
  first = await pushCompany(demo);
  answers = await askAll(demo.graph, QUERIES);
  past = await askHistory(demo.graph, QUERIES);
});

afterAll(() => demo.stop());

describe('the answers', () => {
  /** Those who can write, but the employees whose accounts can. */
  const writers = (): Answers['writers'] =>
    answers.writers.filter(({ label }) => label !== 'Employee');
  const waysOf = (who: string): readonly string[] =>
    texts(writers().find((row) => row.who === who)?.through ?? []);

  test.each([
    [
      'by a role, by a team of the directory and by a local team',
      'Nadia Haddad',
      [
        'Nadia Haddad → nadia.haddad@halden.example → nhaddad → Maintainer on motor-control',
        'Nadia Haddad → Firmware Maintainers → firmware maintainers → firmware-team → Developer on Firmware',
        'Nadia Haddad → nadia.haddad@halden.example → nhaddad → release-crew → Push tag on motor-control',
      ],
    ],
    [
      'by a role on the whole application',
      'Priya Raman',
      ['Priya Raman → priya.raman@halden.example → praman → Maintainer on Forge'],
    ],
    [
      'as the source identity of a guest',
      'Dana Whitlock at Birchwood',
      [
        'Dana Whitlock at Birchwood → Dana Whitlock → dana.whitlock@halden.example → dwhitlock → Developer on motor-control',
      ],
    ],
    [
      'by an app that assumes a cloud role',
      'Wanjiru Kamau',
      [
        'Wanjiru Kamau → Release Console → arn:aws:iam::403900112233:role/release-publisher → Release Publisher → Push tag on motor-control',
      ],
    ],
    [
      'by a typed permission that is granted directly',
      'Build Robot',
      ['Build Robot → build-robot → ci-runner → Force push on motor-control'],
    ],
    [
      'as a resource that is connected to a role',
      'release-pipeline',
      ['release-pipeline → Release Publisher → Push tag on motor-control'],
    ],
  ])('say who can write %s', (_how, who, ways) => {
    expect([...waysOf(who)].sort()).toEqual([...ways].sort());
  });

  test('mark those who are inactive', () => {
    const inactive = writers().filter(({ marks }) => texts(marks).includes('inactive'));
    expect(column(inactive, 'who')).toEqual(['Jonas Eklund', 'jeklund']);
  });

  test('say that employees can write what their accounts can', () => {
    const employees = answers.writers.filter(({ label }) => label === 'Employee');
    const users = writers().filter(({ label, key }) => {
      return label === 'IdpUser' && !/ext\.|robot|bw-/.test(String(key));
    });
    expect(column(employees, 'who')).toEqual(column(users, 'who'));
    expect(employees[0]?.through).toEqual(
      texts(users[0]?.through ?? []).map((way) => `${String(users[0]?.who)} → ${way}`),
    );
  });

  test('list the access that no person has', () => {
    expect(column(answers.orphans, 'account')).toEqual([
      'Deal Assistant',
      'Deal Assistant key',
      'Deirdre K.',
      'Patchwright',
      'ci-runner',
      'clientbook-sync',
      'forge-admin',
      'former.contractor@oakline.example',
      'invoice-sync',
      'jdoe',
      'motor-control deploy key',
      'temp-intern',
    ]);
  });

  test('name the reviewers, those who left last', () => {
    expect(column(answers.reviewers, 'reviewer')).toEqual([
      'Nadia Haddad',
      'Security Team',
      'Jonas Eklund',
    ]);
  });

  test('are printed plainly where there is no terminal', () => {
    const written: string[] = [];
    printAnswers(terminalOn({ write: (text) => written.push(text) }, {}), answers);
    const text = written.join('');
    expect(text).toContain('Who can write to Firmware.motor-control, and through what?');
    expect(text).toContain('former.contractor@oakline.example, identity');
    // eslint-disable-next-line no-control-regex
    expect(text).not.toMatch(/\u001b/);
  });
});

describe('the answers about the weeks before', () => {
  const shown = (rows: readonly Answer[], ...columns: readonly string[]): readonly string[] =>
    rows.map((row) => columns.map((name) => String(row[name])).join(' '));

  test('tell what a mover gained and lost', () => {
    expect(shown(past.changes, 'what', 'who', 'relationship', 'gained')).toEqual([
      'gained Amara Nwosu MEMBER_OF Firmware Maintainers',
      'lost Amara Nwosu MEMBER_OF Platform Team',
    ]);
  });

  test('tell who was in a group that changed hands, and who is', () => {
    expect(shown(past.members.then, 'member')).toEqual(['Lena Hofmann']);
    expect(shown(past.members.now, 'member')).toEqual(['Freya Dahl', 'Samuel Achterberg']);
  });

  test('tell who could administer an application, and who can', () => {
    expect(shown(past.administrators.then, 'who')).toEqual(['Omar F.', 'Omar Farouk']);
    expect(shown(past.administrators.now, 'who')).toEqual(['Idris B.', 'Idris Bello']);
  });

  test('are printed with the moment at which to ask', () => {
    const written: string[] = [];
    printHistory(terminalOn({ write: (text) => written.push(text) }, {}), past);
    const text = written.join('');
    expect(text).toContain('then  Lena Hofmann\n');
    expect(text).toContain(`The first week was over at ${past.firstWeek}`);
  });
});

describe('the rule book', () => {
  let graph: MirrorGraph;
  let access: Access;

  beforeAll(async () => {
    const mirror = new Mirror();
    const places = await placesIn(memory());
    for (const source of company) {
      const payload: unknown = JSON.parse(readFileSync(join(EXAMPLES, source.file), 'utf8'));
      const { dataSource: id = '' } = places.find(source) ?? {};
      mirror.accept(
        { id, provider: source.provider, template: source.template },
        payload,
        '2026-11-20T00:00:00Z',
      );
    }
    graph = mirror.graph();
    access = effectiveAccess(graph);
  });

  test.each(['DataWrite', 'DataRead', 'NonData', 'MetadataCreate', 'Uncategorized'])(
    'gives the same %s access to each resource as the query',
    async (type) => {
      const query = readFileSync(
        join(QUERIES, 'access/who-can-write-to-a-resource.cypher'),
        'utf8',
      );
      const targets = graph.nodes.filter(({ label }) =>
        ['Resource', 'Application'].includes(label),
      );
      for (const { key } of targets) {
        const rows = await ask(demo.graph, query.replace("['DataWrite']", `['${type}']`), {
          resource: key,
        });
        const found = rows.flatMap((row) =>
          texts(row.permissions).map((permission) => `${String(row.key)} ${permission}`),
        );
        const expected = [...access].flatMap(([who, on]) =>
          [...(on.get(key) ?? [])]
            .map((held) => JSON.parse(held) as [string, readonly string[]])
            .filter(([, types]) => types.includes(type))
            .map(([permission]) => `${who} ${permission}`),
        );
        expect([...found].sort()).toEqual([...new Set(expected)].sort());
      }
    },
  );

  test('matters to the company in each rule of effective access', () => {
    const idle = [...answersThatChange(graph)].filter(([, changed]) => changed === 0);
    expect(idle.map(([rule]) => rule)).toEqual([]);
  });

  test('gives access to all whose access has no person', () => {
    for (const { key } of answers.orphans) expect(access.get(String(key))?.size).toBeGreaterThan(0);
  });
});

describe('another run', () => {
  const unchangedRun = async (): Promise<void> => {
    const outcomes = await pushCompany(demo);
    expect(outcomes.map(({ unchanged }) => unchanged)).toEqual(company.map(() => true));
    expect(await askAll(demo.graph, QUERIES)).toEqual(answers);
    expect(await askHistory(demo.graph, QUERIES)).toEqual(past);
  };

  test('changes nothing and gives the same answers', async () => {
    // Of the partner's directory nothing has changed in three weeks.
    expect(first.map(({ unchanged }) => unchanged)).toEqual(
      company.map(({ file }) => file === 'partner-directory.json'),
    );
    await unchangedRun();
  });

  test('finds its data sources again after it forgot them', async () => {
    await rm(memory());
    await unchangedRun();
  });

  test('copes with a memory that is broken', async () => {
    await writeFile(memory(), '{"Forge": 7');
    await unchangedRun();
  });

  test('copes with a memory of another graph', async () => {
    const gone = '00000000-0000-4000-8000-000000000000';
    const places = company.map(({ provider }) => [provider, { provider: gone, dataSource: gone }]);
    await writeFile(memory(), JSON.stringify(Object.fromEntries(places)));
    await unchangedRun();
  });
});
