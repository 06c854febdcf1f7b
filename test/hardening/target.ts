import type { Template } from '../arbitrary/repair';

/** A data source, and what the last push that it accepted left. */
export interface Target {
  readonly provider: string;
  readonly id: string;
  readonly template: Template;
  /** The good payload from which all that is pushed to it comes. */
  readonly seed: object;
  digest: string | null;
  /** The newest upload to it. */
  upload: string;
}
