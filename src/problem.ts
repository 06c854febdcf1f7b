/**
 * The codes of problems in a payload or request, each with its meaning (docs/rules.md: Problems).
 */
export const PROBLEM_CODES = {
  NOT_JSON: 'The text is not JSON.',
  WRONG_TYPE: 'The value does not have the JSON type of its field.',
  MISSING_FIELD: 'A required field is absent or null.',
  UNKNOWN_FIELD: 'The object has no field of this name.',
  REPEATED_FIELD: 'The object has one field twice, spelled alike or in another case.',
  TOO_LONG: 'The text is longer than its field allows.',
  TOO_SHORT: 'The secret is so short that it could not be hidden in what an application repeats.',
  ILL_FORMED_TEXT: 'The text is not well-formed Unicode.',
  CONTROL_CHARACTER:
    'The text has a control character. Only descriptions, values of custom properties and filters may have tabs and line breaks.',
  EMPTY: 'A required name or id, or an entry of a reference list, is empty.',
  NOT_FINITE: 'The number is too large.',
  BAD_TIME: 'The text is not an RFC 3339 time.',
  UNKNOWN_VALUE: 'The field does not accept this value.',
  BAD_NAME:
    'The name of a tag, a property, a provider or a data source has characters that are not allowed, or blanks that pages do not show.',
  TOO_DEEP: 'Resources, or the values of a body, are nested deeper than the limit.',
  DOMAIN_COUNT: 'An identity provider has exactly one domain.',
  NO_APPLICATION: 'An application payload has at least one application.',
  NO_IDENTITY: 'An application payload has at least one local principal or one idp entry.',
  TOO_MANY_DYNAMIC_PROPERTIES: 'An entity has at most five dynamic properties.',
  TOO_MANY_PROPERTY_NAMES:
    'The name of a custom or dynamic property is new, and the limit on such names is reached.',
  UNDECLARED_PROPERTY: 'The custom property is not declared in this payload.',
  PROPERTY_TYPE: 'The value of the custom property is not of its declared type.',
  CONFLICTING_DEFINITION: 'One custom property is declared with two types.',
  PROPERTY_TYPE_CHANGED: 'The custom property was declared with another type in an earlier push.',
  UNKNOWN_REFERENCE: 'The reference names nothing in the payload.',
  AMBIGUOUS_REFERENCE: 'The reference fits more than one entity.',
  DUPLICATE_ID: 'Two entities of one kind have the same id.',
  MIXED_IDS: 'Some resources of one type have an id and others have none.',
  SELF_REFERENCE: 'A group, role or permission list names itself.',
  OPERATION_IN_FULL_PUSH: 'A payload without `incremental_change: true` has an operation.',
  INCREMENTAL_FIRST_PUSH: 'The first push of a data source must be full.',
  UNKNOWN_ENTITY: 'The operation needs an entity or a statement that does not exist.',
  OPERATION_NOT_ALLOWED: 'The kind of entity has no such operation.',
  ID_MISMATCH: 'An id in the body differs from the one in the path.',
  NAME_TAKEN: 'Another provider, or another data source of the provider, has this name.',
  BAD_COMPRESSION: 'The data cannot be decompressed.',
  BAD_BASE64: 'The text is not base64.',
  BAD_ADDRESS: 'The service may not call the address, or it is none.',
  BAD_PATH: 'The path of an attribute cannot be understood, or names none.',
  NO_TARGET: 'The path of an attribute fits nothing that exists.',
  READ_ONLY: 'The attribute cannot be changed.',
  POLICIES_DISAGREE: 'Another policy of the provider says something else.',
  BAD_FILTER: 'The filter cannot be understood.',
  BAD_PAGE_TOKEN: 'The page token does not belong to this list.',
  BAD_CYPHER: "The query cannot be run; the message is Neo4j's own.",
  NOT_READING: 'The query does more than read the graph.',
  BAD_PARAMETER: 'The value of a query parameter does not fit the type that it names.',
  OUT_OF_RANGE: 'The number or time is not in the range that its field accepts.',
  UNKNOWN_UPLOAD: 'There is no such upload of this data source, or it is older than an hour.',
  MISSING_PART: 'A part of the upload is missing.',
  REPEATED_PART: 'The upload has another part of this number already.',
  WIDENS_KEY: 'The empty list would widen what the team key may do.',
  PAST_TIME: 'The time has passed.',
  EXPANDS_TOO_FAR:
    'The payload would make more nodes, relationships and list entries than the limit allows.',
  NOT_FINISHED: 'The chunked push had begun and could not be finished.',
  NOT_CSV: 'The text is not CSV, or a row has more or fewer cells than the first row.',
} as const;

export type ProblemCode = keyof typeof PROBLEM_CODES;

