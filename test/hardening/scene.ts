import type { Sent } from './client';
import type { Random } from './random';
import type { Target } from './target';

/** What a request may be about. */
export interface Scene {
  readonly target: Target;
  /** A data source of an identity provider. */
  readonly directory: Target;
  /** A provider of which nothing more is needed. */
  readonly spare: string;
  /** The newest upload to the data source. */
  readonly upload: string;
  /** A key that may only read. */
  readonly readingKey: string;
  /** A team key of which nothing more is needed. */
  readonly teamKey: string;
  /** The name of whoever sends. */
  readonly name: string;
  readonly random: Random;
}

/** Below this path stand all providers. */
export const PROVIDERS = '/api/v1/providers/custom';

export const get = (path: string): Sent => ({ method: 'GET', path });

/** The path of a data source. */
export const sourcePath = ({ provider, id }: Target): string =>
  `${PROVIDERS}/${provider}/datasources/${id}`;
