import type { Driver } from 'neo4j-driver';

import type { ExportedAccess } from '../../src/contract/answers/questions/access';
import { EVERYBODY } from '../../src/kit/shared-rules';
import { type AccessRow, rowsOf, type TokenPage } from '../../src/questions/access/access-lists';
import { atOnce } from '../../src/access/pieces';
import type { WayMaterial } from '../../src/access/ways';
import { reasonsIn } from '../../src/questions/access/explanation/reasons';
import {
  pageOfAccess,
  pageOfPeople,
  pageOfPeopleFirst,
  pageOfWho,
} from '../../src/questions/statements/access-pages';
import { PERMISSIONS_BETWEEN } from '../../src/graph/statements/access-statements';
import { EXPLAIN_ACCESS } from '../../src/questions/statements/access-statements';
import { testNeo4j } from '../support/neo4j';
import type { ServiceUnderTest } from '../http/service-under-test';
import { type Access, accessWithContents, effectiveAccess } from '../mirror/access';
import { type AccessFilter, filteredList } from '../mirror/access-filter';
import type { Graph, Node } from '../mirror/graph';
import { People } from '../mirror/people';
import { compareGateways } from './gateway-comparison';
import { PageComparison } from './page-comparison';
import { ReasonCheck, type Line } from './reason-check';
import type { Tally } from './tally';

const MOST_IN_VAIN = 20;
/** How many principals each graph is asked about as humans. */
const HUMANS = 12;

type Held = Readonly<Record<'name', string>> & {
  readonly permission_type: readonly string[];
  readonly accounts?: readonly string[];
};
type Row = Readonly<Record<string, unknown>>;
interface HumanAnswer {
  readonly principal?: { readonly id: string };
  readonly accounts?: readonly { readonly id: string }[];
  readonly values?: readonly Row[];
}
type Told = readonly (readonly [what: string, permissions: readonly string[]])[];

/** The API's own statement, asked for many at once: what was a parameter comes from a list. */
function forEach(statement: string, ...names: readonly string[]): string {
  const inside = names.reduce((text, name) => text.replaceAll(`$${name}`, name), statement);
  const columns = names.map((name, at) => `asked[${at}] AS ${name}`).join(', ');
  return `UNWIND $all AS asked
WITH ${columns}
CALL (${names.join(', ')}) {
${inside}
}
RETURN *`;
}

const rest = {
  filter: {},
  order: 'name',
  is_descending: false,
  after: {},
  names: null,
  permission_type: null,
};

const unnarrowed = { isByPermission: false, contents: false } as const;
const entities = { ...unnarrowed, form: 'entities' } as const;

const statements = {
  of: forEach(pageOfAccess(entities), 'principal'),
  to: forEach(pageOfWho(entities), 'resource'),
  within: forEach(pageOfWho({ ...entities, contents: true }), 'resource'),
  people: forEach(pageOfPeople({ ...unnarrowed, form: 'people' }), 'resource'),
  peopleFirst: forEach(pageOfPeopleFirst({ ...unnarrowed, form: 'people first' }), 'resource'),
  peopleWithin: forEach(
    pageOfPeopleFirst({ ...unnarrowed, form: 'people first', contents: true }),
    'resource',
  ),
  between: forEach(PERMISSIONS_BETWEEN, 'principal', 'resource'),
  explain: forEach(EXPLAIN_ACCESS, 'principal', 'resource'),
};

/** The keys of those from whom a way of the guide's picture leads, for each resource. */
const DRAWN = `UNWIND $all AS asked
WITH asked[0] AS resource
CALL (resource) {
MATCH (target:Entity {key: resource})
${EVERYBODY}
}
UNWIND [nodes(way)[0].key, nodes(connected)[0].key] AS key
RETURN resource, collect(DISTINCT key) AS keys`;

const textOf = ({ name, permission_type }: Held): string => JSON.stringify([name, permission_type]);

const rowsIn = ({ values = [] }: HumanAnswer): ReadonlyMap<string, readonly string[]> =>
  new Map(
    values.map((row) => [
      row.id as string,
      (row.permissions as readonly Held[]).map(textOf).toSorted(),
    ]),
  );

const told = (rows: readonly AccessRow[]): Told =>
  rows
    .map(({ about, permissions }) => [about.id, permissions.map(textOf).toSorted()] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));

/** Everything that the service says of who can do what, beside the mirror's. */
export class AccessComparison {
  private readonly pages: PageComparison;

