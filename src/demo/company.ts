import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { ask } from '../neo4j/ask';
import type { Graph } from '../neo4j/driver';
import type { Template } from '../templates/templates';
import { type Connector, type PushAnswer, Refused } from './connector';
import { asOfWeek, type Week, weeksIn } from './weeks';

/** A payload of the company, and the provider and data source for it. */
export interface Source {
  readonly file: string;
  readonly provider: string;
  readonly template: Template;
  readonly dataSource: string;
}

/** The systems of the company, in the order in which the demo pushes them. */
export const company: readonly Source[] = [
  {
    file: 'corporate-directory.json',
    provider: 'Halden Corporate Directory',
    template: 'identity_provider',
    dataSource: 'halden.example',
  },
  {
    file: 'partner-directory.json',
    provider: 'Birchwood Partner Directory',
    template: 'identity_provider',
    dataSource: 'birchwood.example',
  },
  {
    file: 'hr-system.json',
    provider: 'Peoplebook',
    template: 'hris',
    dataSource: 'peoplebook.halden.example',
  },
  {
    file: 'source-code-host.json',
    provider: 'Forge',
    template: 'application',
    dataSource: 'forge.halden.example',
  },
  { file: 'crm.json', provider: 'Clientbook', template: 'application', dataSource: 'EU tenant' },
];

interface Place {
  readonly provider: string;
  readonly dataSource: string;
}

/**
 * The ids of providers and data sources that the demo stores between its runs, as a connector
 * would.
 */
export interface Places {
  find(source: Source): Place | undefined;
  keep(source: Source, place: Place): Promise<void>;
}

/** Reads the ids from a file. An unreadable file counts as an empty one. */
export const placesIn = async (file: string): Promise<Places> => {
  const text = await readFile(file, 'utf8').catch(() => '{}');
  const places = new Map<string, Place>(Object.entries(parsed(text)));
  return {
    find: ({ provider }) => places.get(provider),
    keep: async ({ provider }, place) => {
      places.set(provider, place);
      await writeFile(file, `${JSON.stringify(Object.fromEntries(places), null, 2)}\n`);
    },
  };
};

const isPlace = (value: unknown): value is Place => {
  const { provider, dataSource } = (value ?? {}) as Partial<Place>;
  return typeof provider === 'string' && typeof dataSource === 'string';
};

const parsed = (text: string): Readonly<Record<string, Place>> => {
  try {
    const value = JSON.parse(text) as Record<string, unknown> | null;
    const entries = Object.entries(value ?? {}).filter(([, place]) => isPlace(place));
    return Object.fromEntries(entries) as Record<string, Place>;
  } catch {
    return {};
  }
};

const PROVIDER_NAMED = 'MATCH (provider:Provider {name: $name}) RETURN provider.id AS id';

/** Whether somebody has pushed to one of these providers. */
const HAS_PUSHED = `MATCH (push:Push)-[:FROM]->(:DataSource)-[:FROM]->(provider:Provider)
WHERE provider.name IN $providers
RETURN push.id AS push LIMIT 1`;

const DATA_SOURCE_NAMED = `MATCH (source:DataSource {name: $name})-[:FROM]->(:Provider {key: $provider})
RETURN source.id AS id`;

/** Pushes the payloads of the company over HTTP. */
export class Company {
  constructor(
    private readonly connector: Connector,
    private readonly graph: Graph,
    private readonly places: Places,
    private readonly folder: string,
  ) {}

  /**
   * Pushes what all systems sent in the weeks before this one. If somebody has pushed already, it
   * pushes nothing, because the old states would count as changes. `pushed` receives the answers of
   * each week.
   */
  async pushWeeks(pushed: (answers: readonly PushAnswer[]) => Promise<void>): Promise<void> {
    const providers = company.map(({ provider }) => provider);
    if ((await ask(this.graph, HAS_PUSHED, { providers })).length > 0) return;
    for (const week of await weeksIn(this.folder)) {
      const answers: PushAnswer[] = [];
      for (const source of company) answers.push(await this.pushOfWeek(source, week));
      await pushed(answers);
    }
  }

  /** Pushes what a system sends now. */
  async push(source: Source): Promise<PushAnswer> {
    return this.pushPayload(source, await this.payloadOf(source));
  }

  private async pushOfWeek(source: Source, week: Week): Promise<PushAnswer> {
    const now = JSON.parse(await this.payloadOf(source)) as Week;
    return this.pushPayload(source, JSON.stringify(asOfWeek(now, week[source.file] ?? {})));
  }

  private payloadOf({ file }: Source): Promise<string> {
    return readFile(join(this.folder, file), 'utf8');
  }

  /**
   * Pushes a payload to its data source. Registers the provider and the data source if they are
   * missing.
   */
  private async pushPayload(source: Source, payload: string): Promise<PushAnswer> {
    const known = this.places.find(source);
    if (known !== undefined) {
      try {
        return await this.connector.push(known.provider, known.dataSource, payload);
      } catch (error) {
        // The ids belong to another graph.
        if (!(error instanceof Refused && error.status === 404)) throw error;
      }
    }
    const place = await this.register(source);
    await this.places.keep(source, place);
    return this.connector.push(place.provider, place.dataSource, payload);
  }

  private async register({ provider: name, template, dataSource }: Source): Promise<Place> {
    const provider = await this.unlessTaken(
      () => this.connector.registerProvider(name, template),
      PROVIDER_NAMED,
      { name },
    );
    return {
      provider,
      dataSource: await this.unlessTaken(
        () => this.connector.createDataSource(provider, dataSource),
        DATA_SOURCE_NAMED,
        { name: dataSource, provider },
      ),
    };
  }

  /**
   * Creates something. If its name is used already, an earlier run created it, and the demo finds
   * its id in the graph. None of the three endpoints that every connector calls lists what exists.
   */
  private async unlessTaken(
    create: () => Promise<string>,
    question: string,
    parameters: Readonly<Record<string, string>>,
  ): Promise<string> {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof Refused && error.isNameTaken)) throw error;
      const [found] = await ask(this.graph, question, parameters);
      if (typeof found?.id !== 'string') throw error;
      return found.id;
    }
  }
}
