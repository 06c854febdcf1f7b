/** Why a request to an application failed, each with its meaning (docs/provisioning.md: What can go wrong). */
export const SCIM_FAULTS = {
  ADDRESS_NOT_ALLOWED:
    'The settings do not allow the address, or the network that its name leads to.',
  UNREACHABLE: 'Nobody answers at the address.',
  BAD_CERTIFICATE: 'The certificate of the server is not valid.',
  REDIRECTED: 'The server answered with a redirect, which the service does not follow.',
  CUT: 'The connection broke before the answer was complete.',
  TOO_SLOW: 'The answer, or the complete action, took too long.',
  TOO_LARGE:
    'An answer is larger than the service reads, or all answers together are more than it holds or a push accepts.',
  NOT_SCIM:
    'The answer is not SCIM: HTML, other JSON, too deep or too many values, or resources without ids.',
  ENDLESS_PAGES: 'The pages of a list repeat, do not end, or differ each time they are read.',
  NOT_WHOLE: 'A list ends early, or leaves out what the application shows by its id.',
  SIGN_IN_REFUSED: 'The application, or its token endpoint, refused the sign-in.',
  BUSY: 'For each request the application said to try again later, or failed on its side.',
  REFUSED: 'The application refused the request.',
  CHANGED_MEANWHILE: 'Somebody else changed the resource each time before the service could.',
  NOT_OFFERED: 'The application offers no way to do this.',
  BAD_ID: 'The id is none that a path can hold, so no request is sent with it.',
  NO_ACCOUNT: 'The application has no such account.',
  NO_GROUP: 'The application has no such group.',
  AMBIGUOUS: 'Several accounts or groups of the application fit.',
  TAKEN: 'The account belongs to somebody else.',
  NOT_SHOWN: 'The application has made the account, and does not show it yet.',
  INCOMPLETE: 'The person lacks a value that an account needs.',
  NO_EFFECT: 'The application answered with success, but nothing changed.',
  MEMBERS_UNKNOWN:
    'The application does not show all members, so the service cannot write the list.',
  MEMBERS_LOST: 'The group has lost other members with the change.',
  REPEATS_SECRET:
    'A resource repeats a secret of the connection, and the service writes no mask over it.',
  NOT_AS_SHOWN:
    'The account or the group is another one than somebody was shown, or a policy manages the membership.',
  EMPTY: 'The application shows no account, so an import would remove all.',
} as const;

export type ScimFaultCode = keyof typeof SCIM_FAULTS;

/** What else is known about a fault. */
interface FaultDetails {
  /** The status of the answer. */
  readonly status?: number;
  /** After how many seconds the application wants to receive the request again. */
  readonly retryAfterSeconds?: number;
  /** `scimType` of the answer, in lower case. */
  readonly scimType?: string;
  readonly cause?: unknown;
}

/** The same request may succeed later. */
const PASSING: ReadonlySet<ScimFaultCode> = new Set([
  'UNREACHABLE',
  'CUT',
  'TOO_SLOW',
  'BUSY',
  'CHANGED_MEANWHILE',
]);

const WHOLE: ReadonlySet<ScimFaultCode> = new Set([
  'UNREACHABLE',
  'BAD_CERTIFICATE',
  'ADDRESS_NOT_ALLOWED',
  'SIGN_IN_REFUSED',
  'REDIRECTED',
]);

/** Whether all requests to the application would fail in the same way now. */
export const isDown = ({ code }: ScimFault): boolean => WHOLE.has(code);

/** An application did not do what the service requested. The message holds no secrets. */
export class ScimFault extends Error {
  constructor(
    readonly code: ScimFaultCode,
    message: string,
    readonly details: FaultDetails = {},
  ) {
    super(message, { cause: details.cause });
  }

  /** Whether the same request may succeed later. */
  get mayPass(): boolean {
    return PASSING.has(this.code);
  }
}