  constructor(
    private readonly driver: Driver,
    private readonly service: ServiceUnderTest,
    private readonly tally: Tally,
  ) {
    this.pages = new PageComparison(service, tally);
  }

  /** Every principal, every resource, and every pair of both; of one pair also the endpoints' own answers. */
  async compare(graph: Graph, pick: number, overHttp: boolean): Promise<void> {
    const { tally } = this;
    const expected = effectiveAccess(graph);
    // Resources that connect to nobody are nobody either: a few of them tell that.
    const connected = new Set(
      graph.relationships.filter(({ type }) => type === 'CONNECTS_TO').map(({ from }) => from.key),
    );
    const others = graph.nodes.filter(
      ({ label, key }) => label === 'Resource' && !connected.has(key),
    );
    const who = [
      ...graph.nodes.filter(
        ({ key, labels }) => labels.includes('Principal') || connected.has(key),
      ),
      ...others.slice(0, 1),
    ];
    const what = graph.nodes.filter(({ label }) => label === 'Resource' || label === 'Application');
    const held = (a: Node, b: Node): readonly string[] =>
      [...(expected.get(a.key)?.get(b.key) ?? [])].toSorted();

    const all = who.flatMap((a) => what.map((b) => [a, b] as const));
    tally.count('compared', 'pairs', all.length);
    tally.count(
      'compared',
      'pairs with access',
      all.filter(([a, b]) => held(a, b).length > 0).length,
    );

    await tally.time('access by principal', async () => {
      const answers = await this.lists('of', 'principal', who);
      for (const a of who) {
        const wanted = what.map((b) => [b.key, held(a, b)] as const);
        expect([a.key, answers.get(a.key)]).toEqual([a.key, sorted(wanted)]);
      }
    });
    await tally.time('access by resource', async () => {
      const answers = await this.lists('to', 'resource', what);
      for (const b of what) {
        const wanted = who.map((a) => [a.key, held(a, b)] as const);
        expect([b.key, answers.get(b.key)]).toEqual([b.key, sorted(wanted)]);
      }
    });
    await tally.time('pictures of everybody', async () => {
      const { records } = await this.driver.executeQuery(DRAWN, {
        all: what.map(({ key }) => [key]),
      });
      const drawn = new Map(
        records.map((row) => [row.get('resource') as string, row.get('keys') as readonly string[]]),
      );
      for (const b of what) {
        const wanted = who.flatMap((a) => (held(a, b).length > 0 ? [a.key] : []));
        expect([b.key, (drawn.get(b.key) ?? []).toSorted()]).toEqual([b.key, wanted.toSorted()]);
      }
    });
    const within = accessWithContents(graph, expected);
    await tally.time('access with contents', async () => {
      const answers = await this.lists('within', 'resource', what);
      for (const b of what) {
        const wanted = who.map(
          (a) => [a.key, [...(within.get(a.key)?.get(b.key) ?? [])].toSorted()] as const,
        );
        expect([b.key, answers.get(b.key)]).toEqual([b.key, sorted(wanted)]);
        const given = wanted.filter(([, permissions]) => permissions.length > 0);
        tally.count('compared', 'rows with contents', given.length);
        tally.count(
          'compared',
          'rows that only contents give',
          given.filter(([a]) => (expected.get(a)?.get(b.key)?.size ?? 0) === 0).length,
        );
      }
    });
    const people = new People(graph);
    await tally.time('access by person', async () => {
      const labels = new Map(graph.nodes.map(({ key, label }) => [key, label]));
      await this.byPerson('people', people, expected, what, labels);
      await this.byPerson('peopleFirst', people, expected, what, labels);
      await this.byPerson('peopleWithin', people, within, what, labels);
    });
    await tally.time('check', async () => {
      const answers = await this.pairs(all);
      for (const [a, b] of all) {
        expect([a.key, b.key, answers.get(idOf(a, b)) ?? []]).toEqual([a.key, b.key, held(a, b)]);
      }
    });
    const asked = all.filter(([a, b]) => held(a, b).length > 0);
    const inVain = all.filter(([a, b]) => held(a, b).length === 0);
    // Of what gives nothing some suffice: it costs as much as what gives something.
    const from = pick % Math.max(inVain.length - MOST_IN_VAIN, 1);
    const explained = [...asked, ...inVain.slice(from, from + MOST_IN_VAIN)];
    tally.count('compared', 'pairs explained', explained.length);
    await tally.time('explain', () => this.explained(graph, explained, held));
    if (!overHttp) return;
    await tally.time('export', () => this.exported(people, who, what, held));
    await tally.time('gateways', async () => {
      const count = await compareGateways(this.service, graph, people, expected, what);
      tally.count('compared', 'gateways cut', count);
    });
    await tally.time('other gateways', async () => {
      const types = sortedSet(
        graph.nodes
          .filter(({ label }) => label === 'Permission')
          .flatMap(({ properties }) => properties.permission_type as readonly string[]),
      );
      const permissionType = types[pick % Math.max(types.length, 1)] ?? 'DataRead';
      for (const counted of [{ contents: true }, { contents: pick % 2 === 0, permissionType }]) {
        const count = await compareGateways(this.service, graph, people, expected, what, counted);
        const topic =
          'permissionType' in counted ? 'gateways of a type cut' : 'gateways to contents cut';
        tally.count('compared', topic, count);
      }
    });
    const one = asked[pick % Math.max(asked.length, 1)] ?? all[pick % Math.max(all.length, 1)];
    if (one === undefined) return;
    await tally.time('pages', async () => {
      tally.count('compared', 'pages', await this.pages.compare(who, what, one, pick));
    });
    await tally.time('endpoints', () => this.endpoints(one, held));
    await tally.time('filtered lists', () => this.filtered(graph, expected, one, pick));
    await tally.time('humans', () => this.humans(graph, people, expected, pick));
  }

