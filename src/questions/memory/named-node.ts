import { type Kind, NONE } from '../../access/access-graph';
import type { Summary } from '../../contract/answers/questions/access';
import { nanosOf, present } from '../../model/instant';
import type { AccessThen } from './access-memory';

/** Whether a question may name a node as the one who has access. */
export const isWho = ({ isPrincipal, isResource }: Kind): boolean => isPrincipal || isResource;

/** Whether a question may name a node as what is reached. */
export const isPlace = ({ isResource, isApplication }: Kind): boolean =>
  isResource || isApplication;

/** The node of a kind that a question names, if it exists at that moment; otherwise `null`. */
export const nodeOf = (
  { graph, moment }: Pick<AccessThen, 'graph' | 'moment'>,
  key: string,
  isMeant: (kind: Kind) => boolean,
): number | null => {
  const node = graph.find(key);
  if (node === NONE) return null;
  const kind = graph.kind(node);
  return kind !== null && isMeant(kind) && graph.exists(node, moment) ? node : null;
};

/** What answers say of a node at the moment of a question. */
export const summaryOf = (
  { graph, moment }: Pick<AccessThen, 'graph' | 'moment'>,
  node: number,
): Summary => graph.summary(node, moment, nanosOf(present()));
