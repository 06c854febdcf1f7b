import type { Driver } from 'neo4j-driver';

import type { ServiceUnderTest } from '../http/service-under-test';
import { testDriver } from '../support/neo4j';
import { Comparison } from './comparison';
import { startService } from './service-driver';
import type { Tally } from './tally';

/** What a suite of random pushes begins with. */
export interface SuiteOptions {
  /** What every run of it repeats; `PROPERTY_RUNS=2000 PROPERTY_SEED=…` looks further. With fewer runs some things are too rare to be asked for. */
  readonly runs: number;
  readonly seed: number;
  readonly tally: Tally;
  /** What comparisons count in, if not there. */
  readonly compared?: Tally;
}

/** A suite of random pushes: a service beside the mirror, from before its first test to after its last one. */
export class PropertySuite {
  readonly runs: number;
  /** How fast-check runs; shrinking a counterexample takes many times as long as finding it: `PROPERTY_SHRINK=1` asks for it. */
  readonly parameters: {
    readonly numRuns: number;
    readonly seed: number;
    readonly endOnFailure: boolean;
  };
  private started: {
    readonly driver: Driver;
    readonly service: ServiceUnderTest;
    readonly both: Comparison;
  } | null = null;

  constructor(private readonly options: SuiteOptions) {
    const { PROPERTY_RUNS, PROPERTY_SEED, PROPERTY_SHRINK } = process.env;
    const { tally, compared = tally } = options;
    this.runs = Number(PROPERTY_RUNS ?? options.runs);
    this.parameters = {
      numRuns: this.runs,
      seed: Number(PROPERTY_SEED ?? options.seed),
      endOnFailure: PROPERTY_SHRINK === undefined,
    };
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

  /** Everything that is to be reached was reached, given enough runs. */
  expectNoHoles(): void {
    expect(this.runs < this.options.runs ? [] : this.options.tally.holes()).toEqual([]);
  }

  private get running(): NonNullable<PropertySuite['started']> {
    if (this.started === null) throw new Error('The suite has not begun.');
    return this.started;
  }
}
