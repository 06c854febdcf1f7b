import { sized } from '../support/test-size';
import fc, { type Arbitrary } from 'fast-check';
import type { Driver } from 'neo4j-driver';

import type { ServiceUnderTest } from '../http/service-under-test';
import { testDriver } from '../support/neo4j';
import { Comparison } from './comparison';
import { chosen, ofNight, type Reaching, readCorpus, writeCorpus } from './corpus';
import { startService } from './service-driver';
import type { Tally } from './tally';

/** What a suite of random pushes begins with. */
export interface SuiteOptions {
  /** The committed values that each run begins with, by the name of their file. */
  readonly corpus?: string;
  /** How many random values come on top: in the short run none where there is a corpus. `PROPERTY_RUNS=2000 PROPERTY_SEED=…` looks further. */
  readonly runs: number;
  readonly seed: number;
  readonly tally: Tally;
  /** What comparisons count in, if not there. */
  readonly compared?: Tally;
}

/** A suite of random pushes: a service beside the mirror, from before its first test to after its last one. */
export class PropertySuite {
  /** How many random values a property is held against. */
  readonly runs: number;
  private started: {
    readonly driver: Driver;
    readonly service: ServiceUnderTest;
    readonly both: Comparison;
  } | null = null;

  constructor(private readonly options: SuiteOptions) {
    const { tally, compared = tally } = options;
    this.runs = Number(process.env.PROPERTY_RUNS ?? options.runs);
    beforeAll(async () => {
      const driver = testDriver();
      const service = await startService();
      this.started = { driver, service, both: new Comparison(driver, service, compared) };
    });
    afterAll(async () => {
      await this.service.close();
      await this.driver.close();
      process.stdout.write(`${tally.toString()}\n`);
    });
  }

  get driver(): Driver {
    return this.running.driver;
  }

  get service(): ServiceUnderTest {
    return this.running.service;
  }

  get both(): Comparison {
    return this.running.both;
  }

  /**
   * How fast-check runs. Shrinking a counterexample takes many times as long as finding it:
   * `PROPERTY_SHRINK=1` asks for it. `PROPERTY_PATH` begins at the case that a failure named.
   */
  parameters(numRuns: number): {
    readonly numRuns: number;
    readonly seed: number;
    readonly endOnFailure: boolean;
    readonly path?: string;
  } {
    const { PROPERTY_SEED, PROPERTY_PATH: path, PROPERTY_SHRINK } = process.env;
    return {
      numRuns,
      seed: Number(PROPERTY_SEED ?? this.options.seed),
      endOnFailure: PROPERTY_SHRINK === undefined,
      ...(path === undefined ? {} : { path }),
    };
  }

  /**
   * Holds a property against the corpus and then against random values; all that is to be reached must have been.
   * `WRITE_CORPUS=1` divides them: those that together reach everything in little time make the corpus, and what was in
   * it before is for the full run alone (CONTRIBUTING.md, The corpus).
   */
  async holds<T>(arbitrary: Arbitrary<T>, predicate: (value: T) => Promise<void>): Promise<void> {
    const { corpus: name, tally } = this.options;
    const writes = process.env.WRITE_CORPUS !== undefined;
    const names = name === undefined ? [] : sized(writes, true) ? [name, ofNight(name)] : [name];
    const corpus = names.flatMap((each) => readCorpus<T>(each));
    const values: Reaching<T>[] = [];
    const property = fc.asyncProperty(fc.tuple(arbitrary), async ([value]) => {
      const before = tally.required();
      const start = performance.now();
      await predicate(value);
      const reached = [...tally.required()].flatMap(([topic, count]) =>
        count > (before.get(topic) ?? 0) ? [topic] : [],
      );
      values.push({ value, milliseconds: performance.now() - start, reached });
    });
    await fc.assert(property, {
      ...this.parameters(corpus.length + this.runs),
      examples: corpus.map((value) => [[value]]),
    });
    if (name !== undefined && writes) {
      const best = chosen(values);
      const kept = values.slice(0, corpus.length).map(({ value }) => value);
      writeCorpus(name, best);
      const others = kept.filter((value) => !best.includes(value));
      if (others.length > 0) writeCorpus(ofNight(name), others);
    }
    // A few random values alone cannot be expected to reach everything.
    const isFew = corpus.length === 0 && (this.runs < this.options.runs || sized(true, false));
    expect(isFew ? [] : tally.holes()).toEqual([]);
  }

  private get running(): NonNullable<PropertySuite['started']> {
    if (this.started === null) throw new Error('The suite has not begun.');
    return this.started;
  }
}
