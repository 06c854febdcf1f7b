import { randomUUID } from 'node:crypto';

import * as TE from 'fp-ts/TaskEither';

import type { Find, Finding } from '../graph/verification/finding';
import type { DataSourceOfProvider } from '../graph/records/provider-record';
import type { EventRecord } from '../graph/records/event-record';
import type { Verified, Verifier } from '../graph/verification/verification';
import type { Failure } from '../problem';
import { type Actor, dataSourceEvent } from './events/event';
import type { Listed } from './push/listed';
import { pushInstant } from './push/push-instant';
import { heldFailure } from './push/push-refusal';
import { type Sight, type ToldEnd, toldEnd } from './push/told-end';

/** What verifying needs. */
export interface VerifyDependencies {
  readonly verifier: Verifier;
  /** Findings that are listed. */
  readonly listedChanges: number;
}

/** A data source to be verified, and repaired if that is asked for. */
export interface VerifyDataSource {
  readonly source: DataSourceOfProvider;
  readonly requestId: string;
  readonly by: Actor;
  readonly isRepairing: boolean;
  /** Whether its sender also sees nodes of other data sources. */
  readonly seesOthers: boolean;
}

/** A finding as it is told. */
export interface ToldFinding extends Omit<Finding, 'node' | 'relationship'> {
  readonly node?: ToldEnd | null;
  readonly relationship?: {
    readonly type: string;
    readonly from: ToldEnd | null;
    readonly to: ToldEnd | null;
  };
}

/** What was changed by hand in a data source's part of the graph (api.md 7: verify). */
export interface Verification {
  /** Whether nothing was found at all. */
  readonly sound: boolean;
  readonly repaired: boolean;
  /** What the data source's own record says, and what was found and stands once it is repaired. */
  readonly rows: { readonly recorded: number; readonly found: number; readonly gone: number };
  readonly digest: { readonly recorded: string | null; readonly found: string };
  /** Whether the hashes of rows could be checked: those that an older release made cannot. */
  readonly hashes_checked: boolean;
  readonly findings: Listed<ToldFinding> & { readonly next_full_push: number };
}

/** Gathers findings up to a limit, and counts them all. */
class Findings {
  private readonly told: ToldFinding[] = [];
  private total = 0;
  private left = 0;

  constructor(
    private readonly limit: number,
    private readonly sight: Sight,
  ) {}

  readonly find: Find = (finding) => {
    this.total += 1;
    if (finding.remedy !== 'REPAIR') this.left += 1;
    if (this.total <= this.limit) this.told.push(this.tell(finding));
  };

  get list(): Verification['findings'] {
    const { told, total, left } = this;
    return { total, next_full_push: left, truncated: total > told.length, values: told };
  }

  private tell({ node, relationship, ...finding }: Finding): ToldFinding {
    const end = (key: string | null): ToldEnd | null =>
      key === null ? null : toldEnd(key, this.sight);
    return {
      ...finding,
      ...(node === undefined ? {} : { node: end(node) }),
      ...(relationship === undefined
        ? {}
        : {
            relationship: {
              type: relationship.type,
              from: end(relationship.from),
              to: end(relationship.to),
            },
          }),
    };
  }
}

/**
 * Looks for what was changed by hand in Neo4j, and puts right what the graph itself can tell (api.md 7). What a row should say is known to
 * its payload alone: the next full push puts that right, and is told to.
 */
export const verifyDataSource =
  ({ verifier, listedChanges }: VerifyDependencies) =>
  (request: VerifyDataSource): TE.TaskEither<Failure, Verification> => {
    const { source, isRepairing, seesOthers } = request;
    const dataSource = source.dataSource.id;
    const begun = (): Findings => new Findings(listedChanges, { dataSource, seesOthers });
    let findings = begun();
    const verify = async (): Promise<Verification> => {
      const at = pushInstant(null);
      const verified = await verifier.verify({
        ...{ dataSource, holder: randomUUID(), at, isRepairing },
        begin: () => {
          findings = begun();
          return findings.find;
        },
        tell: (result) =>
          repairedEvent(request, at.utc, verification(result, findings.list, isRepairing)),
      });
      return verification(verified, findings.list, isRepairing);
    };
    return TE.tryCatch(verify, heldFailure);
  };

const verification = (
  { recorded, found, areHashesKnown }: Verified,
  findings: Verification['findings'],
  repaired: boolean,
): Verification => ({
  sound:
    findings.total === 0 &&
    recorded.rows === found.rows &&
    (recorded.digest === null || recorded.digest === found.digest),
  repaired,
  rows: {
    recorded: recorded.rows,
    found: found.rows,
    gone: Math.max(0, recorded.rows - found.rows),
  },
  digest: { recorded: recorded.digest, found: found.digest },
  hashes_checked: areHashesKnown,
  findings,
});

const repairedEvent = (
  { source, requestId, by }: VerifyDataSource,
  at: string,
  { sound, rows, findings }: Verification,
): EventRecord => {
  const name = JSON.stringify(source.dataSource.name);
  return dataSourceEvent(
    source,
    { at, requestId, by },
    {
      severity: sound ? 'INFO' : 'WARNING',
      name: 'Data source verified',
      event_type: 'DATASOURCE_VERIFIED',
      message: sound
        ? `Data source ${name} is as its pushes left it.`
        : `Data source ${name} was changed by hand and is repaired, as far as the graph tells how.`,
      metadata: {
        findings: findings.total,
        next_full_push: findings.next_full_push,
        rows_gone: rows.gone,
      },
    },
  );
};
