import type { Template } from '../arbitrary/repair';
import { type Answer, type Client, type Sent } from './client';
import { mutatedPush, REQUESTS } from './mutated-request';
import type { Random } from './random';
import { PROVIDERS, sourcePath } from './scene';
import { isScim, isScimWrite } from './scim-request';
import { seedPayloads } from './seed-payload';
import type { Target } from './target';

/** What became of a request. */
export interface Outcome {
  readonly sent: Sent;
  readonly answer: Answer;
  readonly isInside: boolean;
}

const TEAM_KEYS = '/api/preview/teamkeys';
const MOST_SPARE = 5;

/** One client that sends mutated requests, one after the other, to data sources of its own. */
export class Attacker {
  private readonly targets: Target[] = [];
  /** Providers without data, for requests that change or delete one. */
  private readonly spare: string[] = [];
  private readonly teamKeys: string[] = [];
  private readingKey = '';
  /** Data sources that were made on the way. */
  private readonly made: string[] = [];

  constructor(
    private readonly name: string,
    private readonly client: Client,
    private readonly random: Random,
  ) {}

  /** Its data sources that must be in the graph as the last accepted push left them. */
  get standing(): readonly Target[] {
    return this.targets;
  }

  /** Every provider that must be in the graph. */
  get providers(): readonly string[] {
    return [...new Set([...this.targets.map(({ provider }) => provider), ...this.spare])];
  }

  /** Every data source that must be in the graph. */
  get dataSources(): readonly string[] {
    return [...this.targets.map(({ id }) => id), ...this.made];
  }

  async prepare(): Promise<void> {
    const { body } = await this.client.send({
      method: 'POST',
      path: TEAM_KEYS,
      body: JSON.stringify({ name: this.name, scopes: ['read'] }),
    });
    this.readingKey = (body?.value as { access_key: string }).access_key;
    const seeds = Object.entries(seedPayloads).flatMap(([template, payloads]) =>
      payloads.map((seed) => ({ template: template as Template, seed })),
    );
    for (const { template, seed } of seeds) {
      const provider = await this.create(PROVIDERS, {
        name: `${this.name} ${this.targets.length}`,
        custom_template: template,
        // Connections, imports and policies are for such providers alone.
        external_lifecycle_management_type: 'SCIM',
      });
      const id = await this.create(`${PROVIDERS}/${provider}/datasources`, {
        id: provider,
        name: 'main',
      });
      this.targets.push({ provider, id, template, seed, digest: null, upload: 'none' });
    }
  }

  /** Sends the next mutated request: in every second one the payload itself is mutated. */
  async next(): Promise<Outcome> {
    const { random } = this;
    const target = random.pick(this.targets);
    const isInside = random.happens(0.5);
    const sent = isInside ? mutatedPush(target, random) : this.mutatedRequest(target);
    const answer = await this.client.send(sent);
    if (isScim(sent)) await this.look(sent, answer);
    else this.note(target, sent, answer);
    if (this.spare.length > MOST_SPARE) await this.removeSpare();
    return { sent, answer, isInside };
  }

  private mutatedRequest(target: Target): Sent {
    const spare = this.spare.length > 0 ? this.random.pick(this.spare) : 'none';
    const make = this.random.weighted(REQUESTS);
    const { upload } = target;
    const { name, random, readingKey } = this;
    const teamKey = this.teamKeys.at(-1) ?? 'none';
    const directory = random.pick(
      this.targets.filter(({ template }) => template === 'identity_provider'),
    );
    return make({ target, directory, spare, upload, readingKey, teamKey, name, random });
  }

  private note(target: Target, { method, path }: Sent, { status, body }: Answer): void {
    if (status !== 200) return;
    const [plainPath = ''] = path.split('?');
    if (typeof body?.upload_id === 'string') target.upload = body.upload_id;
    else if (/:(push|push_csv|parts)$/.test(plainPath)) {
      target.digest = body?.digest as string;
      this.accepted.add(body?.at as string);
    } else if (method === 'POST' && plainPath === PROVIDERS) {
      this.spare.push((body?.value as { id: string }).id);
    } else if (method === 'POST' && plainPath.endsWith('/datasources')) {
      this.made.push((body?.value as { id: string }).id);
    } else if (method === 'POST' && plainPath === TEAM_KEYS) {
      this.teamKeys.push((body?.value as { id: string }).id);
    } else if (method === 'DELETE') {
      if (plainPath.startsWith(TEAM_KEYS)) this.teamKeys.pop();
      const at = this.spare.findIndex((id) => plainPath === `${PROVIDERS}/${id}`);
      if (at >= 0) this.spare.splice(at, 1);
    }
  }

  /**
   * Looks what a request through SCIM left, since its answer does not tell it. The first request of a
   * data source makes an empty first push, which has its domain alone, whatever becomes of the request
   * (docs/provisioning.md: In four steps).
   */
  private async look(sent: Sent, { status }: Answer): Promise<void> {
    const target = this.targets.find(({ id }) => sent.path.includes(id));
    const isAccepted = isScimWrite(sent) && status < 300;
    if (target === undefined || (!isAccepted && target.digest !== null)) return;
    const { body } = await this.client.send({ method: 'GET', path: sourcePath(target) });
    const { digest, last_push_at, rows } = body?.value as {
      readonly digest: string | null;
      readonly last_push_at: string;
      readonly rows: number;
    };
    if (!isAccepted && rows > 1) throw new Error(`${sent.path} was answered ${status}, and wrote`);
    if (digest === null) return;
    if (target.digest === null) await this.lookAtFirst(target, isAccepted);
    target.digest = digest;
    this.accepted.add(last_push_at);
  }

  /** The first request through SCIM may make two pushes: the empty first one, and its own. */
  private async lookAtFirst(target: Target, isAccepted: boolean): Promise<void> {
    const path = `${sourcePath(target)}/pushes`;
    const { body } = await this.client.send({ method: 'GET', path });
    const pushes = (body?.values as readonly { readonly at: string; readonly outcome: string }[])
      .filter(({ outcome }) => outcome === 'accepted')
      .map(({ at }) => at);
    if (pushes.length > (isAccepted ? 2 : 1)) {
      throw new Error(`${path} holds ${pushes.length} pushes after the first request through SCIM`);
    }
    for (const at of pushes) this.accepted.add(at);
  }

  /** Instants of all pushes that were accepted. */
  readonly accepted = new Set<string>();

  private async removeSpare(): Promise<void> {
    const id = this.spare.shift();
    const { status } = await this.client.send({ method: 'DELETE', path: `${PROVIDERS}/${id}` });
    if (status !== 200) throw new Error(`provider ${id} cannot be deleted: ${status}`);
  }

  private async create(path: string, body: object): Promise<string> {
    const answer = await this.client.send({ method: 'POST', path, body: JSON.stringify(body) });
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return (answer.body?.value as { id: string }).id;
  }
}
