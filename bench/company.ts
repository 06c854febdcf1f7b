import { changedCompany, COMPANY, type Company, companyPayload } from './company-payload';
import { Connector, type DataSource } from './connector';
import { countsOf, fingerprint } from './contents';
import type { Stage } from './increment';
import { load, peakMemory } from './machine';
import type { Options } from './options';
import { Random } from './random';
import { reordered } from './reordered';
import { median } from './report';
import { metered, type RoundTools } from './round';
import { runYardstick, yardstickOf } from './yardstick';

/** Starts a Neo4j and a service with these settings, of this build; `null` means the build of the bench. */
export interface CompanyStages {
  begin(settings: Readonly<Record<string, string>>, main: string | null): Promise<Stage & Restart>;
  end(): Promise<void>;
}

interface Restart {
  /** Starts the service anew, with the same settings and build. */
  readonly startService: () => Promise<RoundTools['service']>;
}

/** What pushes are measured with, by turns. */
interface Side {
  readonly name: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly main: string | null;
}

/** What something took: in seconds of the clock, and of the processors of the client and of Neo4j. */
interface Taken {
  readonly seconds: number;
  readonly processors: number;
}

/** The removal guard asks nobody here. */
const NO_GUARD = { LIMIT_REMOVAL_SHARE: '1' };

const MANNERS = ['first', 'other order', '1 % changed'] as const;

/** One round of one side. */
class CompanyRound {
  readonly taken = new Map<string, Taken>();

  constructor(
    private readonly tools: RoundTools,
    private readonly connector: Connector,
    private readonly company: Company,
    private readonly seed: number,
  ) {}

  async run(name: string): Promise<void> {
    const sources: DataSource[] = [];
    for (const part of COMPANY) {
      const template = part === 'application' ? 'application' : 'identity_provider';
      sources.push(await this.connector.register(`${part}, ${name}`, template));
    }
    await this.push('first', sources, this.company);
    const contents = await this.tools.graph.read();
    const random = new Random(this.seed);
    await this.push('other order', sources, reordered(this.company, random));
    const rows = countsOf(contents).nodes / 100;
    await this.push('1 % changed', sources, changedCompany(this.company, rows, this.seed));
    for (const source of sources.toReversed()) {
      await this.measured('deletion', () => this.connector.remove(source));
    }
    await this.tools.graph.clear();
    const { driver, database } = this.tools;
    // The data sources are gone by now.
    const labels = await this.tools.graph.standIns(contents);
    await this.measured(
      'by hand',
      () => runYardstick(driver, database, yardstickOf(contents)),
      true,
    );
    if (fingerprint(await this.tools.graph.read()) !== fingerprint(contents)) {
      throw new Error('What was written by hand is not the very same.');
    }
    await this.tools.graph.clear();
    await this.tools.graph.remove(labels);
    await this.tools.graph.clearPast();
  }

  private async push(
    manner: (typeof MANNERS)[number],
    sources: readonly DataSource[],
    company: Company,
  ): Promise<void> {
    for (const [at, part] of COMPANY.entries()) {
      const source = sources[at];
      if (source === undefined) continue;
      const push = await this.connector.prepare(source, company[part]);
      await this.measured(`${manner}: ${part}`, () => this.connector.push(push));
    }
  }

  private async measured(
    name: string,
    work: () => Promise<unknown>,
    isByHand = false,
  ): Promise<void> {
    const client = isByHand ? process.pid : this.tools.service.pid;
    const start = performance.now();
    const { processor } = await metered(this.tools, client, work);
    const seconds = (performance.now() - start) / 1000;
    const before = this.taken.get(name);
    this.taken.set(name, {
      seconds: seconds + (before?.seconds ?? 0),
      processors: (processor.client ?? NaN) + (processor.neo4j ?? NaN) + (before?.processors ?? 0),
    });
  }
}

interface Measured {
  readonly rounds: ReadonlyMap<string, Taken>[];
  readonly memory: number[];
}

