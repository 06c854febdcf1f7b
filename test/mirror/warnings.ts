import type { Graph } from './graph';
import { below, inDocumentOrder, stepsOf } from './pointer';
import { cloudRole, identity } from './stated-links';
import { distinct, fold, nfc } from './text';

/** What a payload mentions that may deserve a warning once the graph is derived (docs/rules.md: Warnings). */
export interface Mention {
  /** Names of identities, ARNs of roles, a role that may allow nothing, what was not there, or fields in vain. */
  readonly about:
    'identities' | 'roles' | 'permissions' | 'missing' | 'context' | 'ignored' | 'number';
  readonly names: readonly string[];
  /** Whose they are, or what is missing, as the text says it. */
  readonly where: string;
  /** The key of the entity whose field it is about, and the field. */
  readonly key: string;
  readonly field: string;
  readonly pointer: string;
}

/** A warning as far as the rule book tells it: its code, its text and its place. */
export interface ToldWarning {
  readonly message: string;
  readonly code: string;
  readonly pointer: string;
}

const codes: Readonly<Record<Mention['about'], string>> = {
  identities: 'UNKNOWN_IDENTITY',
  roles: 'UNKNOWN_IAM_ROLE',
  permissions: 'EMPTY_ROLE',
  missing: 'NOTHING_TO_REMOVE',
  context: 'UNKNOWN_CONTEXT',
  ignored: 'MISSING_OPERATION',
  number: 'INEXACT_NUMBER',
};

/** That something was not there to be removed, or to be referred to (docs/rules.md: Increments). */
export function missing(where: string, pointer: string): Mention {
  const about = where.endsWith('(context)') ? 'context' : 'missing';
  return { about, names: [], where, key: '', field: '', pointer };
}

/** Whole numbers from 2^53 on, in properties whose names senders choose (docs/rules.md: Warnings). */
export function inexact(payload: unknown, pointer = '', isInside = false): readonly Mention[] {
  if (typeof payload === 'number') {
    if (!isInside || payload % 1 !== 0 || Math.abs(payload) < 2 ** 53) return [];
    const [name = ''] = stepsOf(pointer).slice(-1);
    return [
      { about: 'number', names: [String(payload)], where: name, key: '', field: '', pointer },
    ];
  }
  if (typeof payload !== 'object' || payload === null || (isInside && Array.isArray(payload)))
    return [];
  return Object.entries(payload).flatMap(([step, value]) =>
    inexact(value, below(pointer, step), isInside || /^(custom|dynamic)_properties$/.test(step)),
  );
}

/** That fields stand in vain in an entry without an operation, if there are any (docs/rules.md: Increments). */
export function ignored(
  entry: object,
  isInVain: (field: string) => boolean,
  where: string,
  pointer: string,
): readonly Mention[] {
  const names = Object.entries(entry)
    .filter(([field, value]) => isInVain(field) && !saysNothing(value))
    .map(([field]) => field);
  return names.length === 0
    ? []
    : [{ about: 'ignored', names, where, key: '', field: '', pointer }];
}

function saysNothing(value: unknown): boolean {
  return value === null || ['""', '[]', '{}'].includes(JSON.stringify(value));
}

/** The warnings about a push, judged after it, in payload order (docs/rules.md: Warnings). */
export function warningsOf(
  mentions: readonly Mention[],
  after: Graph,
  payload: unknown,
  asSent: (pointer: string) => string,
): readonly ToldWarning[] {
  const leads = (type: string, key: string): boolean =>
    after.relationships.some((one) => one.type === type && one.from.key === key);
  const isKnown = (name: string): boolean =>
    after.relationships.some((one) => one.type === 'KNOWN_AS' && one.to.key === identity(name).key);
  return [...mentions]
    .sort((a, b) => inDocumentOrder(payload, a.pointer, b.pointer))
    .flatMap((mention) =>
      textsOf(mention).map((message) => ({
        message,
        code: codes[mention.about],
        pointer: asSent(mention.pointer),
      })),
    );

  function textsOf({ about, names, where, key }: Mention): readonly string[] {
    switch (about) {
      case 'ignored':
        return [
          `Ignored fields ${JSON.stringify(names)} (${where}): an operation is missing; write "operation": "modify" to change them`,
        ];
      case 'number':
        return [
          `The number is stored as ${names.join()}, since only numbers below 2^53 are exact; declare an id as STRING (property ${JSON.stringify(where)})`,
        ];
      case 'missing':
      case 'context':
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
        const unknown = distinct(names, nfc).filter((arn) => !leads('ACTS_AS', cloudRole(arn).key));
        return unknown.length === 0
          ? []
          : [`Cannot find IAM role by names ${JSON.stringify(unknown)} (${where})`];
      }
    }
  }
}