  /** Lists of people, alone and before what no human stands behind. */
  private async byPerson(
    statement: 'people' | 'peopleFirst' | 'peopleWithin',
    people: People,
    expected: Access,
    what: readonly Node[],
    labels: ReadonlyMap<string, string>,
  ): Promise<void> {
    const rows = await this.ask(
      statements[statement],
      what.map(({ key }) => [key]),
    );
    const answers = new Map(
      rows.map((row) => [row.resource as string, rowsOf(row as unknown as TokenPage)]),
    );
    const withoutUser = new Map(rows.map((row) => [row.resource, Number(row.without_user)]));
    for (const { key } of what) {
      const listed = answers.get(key) ?? [];
      const alone = [...people.with(expected, key).keys()].filter((human) =>
        ['LocalUser', 'Identity'].includes(labels.get(human) ?? ''),
      );
      expect([key, withoutUser.get(key)]).toEqual([key, alone.length]);
      const isPerson = listed.map(({ person }) => person);
      expect(isPerson).toEqual(isPerson.toSorted().toReversed());
      const humans = listed
        .filter(({ person }) => person)
        .map(({ about, drawn_together = [] }) => [about.id, drawn_together.toSorted()] as const);
      expect([key, new Map(humans)]).toEqual([key, people.with(expected, key)]);
      const others = listed.filter(({ person }) => !person).map(({ about }) => about.id);
      const wanted = statement === 'people' ? [] : people.nobodyBehind(expected, key);
      expect([key, others.toSorted()]).toEqual([key, wanted]);
      this.tally.count('compared', 'lines of people', humans.length);
      this.tally.count('compared', 'lines that nobody is behind', others.length);
    }
  }

