import type { Driver } from 'neo4j-driver';

import {
  type Item,
  roundsOf,
  type SourceName,
  SOURCES,
  toldRound,
  type World,
} from '../arbitrary/erasure-world';
import type { Human } from '../arbitrary/script-names';
import { httpTransport } from '../../src/scim/client/requests/transport';
import { addGroups } from '../http/policy-stage';
import { type ServiceUnderTest, serviceUnderTest } from '../http/service-under-test';
import { keyOf, keyOfTyped } from '../mirror/key';
import { Mirror } from '../mirror/mirror';
import type { DataSource } from '../mirror/rows';
import { allowing, TOKEN } from '../scim/acting';
import { type MisbehavingServer, misbehavingServer } from '../scim/misbehaving-server';
import { testNeo4j } from '../support/neo4j';
import { quickClock } from '../support/quick-clock';
import { push, register, type Registered } from './service-driver';

/** What the service tells of an erasure. */
export interface Told {
  readonly confirmation: string;
  readonly person: readonly string[];
  readonly names: readonly string[];
  readonly shared_names: readonly string[];
  readonly entities: Listed<{ readonly change: string; readonly loses: readonly string[] }>;
  readonly kept: Listed<object>;
  readonly doubtful: Listed<{ readonly reason: string }>;
}
/** A list of it. */
export interface Listed<More> {
  readonly values: readonly (More & { readonly id: string; readonly label: string })[];
}
/** Whom to erase. */
export interface Asked {
  readonly principal: string;
  readonly also: readonly string[];
  readonly except: readonly string[];
  /** Providers that the operator believes. */
  readonly trusted_providers: readonly string[];
}

/** The keys of a list. */
export const idsOf = ({ values }: Listed<object>): readonly string[] => values.map(({ id }) => id);

/** A data source as the service and the mirror know it. */
export interface Stream {
  readonly registered: Registered;
  readonly source: DataSource;
}
/** The data sources of a world. */
export type Streams = Readonly<Record<SourceName, Stream>>;

const NAMES = Object.keys(SOURCES) as readonly SourceName[];
const PROVIDERS = '/api/v1/providers/custom';

/** What an operator decides about a plan. */
export const DECIDED = ['nothing', 'what is the person’s', 'everything', 'exceptions'] as const;
export type Decided = (typeof DECIDED)[number];

/** A plan before and after the operator has decided, and what was asked. */
export interface DecidedPlan {
  readonly asked: Asked;
  readonly plan: Told;
  readonly first: Told;
}

/** The providers of the data sources of a world. */
export const providersOf = (streams: Streams): readonly string[] =>
  NAMES.map((name) => streams[name].registered.provider);

/** The key of an item of a world. */
export const keyOfItem = (streams: Streams, { source, key }: Item): string => {
  const { id } = streams[source].source;
  const [label = '', application = '', type = '', last = ''] = key;
  return label === 'Resource'
    ? keyOfTyped(id, application, type.slice(1), last)
    : keyOf(id, ...key);
};

interface Answer {
  readonly status: number;
  readonly text: string;
  readonly body: unknown;
}

/** A service whose policies call an application, and what erasures of a world need of it. */
export class ErasureStage {
  private constructor(
    readonly service: ServiceUnderTest,
    private readonly application: MisbehavingServer,
    private readonly driver: Driver,
  ) {}

  static async open(driver: Driver): Promise<ErasureStage> {
    const application = await misbehavingServer();
    const allowed = allowing(Number(new URL(application.base).port));
    const transport = httpTransport(allowed, { mostBytes: 16e6 });
    const clock = { ...quickClock(), now: Date.now };
    const service = await serviceUnderTest(
      { bodyBytes: 1e7, jsonBytes: 1e7, problems: 1e6, listedChanges: 1e6 },
      { provisioning: { allowed, clock, transport }, keep: true },
    );
    return new ErasureStage(service, application, driver);
  }

  async close(): Promise<void> {
    await this.service.close();
    await this.application.close();
  }

  /** An empty graph with the data sources of a world. */
  async emptyStreams(): Promise<Streams> {
    await this.ask('MATCH (n) WHERE NOT n:BindingLock DETACH DELETE n');
    // Nobody said that this removed everything.
    await this.ask('MATCH (lock:BindingLock) SET lock.epoch = randomUUID()');
    await this.ask(
      "CREATE (:Store {key: 'store', history_since: datetime('2020-01-01T00:00:00Z')})",
    );
    const made = NAMES.map(async (name): Promise<readonly [SourceName, Stream]> => {
      const registered = await register(this.service, SOURCES[name]);
      const { data_source_id: id, provider } = registered;
      return [name, { registered, source: { id, provider, template: SOURCES[name] } }];
    });
    return Object.fromEntries(await Promise.all(made)) as Record<SourceName, Stream>;
  }

  /** Pushes all rounds; gives the mirror of them as if the person had never been. */
  async push(streams: Streams, of: World): Promise<Mirror> {
    const without = new Mirror();
    for (const round of roundsOf(of)) {
      const [told, left] = [toldRound(of, round, true), toldRound(of, round, false)];
      for (const name of NAMES) {
        const { registered, source } = streams[name];
        const answer = await push(this.service, registered, JSON.stringify(told.payloads[name]));
        if (!answer.accepted) throw new Error(JSON.stringify([name, answer.problems]));
        const expected = without.accept(source, left.payloads[name], answer.at);
        if (!expected.accepted) throw new Error(JSON.stringify([name, expected.problems]));
      }
    }
    return without;
  }

