import type { Work } from '../scim-filter/matching';
import type { Email } from './resource';

const keyOf = ({ value, type }: Email): string => JSON.stringify([value, type]);

/** An email with the parts that are set, always in the same order. */
export const emailWith = ({
  value,
  type,
  primary,
}: {
  readonly [Part in keyof Email]?: Email[Part] | null | undefined;
}): Email => ({
  ...(typeof value === 'string' && value !== '' && { value }),
  ...(typeof type === 'string' && type !== '' && { type }),
  ...(typeof primary === 'boolean' && { primary }),
});

/**
 * The emails of a user while a PATCH changes them, in their order. No two have the same value and
 * type, and at most one is primary (RFC 7643, 2.4). To add one costs the same, however many there
 * are.
 */
export class Emails {
  private emails = new Map<string, Email>();
  /** The key of the primary one. */
  private primary: string | null = null;

  constructor(
    standing: readonly Email[],
    private readonly work: Work,
  ) {
    this.add(standing);
  }

  get all(): readonly Email[] {
    return [...this.emails.values()];
  }

  /** Adds some. One that stands already gains the parts that were sent. */
  add(sent: readonly Email[]): void {
    for (const email of sent) this.put(email);
  }

  replace(sent: readonly Email[]): void {
    this.clear();
    this.add(sent);
  }

  /** Removes those that fit. */
  remove(fits: (email: Email) => boolean): void {
    this.rebuild((email) => (fits(email) ? null : email));
  }

  /** Removes those that have one of these values. */
  removeValues(values: ReadonlySet<string | undefined>, fits: (email: Email) => boolean): void {
    this.remove((email) => values.has(email.value) && fits(email));
  }

  /**
   * Sets parts of those that fit; null unsets a part. Only the first of them can become the primary
   * one. Gives whether any fits.
   */
  change(
    fits: (email: Email) => boolean,
    parts: Readonly<Record<string, string | boolean | null>>,
  ): boolean {
    let changed = 0;
    this.rebuild((email) => {
      if (!fits(email)) return email;
      changed += 1;
      const isSecond = changed > 1 && parts.primary === true;
      return emailWith({ ...email, ...parts, ...(isSecond && { primary: email.primary }) });
    }, parts.primary === true);
    return changed > 0;
  }

  private rebuild(change: (email: Email) => Email | null, setsPrimary = false): void {
    const before = this.all;
    this.work.add(before.length);
    const former = this.primary === null ? undefined : this.emails.get(this.primary);
    this.clear();
    for (const email of before) {
      const changed = change(email);
      if (changed === null) continue;
      // Whoever was primary gives way to the one that becomes it.
      const gaveWay = setsPrimary && email === former && this.primary !== null;
      this.put(gaveWay ? emailWith({ ...changed, primary: false }) : changed);
    }
  }

  private clear(): void {
    this.emails = new Map();
    this.primary = null;
  }

  private put(email: Email): void {
    if (email.value === undefined) return;
    const key = keyOf(email);
    const merged = emailWith({ ...this.emails.get(key), ...email });
    this.emails.set(key, merged);
    if (merged.primary !== true) {
      if (this.primary === key) this.primary = null;
      return;
    }
    const former = this.primary === null ? undefined : this.emails.get(this.primary);
    if (this.primary !== null && this.primary !== key && former !== undefined) {
      this.emails.set(this.primary, emailWith({ ...former, primary: false }));
    }
    this.primary = key;
  }
}
