import type {
  ChangedRelationships,
  ChangedTags,
  NodeReference,
  ChangedRelationship,
} from '../../contract/answers/plan';
import type { Difference } from '../../difference/difference';
import { graphKey } from '../../graph/write/current-rows';
import type { Stated } from '../../rows/row/row';
import { type Listed, listed } from './listed';
import { type Sight, plannedEnd, orderOfEnd } from './node-reference';

/** What a push does to a tag or relationship of a changed node. */
type Fate = 'added' | 'changed' | 'removed';

interface Statement {
  readonly fate: Fate;
  readonly stated: Stated;
}

/**
 * The statements of the rows that a push changes, by row: tags and other relationships
 * (docs/api.md: Plan).
 */
export class ChangedStatements {
  private readonly byRow = new Map<string, Statement[]>();

  constructor(
    { changed, linked, relabelled, unlinked }: Difference,
    private readonly limit: number,
    private readonly sight: Sight,
  ) {
    for (const { after } of changed) this.byRow.set(after.row.key, []);
    for (const { row, stated } of linked) this.note(row, { fate: 'added', stated });
    for (const { row, stated } of relabelled) this.note(row, { fate: 'changed', stated });
    for (const { row, stated } of unlinked) this.note(row, { fate: 'removed', stated });
  }

  /** Whether the row states the same as before the push. */
  isSame(row: string): boolean {
    return this.of(row).length === 0;
  }

  tags(row: string): ChangedTags {
    const tags = this.of(row).filter(isTag);
    const [added, removed] = [this.ends(tags, 'added'), this.ends(tags, 'removed')];
    return {
      total: tags.length,
      truncated: added.truncated || removed.truncated,
      added: added.values,
      removed: removed.values,
    };
  }

  relationships(row: string): ChangedRelationships {
    const statements = this.of(row).filter((statement) => !isTag(statement));
    const [added, changed, removed] = [
      this.changesOf(statements, 'added'),
      this.changesOf(statements, 'changed'),
      this.changesOf(statements, 'removed'),
    ];
    return {
      total: statements.length,
      truncated: added.truncated || changed.truncated || removed.truncated,
      added: added.values,
      changed: changed.values,
      removed: removed.values,
    };
  }

  private note(row: string, statement: Statement): void {
    this.byRow.get(row)?.push(statement);
  }

  private of(row: string): readonly Statement[] {
    return this.byRow.get(row) ?? [];
  }

  private changesOf(statements: readonly Statement[], fate: Fate): Listed<ChangedRelationship> {
    return listed(
      statements.filter((statement) => statement.fate === fate),
      ({ stated }) => [stated.kind.type, ...orderOfEnd(this.otherKey(stated)), stated.identity],
      this.limit,
      ({ stated }) => {
        const [type, end] = [stated.kind.type, plannedEnd(this.otherKey(stated), this.sight)];
        return stated.kind.owner === 'from' ? { type, to: end } : { type, from: end };
      },
    );
  }

  private ends(statements: readonly Statement[], fate: Fate): Listed<NodeReference> {
    return listed(
      statements.filter((statement) => statement.fate === fate),
      ({ stated }) => [this.otherKey(stated)],
      this.limit,
      ({ stated }) => plannedEnd(this.otherKey(stated), this.sight),
    );
  }

  private otherKey({ kind, other }: Stated): string {
    const node = kind.owner === 'from' ? kind.to : kind.from;
    return graphKey(this.sight.dataSource, node, other);
  }
}

const isTag = ({ stated }: Statement): boolean => stated.kind.type === 'TAGGED';
