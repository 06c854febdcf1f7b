import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Driver } from 'neo4j-driver';

import { savedQueries } from '../../src/kit/saved-queries';
import { fileOf } from '../../src/kit/saved-query';
import { withSharedRules } from '../../src/kit/shared-rules';
import { testNeo4j } from '../support/neo4j';
import type { Tally } from './tally';

const PLAIN = join(__dirname, 'plain-reports');

type Parameters = Readonly<Record<string, unknown>>;

/** A fast report, and a plain second writing of it. */
interface Report {
  readonly name: string;
  readonly fast: string;
  readonly plain: string;
}

const reportOf = (file: string): Report => {
  const query = savedQueries().find((each) => fileOf(each) === file);
  if (query === undefined) throw new Error(`There is no saved query ${file}.`);
  const plain = withSharedRules(file, readFileSync(join(PLAIN, file), 'utf8'));
  return { name: query.name, fast: query.text, plain };
};

const reports: readonly Report[] = readdirSync(PLAIN, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.cypher'))
  .map(reportOf);

/** Asks each report in its two writings: both must give the same rows. */
export class ReportComparison {
  constructor(
    private readonly driver: Driver,
    private readonly tally: Tally,
  ) {}

  /** Compares the reports on the graph as it is, with each value of a parameter that matters. */
  async compare(): Promise<void> {
    const [values] = await this.ask(
      `RETURN datetime() AS now, COLLECT { MATCH (user:IdpUser) RETURN DISTINCT user.domain } AS domains`,
      {},
    );
    const { now, domains } = values as {
      readonly now: unknown;
      readonly domains: readonly string[];
    };
    for (const { name, fast, plain } of reports) {
      const asked: readonly Parameters[] = fast.includes('$domain')
        ? domains.map((domain) => ({ domain }))
        : [{ now }];
      for (const parameters of asked) {
        const rows = await this.rowsOf(fast, parameters);
        expect([name, rows]).toEqual([name, await this.rowsOf(plain, parameters)]);
        this.tally.count('rows of reports', name, rows.length);
      }
    }
  }

  /** The rows as texts, in an order of their own: reports leave some orders to Neo4j. */
  private async rowsOf(cypher: string, parameters: Parameters): Promise<readonly string[]> {
    const rows = await this.ask(cypher, parameters);
    return rows.map((row) => JSON.stringify(row)).sort();
  }

  private async ask(
    cypher: string,
    parameters: Parameters,
  ): Promise<readonly Readonly<Record<string, unknown>>[]> {
    const { database } = testNeo4j();
    const { records } = await this.driver.executeQuery(cypher, parameters, { database });
    return records.map((record) => record.toObject());
  }
}
