import type { Plan } from 'neo4j-driver';
import { before } from '../../model/trailing';

/** The procedures that a query may call. They describe the graph and change nothing. */
export const READING_PROCEDURES: ReadonlySet<string> = new Set([
  'db.labels',
  'db.relationshipTypes',
  'db.propertyKeys',
  'db.schema.visualization',
  'db.schema.nodeTypeProperties',
  'db.schema.relTypeProperties',
]);

/** The part of Neo4j's answer to `EXPLAIN` that this file needs. */
export interface Planned {
  readonly queryType: string;
  readonly plan: Plan | false;
}

const detailsOf = ({ arguments: known }: Plan): string => {
  const details: unknown = known.Details;
  return typeof details === 'string' ? details : '';
};

const operatorOf = ({ operatorType }: Plan): string => before(operatorType, '@');

const operators = (plan: Plan): readonly Plan[] => [plan, ...plan.children.flatMap(operators)];

// A subquery in an expression has no operators of its own in the plan. Neo4j writes it out in the
// details of the operator around it, in its own spelling. The 5.26 line spells a call
// `ResolvedCall(db.labels() …)`.
const CALLED = /\b(?:CALL\s+(?![({])|\w*Call\()([^\s(]+)/g;
const LOADS = /\bLOAD\s+CSV\b|\bLoadCSV\b/i;

const proceduresIn = (plan: Plan): readonly string[] =>
  operatorOf(plan) === 'ProcedureCall'
    ? [before(detailsOf(plan), '(')]
    : [...detailsOf(plan).matchAll(CALLED)].map(([, name = '']) => name);

/**
 * Why the plan of a query is not allowed; `null` if the query only reads (docs/rules.md: Cypher
 * queries).
 */
export const refusalOf = ({ queryType, plan }: Planned): string | null => {
  const all = plan === false ? [] : operators(plan);
  const unlisted = all.flatMap(proceduresIn).find((name) => !READING_PROCEDURES.has(name));
  if (unlisted !== undefined) {
    return `calls the procedure ${unlisted}; allowed are ${[...READING_PROCEDURES].join(', ')}`;
  }
  if (queryType !== 'r') return 'does more than read';
  if (all.some((each) => operatorOf(each) === 'LoadCSV' || LOADS.test(detailsOf(each)))) {
    return 'reads a file by LOAD CSV';
  }
  const command = all
    .map(operatorOf)
    .find((name) => /^(Show|Terminate|AdministrationCommand)/.test(name));
  return command === undefined ? null : 'is a command of schema or administration';
};
