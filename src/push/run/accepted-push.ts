import type { PushEffect } from './apply-push';

/** What an accepted push did (docs/rules.md: Requests). */
export interface AcceptedPush extends PushEffect {
  readonly push: string;
  readonly at: string;
  readonly seconds: Readonly<Record<string, number>>;
}
