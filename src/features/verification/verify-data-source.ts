import { randomUUID } from 'node:crypto';

import * as TE from 'fp-ts/TaskEither';

import type { FindingAnswer, Verification } from './endpoints';
import type { NodeReference } from '../../contract/answers/plan';
import type { Find, Finding } from './checks/finding';
import type { DataSourceOfProvider } from '../../graph/records/provider-record';
import type { EventRecord } from '../../graph/records/event-record';
import type { Verified, Verifier } from './checks/verification';
import type { Failure } from '../../problem';
import type { Actor } from '../../graph/records/event-record';
import { dataSourceEvent } from '../../graph/records/event';
import { isOwnFinding, withoutForeignEnds } from './own-findings';
import { pushInstant } from '../../graph/records/push-instant';
import { heldFailure } from '../../push/change/contract';
import { type Sight, plannedEnd } from '../../push/plan/contract';
import { events } from './events';

/** What the service needs to verify a data source. */
export interface VerifyDependencies {
  readonly verifier: Verifier;
  /** How many findings the answer lists at most. */
  readonly listedChanges: number;
}

/** A request to verify a data source, and maybe to repair it. */
export interface VerifyDataSource {
  readonly source: DataSourceOfProvider;
  readonly requestId: string;
  readonly by: Actor;
  readonly isRepairing: boolean;
  /** Whether the sender may see findings at nodes that do not belong to the data source. */
  readonly seesOthers: boolean;
}

type FindingAnswers = Verification['findings'];

/** Collects the findings that a caller may see, up to a limit, and counts them all. */
class Findings {
  private readonly reported: FindingAnswer[] = [];
  private total = 0;
  private left = 0;

  constructor(
    private readonly limit: number,
    private readonly sight: Sight,
  ) {}

  readonly find: Find = (finding) => {
    const { dataSource, seesOthers } = this.sight;
    if (!seesOthers && !isOwnFinding(finding, dataSource)) return;
    this.total += 1;
    if (finding.remedy !== 'REPAIR') this.left += 1;
    if (this.total > this.limit) return;
    this.reported.push(this.tell(seesOthers ? finding : withoutForeignEnds(finding)));
  };

  get list(): FindingAnswers {
    const { reported, total, left } = this;
    return { total, next_full_push: left, truncated: total > reported.length, values: reported };
  }

  private tell({ node, relationship, ...finding }: Finding): FindingAnswer {
    const end = (key: string | null): NodeReference | null =>
      key === null ? null : plannedEnd(key, this.sight);
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
 * Finds what somebody changed by hand in Neo4j, and repairs what can be repaired from the graph
 * itself (docs/rules.md: Access answers). Only the payload has the content of a row, so the next
 * full push repairs the rows that were changed.
 */
export const verifyDataSource =
  ({ verifier, listedChanges }: VerifyDependencies) =>
  (request: VerifyDataSource): TE.TaskEither<Failure, Verification> => {
    const { source, isRepairing, seesOthers } = request;
    const dataSource = source.dataSource.id;
    const begun = (limit: number, seesAll: boolean): Findings =>
      new Findings(limit, { dataSource, seesOthers: seesAll });
    let findings = begun(listedChanges, seesOthers);
    const verify = async (): Promise<Verification> => {
      const at = pushInstant(null);
      // Keys that are limited to the provider see its events. So the event holds only what these
      // keys may see, no matter who requested the repair.
      let forEvent = begun(0, false);
      const verified = await verifier.verify({
        dataSource,
        holder: randomUUID(),
        at,
        isRepairing,
        begin: () => {
          findings = begun(listedChanges, seesOthers);
          forEvent = begun(0, false);
          return (finding) => {
            findings.find(finding);
            forEvent.find(finding);
          };
        },
        tell: (result) =>
          repairedEvent(request, at.utc, verification(result, forEvent.list, isRepairing)),
      });
      return {
        ...(seesOthers ? {} : { limited: true }),
        ...verification(verified, findings.list, isRepairing),
      };
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
      event_type: events.DATASOURCE_VERIFIED,
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
