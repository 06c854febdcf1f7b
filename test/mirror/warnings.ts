import type { Graph } from './graph';
import { inDocumentOrder } from './pointer';
import { cloudRole, identity } from './stated-links';
import { distinct, fold, nfc } from './text';

/** What a payload mentions that may deserve a warning once the graph is derived (graph.md 8). */
export interface Mention {
  /** Names of identities, ARNs of roles, a role that may allow nothing, or what was not there to be removed. */
  readonly about: 'identities' | 'roles' | 'permissions' | 'missing';
  readonly names: readonly string[];
  /** Whose they are, or what is missing, as the text says it. */
  readonly where: string;
  /** The key of the entity whose field it is about, and the field. */
  readonly key: string;
  readonly field: string;
  readonly pointer: string;
}

/** That something was not there to be removed, or to be referred to (graph.md 7). */
export function missing(where: string, pointer: string): Mention {
  return { about: 'missing', names: [], where, key: '', field: '', pointer };
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
    .flatMap(({ about, names, where, key }) => {
      switch (about) {
        case 'missing':
          return [`Cannot find ${where}`];
        case 'permissions':
          return leads('ALLOWS', key) || leads('INCLUDES', key)
            ? []
            : [`Role is missing permission (${where})`];
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
