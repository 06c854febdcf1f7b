import type { PushEffect } from './apply-push';

/** What an accepted push did (api.md 2). */
export interface TakenPush extends PushEffect {
  readonly push: string;
  readonly at: string;
  readonly seconds: Readonly<Record<string, number>>;
}