  /**
   * Records of the service that requests make: a connection, an import, a policy with its accounts
   * and actions, a team key, an upload, a refused push. Gives the provider of the connection.
   */
  async makeRecords(streams: Streams, of: World): Promise<string> {
    const [me] = of.humans;
    if (me === undefined) throw new Error('A world has humans.');
    const { service } = this;
    const { value } = await this.done(
      service.post(PROVIDERS, {
        name: 'Connected',
        custom_template: 'application',
        provisioning: true,
        external_lifecycle_management_type: 'SCIM',
      }),
    );
    const { id } = value as { readonly id: string };
    await this.connect(id, me);
    await this.runPolicy(id, streams.corp.source.id, me);
    if (of.traits.has('kept names')) {
      const key = { name: `Key of ${me.email}`, scopes: ['push'] };
      await this.done(service.post('/api/preview/teamkeys', key));
    }
    await this.uploadAndRefuse(streams.more.registered, me);
    return id;
  }

  async plan(asked: Asked): Promise<Told> {
    return (await this.done(this.service.post('/api/v1/erase', asked))).value as Told;
  }

  /** Erases what a plan says; what uploads hold goes too, as in the background. */
  async erase(asked: Asked, { confirmation }: Told): Promise<void> {
    const request = this.service.post('/api/v1/erase', asked);
    await this.done(request.set('Grantgraph-Confirm-Removal', confirmation));
    while (await this.service.uploads.removeSome());
  }

  /** Asks for plans until all is decided. */
  async decide(
    principal: string,
    streams: Streams,
    decided: Decided,
    isTheirs: (key: string, reason: string) => boolean,
    way: number,
  ): Promise<DecidedPlan> {
    const trusted_providers = providersOf(streams);
    let asked: Asked = { principal, also: [], except: [], trusted_providers };
    const first = await this.plan(asked);
    if (decided === 'nothing') return { asked, plan: first, first };
    if (decided === 'exceptions') {
      const certain = first.entities.values.filter(
        ({ change, id, label }) =>
          change === 'removed' && (label === 'LocalUser' || id.includes('#mailbox')),
      );
      asked = { ...asked, except: idsOf({ values: certain }).slice(0, 1 + (way % 2)) };
      return { asked, plan: await this.plan(asked), first };
    }
    let plan = first;
    for (;;) {
      const more = plan.doubtful.values.filter(
        ({ id, reason }) => decided === 'everything' || isTheirs(id, reason),
      );
      if (more.length === 0) return { asked, plan, first };
      asked = { ...asked, also: [...asked.also, ...idsOf({ values: more })] };
      plan = await this.plan(asked);
    }
  }

  private async connect(provider: string, { login, email }: Human): Promise<void> {
    this.application.reset();
    addGroups(this.application);
    const path = `${PROVIDERS}/${provider}/scim`;
    const authentication = { type: 'bearer', token: TOKEN };
    const connection = { base_url: this.application.base, authentication };
    await this.done(this.service.send('put', path, connection));
    const leave_out = `userName eq ${JSON.stringify(login)} or emails.value eq ${JSON.stringify(email)}`;
    await this.done(this.service.send('put', `${path}/import`, { leave_out }));
  }

  private async runPolicy(provider: string, source: string, me: Human): Promise<void> {
    const [email, login] = [JSON.stringify(me.email), JSON.stringify(me.login)];
    const people = { in: [source] };
    const path = `${PROVIDERS}/${provider}/policies`;
    const policy = {
      name: 'People',
      state: 'active',
      guard: { share: 1, number: 100 },
      who: [{ ...people, filter: `email eq ${email} or name eq ${login}` }],
      groups: [{ name: 'Writers', who: { ...people, filter: `name eq ${login}` } }],
    };
    await this.done(this.service.post(path, policy));
    await this.done(this.service.post(`${path}:run`, undefined));
  }

  private async uploadAndRefuse({ path, ...ids }: Registered, me: Human): Promise<void> {
    const parts = path.replace(/:push$/, ':parts');
    const { upload_id } = await this.done(this.service.post(parts, { operation: 'start' }));
    const note = `for ${me.email} and ${me.login}`;
    const data = Buffer.from(JSON.stringify({ note })).toString('base64');
    const part = { operation: 'upload', upload_id, sequence_number: 1, data };
    await this.done(this.service.post(parts, part));
    const json_data = JSON.stringify({
      applications: [{ name: 'Desk', local_users: [{ name: me.login, groups: [me.email] }] }],
      identity_to_permissions: [{ identity: me.email, identity_type: 'local_user' }],
    });
    const { id, data_source_id } = ids;
    expect((await this.service.post(path, { id, data_source_id, json_data })).status).toBe(400);
  }

  private async done(asked: PromiseLike<Answer>): Promise<Readonly<Record<string, unknown>>> {
    const { status, text, body } = await asked;
    expect([status, status === 200 ? '' : text]).toEqual([200, '']);
    return body as Readonly<Record<string, unknown>>;
  }

  private async ask(statement: string): Promise<void> {
    await this.driver.executeQuery(statement, {}, { database: testNeo4j().database });
  }
}
