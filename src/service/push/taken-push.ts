import type { PushResult } from './push-metadata';

/** What an accepted push did, with its warnings as they are sent: of a large push they are many. */
export interface TakenPush extends Omit<PushResult, 'warnings'> {
  readonly warnings: {
    readonly count: number;
    /** The whole list as JSON, made where the push ran. */
    readonly json: Uint8Array<ArrayBuffer>;
  };
}

/** A push's result with its warnings as they are sent. */
export const takenPush = ({ warnings, ...result }: PushResult): TakenPush => ({
  ...result,
  warnings: { count: warnings.length, json: new TextEncoder().encode(JSON.stringify(warnings)) },
});
