import type { Entry } from './chain';
import { needsReason, MOST_KEPT_AT_ONCE, numbersOf, stateAfter } from './decide';
import type { ItemState, Mark, RemediationState } from './words';

/** What an item was when its review was opened. */
export interface OpenedItem {
  readonly number: number;
  readonly holder: string;
  readonly reviewer: string;
  readonly isCarried: boolean;
  readonly digest: string;
  readonly marks: readonly Mark[];
}

/** What an item is after all entries. */
export interface ReplayedItem {
  state: ItemState;
  reviewer: string;
  decidedBy: string;
  /** When and why it was decided last. */
  decided: { readonly at: string; readonly reason: string } | null;
  remediation: RemediationState | null;
  /** What changed the remediation last: who made an exception, until when and why; or which push. */
  changed: { readonly by: string; readonly detail: string; readonly reason: string } | null;
  /** What was sent last to the application: the action, by whom and when, and what was answered. */
  sent: {
    readonly action: string;
    readonly by: string;
    readonly at: string;
    readonly to: string;
  } | null;
  answer: string;
}

const REMEDIATION: Readonly<Record<string, RemediationState>> = {
  revoke: 'ordered',
  confirm: 'confirmed',
  block: 'blocked',
  order: 'ordered',
  came_back: 'came_back',
  except: 'excepted',
};

/** The acts that say who or what changed a remediation. */
const CHANGING: readonly string[] = ['except', 'confirm', 'block', 'came_back'];

/** Goes through the chain of a review again, and finds what the rules do not allow. */
export class Replay {
  private readonly opened = new Map<number, OpenedItem>();
  private readonly now = new Map<number, ReplayedItem>();
  /** The entries that closed the review, sealed it again, opened it, and cancelled it. */
  closing: Entry | null = null;
  seal: Entry | null = null;
  opening: Entry | null = null;
  cancelling: Entry | null = null;
  readonly findings: string[] = [];

  /** The aliases of owner and fallback: first those of the opening. */
  constructor(
    public owner: string,
    public fallback: string,
  ) {}

  /** Adds an item as it was when the review was opened. */
  add(item: OpenedItem): void {
    this.opened.set(item.number, item);
    this.now.set(item.number, {
      state: item.isCarried ? 'carried' : 'pending',
      reviewer: item.reviewer,
      decidedBy: '',
      decided: null,
      remediation: null,
      changed: null,
      sent: null,
      answer: '',
    });
  }

  /** What an item is by now. */
  itemOf(number: number): ReplayedItem | undefined {
    return this.now.get(number);
  }

  /** Applies the next entry, with its reason. */
  apply(entry: Entry, reason: string): void {
    if (entry.item === 0) return this.applyToReview(entry);
    const hasReason = reason.trim() !== '';
    const [opened, now] = [this.opened.get(entry.item), this.now.get(entry.item)];
    const find = (what: string): unknown => this.findings.push(`Entry ${entry.seq}: ${what}.`);
    if (opened === undefined || now === undefined)
      return void find(`there is no item ${entry.item}`);
    if (entry.shown !== opened.digest) find(`item ${entry.item} is not what was shown`);
    if (entry.by !== '' && entry.by === opened.holder) find(`somebody decided about themselves`);
    if (entry.act === 'keep' || entry.act === 'revoke') {
      const isService = entry.by === '' && entry.act === 'revoke';
      if (!isService && entry.by !== now.reviewer) find('somebody else was the reviewer');
      if (entry.act === 'revoke' && !hasReason) find('a revoke has no reason');
      if (entry.act === 'keep' && needsReason(opened) && (!hasReason || entry.batch > 1)) {
        find('a keep that needs a reason has none, or was one of several');
      }
      if (entry.act === 'keep' && entry.batch > MOST_KEPT_AT_ONCE)
        find('too many were kept at once');
      now.decidedBy = entry.by;
    }
    if (entry.act === 'except' && now.state === 'revoke' && entry.by === now.decidedBy) {
      find('who reviewed the item made an exception of it');
    }
    const { act, at, by, detail } = entry;
    const isSilence = act === 'except' && now.state !== 'revoke';
    if (act === 'keep' || act === 'revoke' || isSilence) now.decided = { at, reason };
    else if (CHANGING.includes(act)) now.changed = { by, detail, reason };
    if (act === 'send') {
      now.sent = { action: detail, by, at, to: reason };
      now.answer = '';
      if (now.state !== 'revoke') find('what nobody revoked was sent to an application');
    }
    if (act === 'answered') {
      now.answer = reason;
      if (detail !== now.sent?.action) find('an answer is that of another action');
    }
    if (act === 'reassign') now.reviewer = detail;
    now.remediation = this.remediationAfter(entry, now);
    now.state = stateAfter(entry.act, now.state);
  }

  private remediationAfter({ act }: Entry, now: ReplayedItem): RemediationState | null {
    if (act === 'keep') return now.remediation === null ? null : 'withdrawn';
    if (act === 'revoke') {
      return now.remediation === null || now.remediation === 'withdrawn'
        ? 'ordered'
        : now.remediation;
    }
    // Of what is not revoked, silence makes exceptions, and what was gone is pending again.
    if ((act === 'except' || act === 'came_back') && now.state !== 'revoke') return now.remediation;
    return REMEDIATION[act] ?? now.remediation;
  }

  private applyToReview(entry: Entry): void {
    const { seq, act, detail } = entry;
    if (act === 'open') {
      this.opening = entry;
      if (seq !== 1) this.findings.push(`Entry ${seq}: the review was open already.`);
    }
    if (act === 'name_owner') this.owner = detail;
    if (act === 'name_fallback') this.fallback = detail;
    if (act === 'cancel') this.cancelling = entry;
    if (act === 'remediated') this.seal = entry;
    if (act !== 'close') return;
    this.closing = entry;
    if (entry.by !== this.owner) {
      this.findings.push(`Entry ${seq}: somebody else than the owner closed the review.`);
    }
    const counts: Partial<Record<ItemState, number>> = {};
    for (const { state } of this.now.values()) counts[state] = (counts[state] ?? 0) + 1;
    if (JSON.stringify(numbersOf(counts)) !== detail) {
      this.findings.push(`Entry ${seq}: the numbers at the closing are other ones.`);
    }
    if ((counts.pending ?? 0) > 0) this.findings.push(`Entry ${seq}: items were pending.`);
  }
}
