import { ACCOUNT_OF } from '../../model/service-nodes';
import { IdpUser } from '../identity-provider/users';
import { derivations, management, RESOURCE_MANAGERS } from './derivations';
import { relationshipKinds } from './relationships';
import type { NodeKind } from '../../model/table';

/**
 * Every relationship that nodes of a kind may have, as text: its type, `>` outwards or `<` inwards,
 * and the label of the other end.
 */
export const waysAt = (kind: NodeKind): readonly string[] => {
  const ways = new Set<string>();
  const add = (from: NodeKind, type: string, to: NodeKind): void => {
    if (from === kind) ways.add(`${type}>${to.label}`);
    if (to === kind) ways.add(`${type}<${from.label}`);
  };
  for (const { from, type, to } of relationshipKinds) add(from, type, to);
  for (const { asker, answerer, from, type } of derivations) {
    if (from === 'asker') add(asker, type, answerer);
    else add(answerer, type, asker);
  }
  // Records of accounts refer to their people.
  if (kind === IdpUser) ways.add(`${ACCOUNT_OF}<ManagedAccount`);
  for (const managed of management.managed) {
    for (const manager of management.managers) add(managed, RESOURCE_MANAGERS, manager);
  }
  return [...ways];
};
