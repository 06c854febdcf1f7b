/** The codes of warnings about an accepted push, each with its meaning (docs/connectors.md: Warnings). */
export const WARNING_CODES = {
  UNKNOWN_IDENTITY:
    'No identity provider has the logins, emails or names that the entity mentions.',
  UNKNOWN_IAM_ROLE: 'No local role has the ARNs that the entity mentions.',
  EMPTY_ROLE: 'The role has neither permissions nor nested roles.',
  NOTHING_TO_REMOVE: 'The entry deletes or removes something that does not exist.',
  UNKNOWN_CONTEXT: 'The entry has no operation, and what it names does not exist.',
  MISSING_OPERATION: 'The entry has fields but no operation, so its fields are ignored.',
} as const;

/** One of the codes of warnings. */
export type WarningCode = keyof typeof WARNING_CODES;

/** What a warning is about. */
export interface Subject {
  /** In words: `local user`. */
  readonly kind: string;
  readonly name: string;
  /** The application that it is in, if it is in one. */
  readonly application?: string;
}

/** Something that an accepted push should have its sender look at. */
export interface Warning {
  readonly message: string;
  readonly code: WarningCode;
  /** A JSON pointer (RFC 6901) in the sender's own spelling of keys. */
  readonly pointer: string;
  readonly subject: Subject;
}

/** A warning as it is kept: versions before 2026-11-24 kept its message alone. */
export type KeptWarning = Pick<Warning, 'message'> & Partial<Warning>;

/** The subject of a kind, a name and the application around it, if there is one. */
export const subjectOf = (kind: string, name: string, application = ''): Subject =>
  application === '' ? { kind, name } : { kind, name, application };

/** How sentences name a subject. */
export const titleOf = ({ kind, name, application }: Subject): string =>
  application === undefined
    ? `${kind} ${JSON.stringify(name)}`
    : `${kind} ${JSON.stringify(name)} of application ${JSON.stringify(application)}`;
