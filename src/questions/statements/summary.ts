import { nodeKinds } from '../../templates/graph/nodes';
import { textList } from '../../graph/statements/text-list';

/** Cypher for the name of any node. A node without a name gives its ARN or id. */
export const nameOf = (node: string): string =>
  `coalesce(${node}.name, ${node}.arn, ${node}.id, ${node}.unique_id, '')`;

/** The labels that several kinds share. */
const SHARED = textList([...new Set(nodeKinds.flatMap(({ also }) => also))].sort());

/** Cypher for a node's own label, without labels that several kinds share. */
export const labelOf = (node: string): string =>
  `[label IN labels(${node}) WHERE NOT label IN ${SHARED}][0]`;

/** Cypher for what lists say about a node. */
export const summaryOf = (node: string): string => `{
    id: ${node}.key,
    label: ${labelOf(node)},
    name: ${nameOf(node)},
    path: ${node}.path,
    resource_type: ${node}.resource_type,
    application: ${node}.application,
    domain: ${node}.domain,
    provider: ${node}.provider,
    inactive: ${isInactive(node)}
  }`;

const isInactive = (node: string): string =>
  `coalesce(${node}.is_active = false, false) OR coalesce(${node}.deactivated_at <= datetime(), false)`;
