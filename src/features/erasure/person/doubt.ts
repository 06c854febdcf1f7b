import type { Doubt } from '../endpoints';

/** Something that is perhaps the person's. */
export interface Doubtful {
  readonly key: string;
  readonly label: string;
  readonly name: string | null;
  readonly reason: Doubt;
}

/** The operator decided about something that the plan does not list as such. */
export class NothingToDecide extends Error {
  constructor(
    readonly field: 'also' | 'except',
    readonly key: string,
  ) {
    super('nothing to decide about a key');
  }
}

/** What the operator has decided: which doubtful things go, and which certain ones stay. */
export class Decisions {
  private readonly used = new Set<string>();
  private readonly alsoKeys: ReadonlySet<string>;
  private readonly exceptKeys: ReadonlySet<string>;

  constructor(
    also: readonly string[] = [],
    except: readonly string[] = [],
    private readonly trusted: readonly string[] = [],
  ) {
    this.alsoKeys = new Set(also);
    this.exceptKeys = new Set(except);
  }

  /** All lists, in an order of their own. */
  get lines(): readonly (readonly string[])[] {
    return [
      ...[...this.alsoKeys].sort().map((key) => ['also', key]),
      ...[...this.exceptKeys].sort().map((key) => ['except', key]),
      ...[...this.trusted].sort().map((provider) => ['trusted', provider]),
    ];
  }

  /** Whether something doubtful goes. */
  goes(key: string): boolean {
    if (!this.alsoKeys.has(key)) return false;
    this.used.add(key);
    return true;
  }

  /** Whether something certain stays. */
  stays(key: string): boolean {
    if (!this.exceptKeys.has(key)) return false;
    this.used.add(key);
    return true;
  }

  /** Whether something stays about which nobody has to decide here. */
  isLeft(key: string): boolean {
    return this.exceptKeys.has(key);
  }

  /**
   * Rejects keys that decide nothing. Something doubtful may become certain when something else is
   * removed, so `also` may name what is touched anyway.
   */
  check(isTouched: (key: string) => boolean): void {
    for (const key of this.alsoKeys) {
      const isDecided = this.used.has(key) || isTouched(key);
      if (!isDecided || this.exceptKeys.has(key)) throw new NothingToDecide('also', key);
    }
    for (const key of this.exceptKeys) {
      if (!this.used.has(key)) throw new NothingToDecide('except', key);
    }
  }
}