const of = ({ rounds }: Measured, name: string, by: keyof Taken): readonly number[] =>
  rounds.map((round) =>
    [...round].reduce((sum, [each, taken]) => (each.startsWith(name) ? sum + taken[by] : sum), 0),
  );

const decimals = (value: number): string => (Number.isNaN(value) ? '?' : value.toFixed(2));

const table = (sides: ReadonlyMap<string, Measured>, say: (text: string) => void): void => {
  const names = [...(sides.values().next().value?.rounds[0]?.keys() ?? [])];
  say('| side | what | seconds (median) | most / median | processor seconds (median) |');
  say('| --- | --- | --- | --- | --- |');
  for (const [side, measured] of sides) {
    for (const name of names) {
      const seconds = of(measured, name, 'seconds');
      const middle = median(seconds);
      const most = decimals(Math.max(...seconds) / middle);
      const worked = decimals(median(of(measured, name, 'processors')));
      say(`| ${side} | ${name} | ${decimals(middle)} | ${most} | ${worked} |`);
    }
  }
  const [now] = sides.values();
  if (now === undefined) return;
  const ratio = (what: string, a: readonly number[], b: readonly number[], goal = ''): void =>
    say(`${what}: ${decimals(median(a) / median(b))}${goal}`);
  say('');
  for (const by of ['seconds', 'processors'] as const) {
    for (const [side, measured] of sides) {
      const goal = side === 'now' && by === 'seconds' ? ' (asked: at least 0.7)' : '';
      const hand = of(measured, 'by hand', by);
      ratio(`${side}: by hand / first, ${by}`, hand, of(measured, 'first', by), goal);
      if (measured === now) continue;
      for (const name of [...MANNERS, 'deletion']) {
        const asked = name === 'deletion' && by === 'seconds' ? ' (asked: at most 1.3)' : '';
        ratio(`now / ${side}: ${name}, ${by}`, of(now, name, by), of(measured, name, by), asked);
      }
    }
  }
  for (const [side, { memory }] of sides) {
    say(
      `${side}: at most ${Math.max(...memory)} MiB in the service (asked: 600 MB); load ${load()}`,
    );
  }
};

/**
 * Measures what a company feels: a directory that people come from, a directory that names them, and
 * an application that names both are pushed in turn, with all background work on. Each is pushed
 * again in another order, with 1 % changed, and deleted. The sides take turns: this build, this build
 * without history, and another build if one is given. Each is compared with the same graph by hand.
 */
export const measureCompany = async (
  stages: CompanyStages,
  { elements, seed, rounds, warmups, against }: Options,
  say: (text: string) => void,
): Promise<void> => {
  const company = companyPayload(elements, seed);
  const sides: readonly Side[] = [
    { name: 'now', settings: {}, main: null },
    { name: 'without history', settings: { KEEP_HISTORY_DAYS: '0' }, main: null },
    ...(against === undefined ? [] : [{ name: 'other build', settings: {}, main: against }]),
  ];
  const all = new Map<string, Measured>(
    sides.map(({ name }) => [name, { rounds: [], memory: [] }]),
  );
  for (let number = 1; number <= rounds; number += 1) {
    for (const { name, settings, main } of sides) {
      const stage = await stages.begin({ ...NO_GUARD, ...settings }, main);
      for (let warmed = 0; warmed < warmups; warmed += 1) {
        await new CompanyRound(stage, stage.connector, company, seed).run(`warm-up ${warmed}`);
      }
      // A service that has just started, on a Neo4j that is warm.
      await stage.service.stop();
      const service = await stage.startService();
      const tools = { ...stage, service };
      const round = new CompanyRound(tools, new Connector(service), company, seed);
      await round.run(`round ${number}`);
      all.get(name)?.rounds.push(round.taken);
      all.get(name)?.memory.push((await peakMemory(service.pid)) ?? NaN);
      say(`${name}, round ${number}; load ${load()}`);
      await stages.end();
    }
  }
  table(all, say);
};
