/**
 * The codes of warnings about an accepted push, each with its meaning (docs/connectors.md:
 * Warnings).
 */
export const WARNING_CODES = {
  UNKNOWN_IDENTITY:
    'No identity provider has the logins, emails or names that the entity mentions.',
  UNKNOWN_IAM_ROLE: 'No local role has the ARNs that the entity mentions.',
  EMPTY_ROLE: 'The role has neither permissions nor nested roles.',
  NOTHING_TO_REMOVE: 'The entry deletes or removes something that does not exist.',
  UNKNOWN_CONTEXT: 'The entry has no operation, and what it names does not exist.',
  MISSING_OPERATION: 'The entry has fields but no operation, so its fields are ignored.',
} as const;

export type WarningCode = keyof typeof WARNING_CODES;

/** The entity that a warning is about. */
export interface Subject {
  /** The kind in words, such as `local user`. */
  readonly kind: string;
  readonly name: string;
  /** The name of the application that holds it, if one does. */
  readonly application?: string;
}

/** Something in an accepted push that its sender should look at. */
export interface Warning {
  readonly message: string;
  readonly code: WarningCode;
  /** A JSON pointer (RFC 6901). It spells keys as the sender did. */
  readonly pointer: string;
  readonly subject: Subject;
}

/** A warning as the graph stores it. Versions before 2026-11-24 stored only its message. */
export type KeptWarning = Pick<Warning, 'message'> & Partial<Warning>;

/** Makes a subject. An empty `application` means that none holds it. */
export const subjectOf = (kind: string, name: string, application = ''): Subject =>
  application === '' ? { kind, name } : { kind, name, application };

/** The subject as sentences name it, such as `local user "ann" of application "crm"`. */
export const titleOf = ({ kind, name, application }: Subject): string =>
  application === undefined
    ? `${kind} ${JSON.stringify(name)}`
    : `${kind} ${JSON.stringify(name)} of application ${JSON.stringify(application)}`;