/** A place in a CSV file (docs/connectors.md: CSV files). */
export interface CsvPlace {
  /** The number of the row, counted as in spreadsheets: the names of the columns are row 1. */
  readonly row?: number;
  /** The name of the column, as the file spells it. */
  readonly column?: string;
}

/**
 * One reason why the service refused a payload or request: the place, the broken rule, and a
 * sentence (docs/rules.md: Problems).
 */
export interface Problem extends CsvPlace {
  /** A JSON pointer (RFC 6901). It spells keys as the sender did. */
  readonly pointer: string;
  readonly code: ProblemCode;
  readonly message: string;
  /**
   * The text around the place, for the sender only: no record has it, since an erasure would not find
   * half of a name in it.
   */
  readonly near?: string;
}

/**
 * Problems in payload order. The list may be cut; `total` counts them all (docs/rules.md:
 * Problems).
 */
export interface ProblemList {
  readonly problems: readonly Problem[];
  readonly total: number;
}

/** The codes of refused requests, each with its status and meaning (docs/rules.md: Requests). */
export const API_CODES = {
  InvalidArgument: { status: 400, meaning: 'The request or the payload is not valid.' },
  Unauthenticated: { status: 401, meaning: 'The key is missing or not known.' },
  PermissionDenied: { status: 403, meaning: 'The key does not allow this.' },
  NotFound: { status: 404, meaning: 'There is no such thing.' },
  FailedPrecondition: {
    status: 409,
    meaning: 'The state of the data source does not allow this now.',
  },
  PayloadTooLarge: {
    status: 413,
    meaning: 'The body, or what the answer needs, is larger than the limit.',
  },
  ResourceExhausted: { status: 429, meaning: 'Too many requests; try again later.' },
  Internal: { status: 500, meaning: 'The service failed; the request id leads to the reason.' },
  Unavailable: { status: 503, meaning: 'The graph database does not answer; try again later.' },
} as const;

export type ApiCode = keyof typeof API_CODES;

/** A transaction that was given up, and that Neo4j has not ended. */
export interface StillRunning {
  /** The text by which `SHOW TRANSACTIONS` finds it, in its metadata. */
  readonly transaction: string;
  /** Whether it ran longer than it may. If not, its client left. */
  readonly isOverdue: boolean;
  /** Resolves when Neo4j has ended it. */
  readonly ended: Promise<void>;
}

/** Why a use case gave no result. `message` is for the caller, `cause` only for the log. */
export type Failure =
  | ({ readonly _tag: 'Invalid'; readonly message: string } & ProblemList)
  | { readonly _tag: 'AlreadyExists'; readonly message: string; readonly field: string }
  | { readonly _tag: 'Unauthenticated'; readonly message: string }
  | { readonly _tag: 'PermissionDenied'; readonly message: string }
  | { readonly _tag: 'NotFound'; readonly message: string }
  | { readonly _tag: 'Conflict'; readonly message: string }
  | { readonly _tag: 'TooLarge'; readonly message: string }
  | { readonly _tag: 'Exhausted'; readonly message: string; readonly retryAfterSeconds?: number }
  | {
      readonly _tag: 'Unavailable';
      readonly message: string;
      readonly cause?: unknown;
      /**
       * Set if Neo4j does not answer. The log then has one line for the complete outage, and not
       * one for each request (docs/operating.md: When Neo4j is away).
       */
      readonly isOutage?: true;
      /** Set if Neo4j still works on something that was given up. */
      readonly stillRunning?: StillRunning;
    }
  | { readonly _tag: 'Internal'; readonly message: string; readonly cause: unknown };

/** The code with which the service answers each failure (docs/rules.md: Requests). */
export const API_CODE_OF: { readonly [Tag in Failure['_tag']]: ApiCode } = {
  Invalid: 'InvalidArgument',
  AlreadyExists: 'InvalidArgument',
  Unauthenticated: 'Unauthenticated',
  PermissionDenied: 'PermissionDenied',
  NotFound: 'NotFound',
  Conflict: 'FailedPrecondition',
  TooLarge: 'PayloadTooLarge',
  Exhausted: 'ResourceExhausted',
  Unavailable: 'Unavailable',
  Internal: 'Internal',
};

/** The failure that lists these problems under one sentence. */
export const invalid = (message: string, { problems, total }: ProblemList): Failure => ({
  _tag: 'Invalid',
  message,
  problems,
  total,
});

/** The failure that lists what is wrong with a request. */
export const badRequest = (problems: ProblemList): Failure =>
  invalid('The request is not valid.', problems);

/** The failure that names one place of a request. */
export const badField = (pointer: string, code: ProblemCode, message: string): Failure =>
  badRequest(oneProblem(pointer, code, message));

/** The list of one problem. */
export const oneProblem = (pointer: string, code: ProblemCode, message: string): ProblemList => ({
  problems: [{ pointer, code, message }],
  total: 1,
});
