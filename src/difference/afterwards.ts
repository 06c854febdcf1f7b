import { Digest } from '../model/digest';
import type { Difference, CurrentHashes } from './difference';

/** How many rows a data source holds, and their digest (docs/rules.md: Digests). */
export interface Holding {
  readonly digest: string;
  readonly rows: number;
}

/** Computes the rows and digest of a data source from the hashes of all its rows. */
export const holdingOf = (current: CurrentHashes): Holding => ({
  digest: Digest.empty.with(current.values()).hex,
  rows: current.size,
});

/**
 * The rows and digest of a data source after a diff. It computes the digest only when a caller
 * needs it.
 */
export class Afterwards implements Holding {
  private made: string | undefined;

  constructor(
    private readonly before: Holding,
    private readonly difference: Pick<Difference, 'created' | 'changed' | 'removed'>,
  ) {}

  get rows(): number {
    const { created, removed } = this.difference;
    return this.before.rows + created.length - removed.length;
  }

  get digest(): string {
    return (this.made ??= this.digestNow());
  }

  private digestNow(): string {
    const { created, changed, removed } = this.difference;
    return Digest.of(this.before.digest).with(
      [...created.map(({ hash }) => hash), ...changed.map(({ after }) => after.hash)],
      [...removed.map(({ hash }) => hash), ...changed.map(({ before }) => before.hash)],
    ).hex;
  }
}
