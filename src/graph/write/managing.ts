import { changedByFolding } from '../../model/folded-texts';
import { grouped } from '../../model/grouped';
import { RESOURCE_MANAGERS } from '../../templates/graph/derivations';
import { keyOf } from '../../model/key';
import { Tag } from '../../model/shared-nodes';
import type { NodeKind } from '../../model/table';
import type { Trusts } from '../../templates/graph/trusts';
import {
  DRAW_MANAGER_TAGS,
  drawManagers,
  UNDRAW_MANAGER_TAGS,
  undrawManagers,
} from '../rows/derivation-statements';
import { STANDING_NODES } from '../rows/node-statements';
import type { DerivationWitness } from './derivation-witness';
import type { Pipeline } from '../../neo4j/pipeline';

/** A possible pair of managed node and manager. The push checks it again. */
export interface Candidate {
  readonly managed: string;
  readonly managedKind: NodeKind;
  readonly manager: string;
  readonly managerKind: NodeKind;
  readonly managerId: string;
}

/** A relationship, by the keys of its nodes. */
export type Pair = { start: string; end: string };

/** The key of a tag, and the id of the manager whom it names, if it names one. */
type NotedTag = readonly [string, string | null];

/** The noted tags of managed nodes, by the keys of the nodes and of the tags. */
type NotedTags = Map<string, Map<string, NotedTag>>;

/**
 * Creates and removes the relationships and tags that show who manages what. They follow from OWNS
 * and RESOLVES_TO (docs/rules.md: Derived relationships).
 */
export class Managing {
  /** Tags that may have lost their last relationship. */
  readonly leftTags = new Set<string>();
  private readonly candidates = new Map<string, Candidate>();
  private readonly tags = new Map<NodeKind, NotedTags>();
  private readonly constants: Readonly<Record<string, unknown>>;
  private readonly isTrusting: boolean;

  constructor(
    private readonly pipeline: Pipeline,
    constants: Readonly<Record<string, unknown>>,
    private readonly witness: DerivationWitness,
    trusts: Trusts,
  ) {
    this.isTrusting = !trusts.areNone;
    this.constants = this.isTrusting
      ? { ...constants, meant: trusts.identityProviders }
      : constants;
  }

  /** Notes a pair that the push must check. */
  note(candidate: Candidate): void {
    this.candidates.set(`${candidate.managed} ${candidate.manager}`, candidate);
  }

  /**
   * Notes a tag of a managed node that the push must check. The manager's id is `null` if the tag
   * names no manager.
   */
  noteTag(managedKind: NodeKind, managed: string, tag: string, managerId: string | null): void {
    this.leftTags.add(tag);
    const noted = this.tags.get(managedKind) ?? (new Map() as NotedTags);
    const ofManaged = noted.get(managed) ?? new Map<string, NotedTag>();
    // Managers of several directories may share an id, and so a tag. It ends once.
    this.tags.set(managedKind, noted.set(managed, ofManaged.set(tag, [tag, managerId])));
  }

  /** Checks all noted pairs and tags. */
  async run(): Promise<void> {
    const reports: Promise<void>[] = [];
    const tell = (
      change: 'drawn' | 'undrawn',
      type: string,
      pairs: Promise<readonly Pair[]>,
    ): void => {
      reports.push(
        pairs.then((all) => {
          for (const { start, end } of all) this.witness.derived(change, type, start, end);
        }),
      );
    };
    const all = [...this.candidates.values()].sort((a, b) => (a.managed < b.managed ? -1 : 1));
    this.candidates.clear();
    for (const [managedKind, ofKind] of grouped(all, (candidate) => candidate.managedKind)) {
      for (const [managerKind, group] of grouped(ofKind, (candidate) => candidate.managerKind)) {
        const pairs = group.map(({ managed, manager }) => [managed, manager]);
        const labels = { managed_label: [managedKind.label], manager_label: [managerKind.label] };
        const [undraw, draw] = [undrawManagers, drawManagers].map((statement) =>
          this.pairs(statement(this.isTrusting), 'pairs', pairs, labels),
        ) as [Promise<readonly Pair[]>, Promise<readonly Pair[]>];
        tell('undrawn', RESOURCE_MANAGERS, undraw);
        tell('drawn', RESOURCE_MANAGERS, draw);
      }
      for (const { managed, managerId } of ofKind) {
        this.noteTag(
          managedKind,
          managed,
          keyOf(Tag.label, RESOURCE_MANAGERS, managerId),
          managerId,
        );
      }
    }
    for (const [managedKind, noted] of this.tags) {
      const tags = [...noted].map(
        ([managed, ofManaged]) => [managed, [...ofManaged.values()]] as const,
      );
      const label = { label: [managedKind.label] };
      tell('undrawn', 'TAGGED', this.pairs(UNDRAW_MANAGER_TAGS, 'pairs', tags, label));
      tell('drawn', 'TAGGED', this.drawTags(tags));
    }
    this.tags.clear();
    await Promise.all(reports);
  }

  private async drawTags(
    tags: readonly (readonly [string, readonly NotedTag[]])[],
  ): Promise<readonly Pair[]> {
    const keys = [...new Set(tags.flatMap(([, ofManaged]) => ofManaged.map(([key]) => key)))];
    // Both statements go out together, in this order.
    const asked = this.pipeline.ask<{ keys: string[] }>(STANDING_NODES, 'keys', keys);
    const drawn = this.pairs(
      DRAW_MANAGER_TAGS,
      'pairs',
      tags.map(([managed, ofManaged]) => [
        managed,
        ofManaged.map(([key, id]) => [key, id, id === null ? null : changedByFolding(id)]),
      ]),
    );
    const [records, pairs] = await Promise.all([asked, drawn]);
    const existing = new Set(records.flatMap((record) => record.get('keys')));
    for (const { end } of pairs) {
      if (!existing.has(end)) this.witness.shared('created', Tag, end);
    }
    return pairs;
  }

  /** Runs a statement that returns relationships. */
  private async pairs(
    statement: string,
    name: string,
    items: readonly unknown[],
    more: Readonly<Record<string, unknown>> = {},
  ): Promise<readonly Pair[]> {
    const records = await this.pipeline.ask<Pair>(statement, name, items, {
      ...this.constants,
      ...more,
    });
    return records.map((record) => ({ start: record.get('start'), end: record.get('end') }));
  }
}