  /** Questions about a human, by one of their nodes or by several, as clients ask them. */
  private async humans(
    graph: Graph,
    people: People,
    expected: Access,
    pick: number,
  ): Promise<void> {
    const who = graph.nodes.filter(({ labels }) => labels.includes('Principal'));
    for (let nth = 0; nth < Math.min(who.length, HUMANS); nth += 1) {
      const one = who[(pick + nth * 5) % who.length];
      if (one === undefined) continue;
      const human = people.human(one.key);
      const answer = await this.accessOf([one.key], true);
      const { accounts, principal } = answer.body as HumanAnswer;
      expect([
        one.key,
        answer.status,
        principal?.id,
        accounts?.map(({ id }) => id).toSorted(),
      ]).toEqual([one.key, 200, human?.key ?? one.key, human?.accounts]);
      const wanted = expected.get(human?.key ?? one.key) ?? new Map<string, ReadonlySet<string>>();
      expect([one.key, rowsIn(answer.body as HumanAnswer)]).toEqual([
        one.key,
        new Map(
          [...wanted]
            .filter(([, held]) => held.size > 0)
            .map(([key, held]) => [key, [...held].toSorted()]),
        ),
      ]);
      // What each of the human's nodes can reach, the human can.
      for (const account of human?.accounts ?? []) {
        for (const [key, held] of expected.get(account) ?? []) {
          expect([...(wanted.get(key) ?? [])]).toEqual(expect.arrayContaining([...held]));
        }
      }
      if (human !== null) {
        this.throughAccounts(expected, human.accounts, answer.body as HumanAnswer);
        if (human.accounts.length > 0 && nth % 3 === 0)
          await this.ofAllNodes(expected, human.key, [human.key, ...human.accounts]);
        this.tally.count('compared', 'humans');
      }
      if (human !== null && human.accounts.length > 0)
        this.tally.count('compared', 'humans with accounts');
      const theirs = who.filter(({ key }) => human?.accounts.includes(key));
      const among = nth % 2 === 0 && theirs.length > 0 ? theirs : who;
      const other = among[(pick + nth * 11) % among.length];
      if (other === undefined || one === other) continue;
      const isOne = human !== null && people.human(other.key)?.key === human.key;
      const both = await this.accessOf([one.key, other.key], false);
      const isKnown = [one, other].every(({ label }) =>
        ['Employee', 'IdpUser', 'Identity', 'LocalUser'].includes(label),
      );
      expect([one.key, other.key, both.status]).toEqual([
        one.key,
        other.key,
        isOne ? 200 : isKnown ? 400 : 404,
      ]);
      if (isOne) expect((both.body as HumanAnswer).principal?.id).toBe(human.key);
      this.tally.count('compared', isOne ? 'two of one human' : 'two of no one human');
    }
  }

  private async accessOf(
    principals: readonly string[],
    isPerson: boolean,
  ): Promise<{ readonly status: number; readonly body: unknown }> {
    const query = new URLSearchParams({ page_size: '10000', person: String(isPerson) });
    for (const principal of principals) query.append('principal', principal);
    return this.service.send('get', `/api/v1/access?${query.toString()}`);
  }

  /** The export tells every pair with access once, and nothing else. */
  private async exported(
    people: People,
    who: readonly Node[],
    what: readonly Node[],
    held: (a: Node, b: Node) => readonly string[],
  ): Promise<void> {
    const wanted = who.flatMap((a) => {
      const human = people.human(a.key)?.key ?? null;
      return what.flatMap((b) => {
        const permissions = held(a, b);
        return permissions.length === 0 ? [] : [JSON.stringify([a.key, human, b.key, permissions])];
      });
    });
    const rows = await this.exportOf('');
    expect(rows).toEqual(wanted.toSorted());
    this.tally.count('compared', 'rows of exports', rows.length);
  }

