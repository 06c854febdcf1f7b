import type { Graph } from './graph';
import { inDocumentOrder } from './pointer';
import { cloudRole, identity } from './stated-links';
import { distinct, fold, nfc } from './text';

/** What a payload mentions that may deserve a warning once the graph is derived (graph.md 8). */
export interface Mention {
  /** Names of identities, ARNs of roles, or a role that allows nothing. */
  readonly about: 'identities' | 'roles' | 'permissions';
  readonly names: readonly string[];
  /** Whose they are, as the text says it. */
  readonly where: string;
  readonly pointer: string;
}

/** The texts of the warnings about a push, judged after it, in payload order (graph.md 8, design.md 3.12). */
export function warningsOf(
  mentions: readonly Mention[],
  after: Graph,
  payload: unknown,
): readonly string[] {
  const leads = (type: string, key: string): boolean =>
    after.relationships.some((one) => one.type === type && one.from.key === key);
  const isKnown = (name: string): boolean =>
    after.relationships.some((one) => one.type === 'KNOWN_AS' && one.to.key === identity(name).key);
  return [...mentions]
    .sort((a, b) => inDocumentOrder(payload, a.pointer, b.pointer))
    .flatMap(({ about, names, where }) => {
      switch (about) {
        case 'permissions':
          return [`Role is missing permission (${where})`];
        case 'identities': {
          const unknown = distinct(names, fold).filter((name) => !isKnown(name));
          return unknown.length === 0
            ? []
            : [`Cannot find identity by names ${JSON.stringify(unknown)} (${where})`];
        }
        case 'roles': {
          const unknown = distinct(names, nfc).filter(
            (arn) => !leads('ACTS_AS', cloudRole(arn).key),
          );
          return unknown.length === 0
            ? []
            : [`Cannot find IAM role by names ${JSON.stringify(unknown)} (${where})`];
        }
      }
    });
}
