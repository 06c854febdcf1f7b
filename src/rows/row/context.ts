import type { Definitions } from '../../check/definitions';
import type { Named, NameSource } from '../../check/names';
import { fold, nfc } from '../../model/fold';
import { keyOf } from '../../model/key';
import { CloudRole, ExternalEntity, Identity, Tag } from '../../model/shared-nodes';
import type { NodeKind } from '../../model/table';
import { stepsOf } from '../../codec/pointer';
import { type Message, ProblemCollector } from '../../codec/problem-collector';
import type { ProblemCode } from '../../problem';
import { type Subject, titleOf, type Warning } from '../../warning';
import { ExpandsTooFar } from './expansion';
import { mayMean, unknown } from './refusal';
import type { Place } from './place';
import type { PropertyValues, SharedNode } from './row';
import { quoted } from '../../codec/quote';

/**
 * Names that a field mentions and that another data source resolves. The push warns about those
 * that match nothing there (docs/rules.md: Warnings).
 */
export interface Mention {
  readonly pointer: string;
  /** The names as sent, by the keys of the shared nodes that they mean. */
  readonly names: ReadonlyMap<string, string>;
  readonly missing: 'identity' | 'IAM role';
  /** The entity that has the field. */
  readonly subject: () => Subject;
  /** The field as sentences name it, such as `local user "ann" of application "crm": owners`. */
  readonly where: () => string;
}

/** What the writers of rows need in addition to the payload, and what they collect. */
export class RowContext {
  readonly problems = new ProblemCollector();
  readonly mentions: Mention[] = [];
  readonly remarks: Warning[] = [];
  readonly shared = new Map<string, SharedNode>();
  private readonly mentionedHolders = new Set<string>();
  private multiplied = 0;

  constructor(
    private readonly names: NameSource,
    readonly definitions: Definitions,
    /**
     * The limit on relationships to further nodes of one entity, such as a typed permission. The
     * first node of each entity does not count.
     */
    private readonly mostMultiplied = Infinity,
  ) {}

  /**
   * Counts the nodes of an entity before a row states a relationship to each of them. Throws
   * `ExpandsTooFar` above the limit.
   */
  multiply(nodes: number, pointer: () => string): void {
    if (nodes > 1) this.multiplied += nodes - 1;
    if (this.multiplied > this.mostMultiplied) throw new ExpandsTooFar(pointer());
  }

  /** Adds the warning that a role gives nothing (docs/rules.md: Warnings). */
  remarkEmptyRole({ pointer, subject: subjectOf }: Pick<Place, 'pointer' | 'subject'>): void {
    const subject = subjectOf();
    const message = `Role is missing permission (${titleOf(subject)})`;
    this.remarks.push({ message, code: 'EMPTY_ROLE', pointer, subject });
  }

  /** Notes that an entry gives something to a federated identity. Each identity is noted once. */
  mentionHolder(identity: string, entryPointer: string): void {
    const key = this.identity(identity);
    if (this.mentionedHolders.has(key)) return;
    this.mentionedHolders.add(key);
    this.mentions.push({
      pointer: `${entryPointer}/identity`,
      names: new Map([[key, identity]]),
      missing: 'identity',
      subject: () => ({ kind: 'identity', name: identity }),
      where: () => 'identity_to_permissions',
    });
  }

  /**
   * The one entity that a reference names. If there is no such entity, it reports the problem at
   * the pointer and returns `null` (docs/rules.md: References, Problems).
   */
  resolve(
    kind: NodeKind,
    application: string,
    reference: string,
    pointer: () => string,
  ): Named | null {
    const found = this.names.find(kind.label, application, reference);
    const [only] = found;
    if (found.length === 1 && only !== undefined) return only;
    if (found.length === 0) {
      this.refuse(pointer(), 'UNKNOWN_REFERENCE', (hints) =>
        unknown(reference, this.names.spellings(kind.label, application), hints),
      );
    } else {
      this.refuse(pointer(), 'AMBIGUOUS_REFERENCE', () => `${quoted(reference)} ${mayMean(found)}`);
    }
    return null;
  }

  /** Reports a problem. */
  refuse(pointer: string, code: ProblemCode, message: Message): void {
    this.problems.add(stepsOf(pointer), code, message);
  }

  /** The key of the Identity for a login, email or group name. */
  identity(name: string): string {
    const folded = fold(name);
    return this.share(Identity, keyOf('Identity', folded), { name: folded });
  }

  cloudRole(arn: string): string {
    const exact = nfc(arn);
    return this.share(CloudRole, keyOf('CloudRole', exact), { arn: exact });
  }

  externalEntity(nodeType: string, id: string): string {
    const [type, folded] = [fold(nodeType), fold(id)];
    const key = keyOf('ExternalEntity', type, folded);
    return this.share(ExternalEntity, key, { node_type: type, id: folded });
  }

  tag(name: string, value: string | null | undefined): string {
    const key = keyOf('Tag', nfc(name), nfc(value || ''));
    return this.share(
      Tag,
      key,
      value ? { name: nfc(name), value: nfc(value) } : { name: nfc(name) },
    );
  }

  private share(kind: NodeKind, key: string, properties: PropertyValues): string {
    if (!this.shared.has(key)) this.shared.set(key, { kind, key, properties });
    return key;
  }
}
