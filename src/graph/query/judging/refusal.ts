/** A query asks for more than a question may make. The message says what to write instead. */
export class TooMuch extends Error {}

/** The service cannot read a query, so it cannot judge it. */
export class Unreadable extends Error {}