  /** The lines of an export, each with the human whose account it is of. */
  private async exportOf(query: string): Promise<readonly string[]> {
    const answer = await this.service.send('get', `/api/v1/access:export${query}`).buffer();
    expect([answer.status, answer.status === 200 ? '' : answer.text]).toEqual([200, '']);
    return answer.text
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as ExportedAccess)
      .map(({ principal, human, resource, permissions }) =>
        JSON.stringify([
          principal.id,
          human === undefined ? 'unknown' : (human?.id ?? null),
          resource.id,
          permissions.map(textOf).toSorted(),
        ]),
      )
      .toSorted();
  }

  /** An export of a human has the lines of all their nodes; their reviewers are those of all of these. */
  private async ofAllNodes(
    expected: Access,
    human: string,
    nodes: readonly string[],
  ): Promise<void> {
    const wanted = nodes.flatMap((node) =>
      [...(expected.get(node) ?? [])].flatMap(([what, held]) =>
        held.size === 0 ? [] : [JSON.stringify([node, human, what, [...held].toSorted()])],
      ),
    );
    const one = nodes[wanted.length % nodes.length] ?? human;
    const query = new URLSearchParams({ principal: one, person: 'true' }).toString();
    expect(await this.exportOf(`?${query}`)).toEqual(wanted.toSorted());
    this.tally.count('compared', 'exports of humans');
    const reviewers = new Set<string>();
    for (const principal of nodes) {
      const alone = new URLSearchParams({ principal }).toString();
      for (const line of await this.reviewersOf(alone)) reviewers.add(line);
    }
    const others = [...reviewers].filter((line) => {
      const [reviewer] = JSON.parse(line) as [string];
      return !nodes.includes(reviewer);
    });
    expect([human, await this.reviewersOf(query)]).toEqual([human, others.toSorted()]);
    if (others.length > 0) this.tally.count('compared', 'reviewers of humans');
  }

  /** Reviewers with their reasons, each as a line. */
  private async reviewersOf(query: string): Promise<readonly string[]> {
    const answer = await this.service.send('get', `/api/v1/reviewers?${query}`);
    const body: unknown = answer.body;
    expect([query, answer.status]).toEqual([query, 200]);
    const { values } = body as {
      values: readonly { id: string; reasons: readonly { type: string; of: { id: string } }[] }[];
    };
    return values
      .flatMap(({ id, reasons }) =>
        reasons.map(({ type, of }) => JSON.stringify([id, type, of.id])),
      )
      .toSorted();
  }

  /** Each permission of a human says which of their accounts have it. */
  private throughAccounts(
    expected: Access,
    accounts: readonly string[],
    answer: HumanAnswer,
  ): void {
    for (const row of answer.values ?? []) {
      for (const held of row.permissions as readonly Held[]) {
        const wanted = accounts.filter((account) =>
          expected
            .get(account)
            ?.get(row.id as string)
            ?.has(textOf(held)),
        );
        expect([row.id, textOf(held), held.accounts]).toEqual([row.id, textOf(held), wanted]);
        this.tally.count('compared', 'permissions through accounts', wanted.length);
      }
    }
  }

  /** Lists of access narrowed to some permissions, types, applications and labels, as clients ask for them. */
  private async filtered(
    graph: Graph,
    expected: Access,
    [a, b]: readonly [Node, Node],
    pick: number,
  ): Promise<void> {
    const valuesOf = (label: string, property: string): readonly string[] =>
      sortedSet(
        graph.nodes
          .filter((node) => node.label === label)
          .flatMap(({ properties }) => properties[property] as string | readonly string[]),
      );
    const some = (values: readonly string[], count: number): readonly string[] =>
      Array.from({ length: Math.min(count, values.length) }, (_, at) => {
        const value = values[(pick + at * 7) % values.length] as string;
        return (pick + at) % 3 === 0 ? value.toUpperCase() : value;
      });
    const types = valuesOf('Permission', 'permission_type');
    const permission = some(valuesOf('Permission', 'name'), 1 + (pick % 2));
    const permission_type = types.slice(pick % types.length).slice(0, 2);
    const application = some(valuesOf('Application', 'name'), 1);
    const none: AccessFilter = {
      permission: [],
      permission_type: [],
      application: [],
      label: null,
    };
    const filters: readonly AccessFilter[] = [
      { ...none, permission },
      { ...none, permission_type },
      { ...none, permission, permission_type },
      { ...none, application },
      { ...none, permission_type, application },
      { ...none, label: 'LocalUser' },
      { ...none, label: 'Resource', permission },
    ];
    for (const filter of filters) {
      for (const of of ['principal', 'resource'] as const) {
        if (of === 'principal' && filter.label === 'LocalUser') continue;
        const asked = { [of]: of === 'principal' ? a.key : b.key };
        const query = new URLSearchParams({ ...asked, page_size: '10000' });
        if (of === 'resource') query.set('entities', 'true');
        for (const name of ['permission', 'permission_type', 'application'] as const) {
          for (const value of filter[name]) query.append(name, value);
        }
        if (filter.label !== null) query.set('label', filter.label);
        const answer = await this.service.send('get', `/api/v1/access?${query.toString()}`);
        const rows = (answer.body as { readonly values: readonly Row[] }).values;
        const listed = rows.map((row) => [
          row[of === 'principal' ? 'resource' : 'principal'],
          (row.permissions as readonly Held[]).map(textOf).toSorted(),
        ]);
        const wanted = filteredList(graph, expected, asked, filter);
        expect([asked, filter, new Map(listed as [string, string[]][])]).toEqual([
          asked,
          filter,
          wanted,
        ]);
        this.tally.count('compared', 'filtered lists');
        this.tally.count('compared', 'rows of filtered lists', wanted.size);
      }
    }
  }

  private async lists(
    kind: 'of' | 'to' | 'within',
    name: string,
    nodes: readonly Node[],
  ): Promise<ReadonlyMap<string, Told>> {
    const rows = await this.ask(
      statements[kind],
      nodes.map(({ key }) => [key]),
    );
    return new Map(
      rows.map((row) => {
        const listed = rowsOf(row as unknown as TokenPage);
        expect(listed).toHaveLength(Number(row.total));
        return [row[name] as string, told(listed)];
      }),
    );
  }

  private async pairs(
    all: readonly (readonly [Node, Node])[],
  ): Promise<ReadonlyMap<string, readonly string[]>> {
    const rows = await this.ask(
      statements.between,
      all.map(([a, b]) => [a.key, b.key]),
    );
    const answers = new Map<string, string[]>();
    for (const row of rows) {
      const id = JSON.stringify([row.principal, row.resource]);
      answers.set(id, [...(answers.get(id) ?? []), textOf(row as unknown as Held)].sort());
    }
    return answers;
  }

  /** A reason exists where access does, and every reason is one. */
  private async explained(
    graph: Graph,
    all: readonly (readonly [Node, Node])[],
    held: (a: Node, b: Node) => readonly string[],
  ): Promise<void> {
    const lines = new Map(
      (
        await this.ask(
          'MATCH (a)-[r]->(b) RETURN elementId(r) AS id, a.key AS from, type(r) AS type, b.key AS to',
          [],
        )
      ).map((row) => [row.id as string, row as unknown as Line]),
    );
    const check = new ReasonCheck(graph, lines);
    const rows = await this.ask(
      statements.explain,
      all.map(([a, b]) => [a.key, b.key]),
    );
    const materials = new Map(
      rows.map((row) => [
        JSON.stringify([row.principal, row.resource]),
        row as unknown as WayMaterial,
      ]),
    );
    for (const [a, b] of all) {
      const material = materials.get(idOf(a, b));
      const { reasons, truncated } =
        material === undefined ? { reasons: [], truncated: false } : atOnce(reasonsIn(material));
      this.tally.count('compared', 'paths', reasons.length);
      if (truncated) this.tally.count('compared', 'explanations cut');
      const permissions = check.permissionsOf(reasons, a, b);
      if (!truncated) expect([a.key, b.key, permissions]).toEqual([a.key, b.key, held(a, b)]);
      expect(held(a, b)).toEqual(expect.arrayContaining([...permissions]));
    }
  }

  /** One pair, as clients ask about it. */
  private async endpoints(
    [a, b]: readonly [Node, Node],
    held: (a: Node, b: Node) => readonly string[],
  ): Promise<void> {
    const get = async (path: string): Promise<Row> => {
      const answer = await this.service.send('get', `/api/v1/${path}`);
      if (answer.status !== 200) throw new Error(`${path} ${JSON.stringify(answer.body)}`);
      return answer.body as Row;
    };
    const [principal, resource] = [encodeURIComponent(a.key), encodeURIComponent(b.key)];
    const permissionsAt = ({ values }: Row, name: string, key: string): readonly string[] =>
      (values as readonly Row[])
        .filter((row) => row[name] === key)
        .flatMap((row) => (row.permissions as readonly Held[]).map(textOf))
        .toSorted();
    const wanted = held(a, b);
    const of = await get(`access?principal=${principal}`);
    expect(permissionsAt(of, 'resource', b.key)).toEqual(wanted);
    const to = await get(`access?resource=${resource}&entities=true`);
    expect(permissionsAt(to, 'principal', a.key)).toEqual(wanted);
    const explained = await get(`access:explain?principal=${principal}&resource=${resource}`);
    const { paths } = explained.value as { readonly paths: readonly { permission: Held }[] };
    expect(sortedSet(paths.map(({ permission }) => textOf(permission)))).toEqual(wanted);
    for (const text of wanted) {
      const [name] = JSON.parse(text) as [string];
      const asked = `principal=${principal}&resource=${resource}&permission=${encodeURIComponent(name)}`;
      expect((await get(`access:check?${asked}`)).value).toEqual({ allowed: true });
    }
    this.tally.count('compared', 'pairs over HTTP');
  }

  private async ask(
    statement: string,
    all: readonly (readonly string[])[],
  ): Promise<readonly Row[]> {
    const { database } = testNeo4j();
    const { records } = await this.driver.executeQuery(
      // A page that holds all.
      statement.replaceAll('$most', '1000000').replaceAll('$held', '1000000'),
      { ...rest, all },
      { database },
    );
    return records.map((record) => record.toObject());
  }
}

function idOf(a: Node, b: Node): string {
  return JSON.stringify([a.key, b.key]);
}

function sorted(rows: Told): Told {
  return rows
    .filter(([, permissions]) => permissions.length > 0)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
}

function sortedSet(texts: readonly string[]): readonly string[] {
  return [...new Set(texts)].sort();
}
