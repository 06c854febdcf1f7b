/** A query needs more than a question may use. The message says what to write instead. */
export class TooMuch extends Error {}

/** The service cannot read a query, so it cannot check it. */
export class Unreadable extends Error {}
