import {
  type Difference,
  type HashedRow,
  isUnproven,
  type Link,
} from '../../difference/difference';
import { grouped } from '../../model/grouped';
import {
  derivations,
  derivedTypesAt,
  management,
  resolutions,
} from '../../templates/graph/derivations';
import { fold } from '../../model/fold';
import { ExternalEntity, Tag } from '../../model/shared-nodes';
import { kindsMentioning } from '../../templates/graph/relationships';
import { type Derivation, type NodeKind, otherEnd } from '../../model/table';
import type { PropertyValues, Row, SharedNode } from '../../rows/row/row';
import {
  drawForAnswerers,
  drawForAskers,
  MANAGED_THROUGH,
  MANAGERS_THROUGH,
  UNDRAW_MANAGER_TAGS_AT,
  undrawAt,
  undrawForAnswerers,
  undrawForAskers,
} from '../rows/derivation-statements';
import { removeOrphans } from '../rows/relationship-statements';
import { claimsOf } from './claims';
import type { DerivationKinds } from './derivation-kinds';
import type { DerivationWitness } from './derivation-witness';
import { Managing, type Pair } from './managing';
import type { Pipeline } from '../../neo4j/pipeline';
import { graphKey } from './current-rows';
import { toDateTime } from '../../neo4j/values';
import { endOf, type PushStamp } from './writing';

/** A RESOLVES_TO relationship that the push drew or removed. */
interface Resolution {
  readonly entity: string;
  readonly target: string;
  readonly kind: NodeKind;
}

type Ends = { asker: string; answerer: string };

const text = (value: unknown): readonly string[] => (typeof value === 'string' ? [value] : []);

const textOf = (properties: PropertyValues, name: string): string =>
  text(properties[name])[0] ?? '';

/** The values by which askers find a row. */
const answersOf = ({ ask, answers }: Derivation, { lookups, properties }: Row): readonly string[] =>
  // ARNs compare exactly (docs/rules.md: Folding), so their values are not folded.
  ask === 'arn'
    ? [...new Set([properties.unique_id, properties.id, properties.name].flatMap(text))]
    : [...new Set(answers.flatMap((answer) => text(lookups[answer])))];

/**
 * The value that a shared node looks up. Shared nodes hold their values folded, except ARNs. This
 * folds an ARN, because the look-ups hold ARNs folded.
 */
const asked = ({ ask }: Derivation, value: string): string => (ask === 'arn' ? fold(value) : value);

// Whether a property decides by which values the row is found or looks others up, or how rows
// compare.
const binds = (name: string): boolean => name.startsWith('fold_') || BINDING.has(name);

/**
 * Properties that `binds` accepts in addition to look-ups. Names of people decide whether an id
 * means them.
 */
const BINDING: ReadonlySet<string> = new Set([
  'name',
  'id',
  'unique_id',
  'full_name',
  'display_full_name',
]);

/**
 * Draws and removes the derived relationships that a push touches (docs/rules.md: Derived
 * relationships). The caller holds the derivation lock. The statements start at the changed rows
 * and find their partners through indexes.
 */
export class Deriver {
  private readonly constants: Readonly<Record<string, unknown>>;
  private readonly arrived: readonly Row[];
  private readonly rebound: readonly Row[];
  private readonly managing: Managing;

  constructor(
    private readonly pipeline: Pipeline,
    private readonly words: PushStamp,
    private readonly difference: Difference,
    private readonly sharedCreated: readonly SharedNode[],
    private readonly kinds: DerivationKinds,
    private readonly witness: DerivationWitness,
  ) {
    this.constants = {
      data_source: words.dataSource,
      at: toDateTime(words.at),
      until: endOf(words),
    };
    this.managing = new Managing(this.pipeline, this.constants, witness, kinds.trusts);
    this.rebound = [
      ...difference.changed.map(({ after, changes }) => ({ row: after.row, changes })),
      ...difference.followed,
    ]
      .filter(({ changes }) => Object.keys(changes).some(binds))
      .map(({ row }) => row);
    this.arrived = [
      ...new Set([
        ...difference.created.map(({ row }) => row),
        ...difference.changed.filter(isUnproven).map(({ after }) => after.row),
        ...difference.proven.map(({ row }) => row),
        ...this.rebound,
      ]),
    ];
  }

  /**
   * Removes the derived relationships of rows that the push will remove, while these rows still
   * exist.
   */
  async release(): Promise<void> {
    await this.noteOwnersBefore();
    const taken: Promise<void>[] = [];
    for (const [kind, rows] of grouped(this.difference.removed, ({ row }) => row.kind)) {
      const keys = rows.map(({ row }) => this.key(row));
      if (isOneOf(management.managed, kind)) {
        taken.push(
          this.pipeline
            .ask<Pair>(UNDRAW_MANAGER_TAGS_AT, 'keys', keys, {
              ...this.constants,
              label: [kind.label],
            })
            .then((records) => {
              for (const record of records) {
                const [start, end] = [record.get('start'), record.get('end')];
                this.managing.leftTags.add(end);
                this.witness.derived('undrawn', 'TAGGED', start, end);
              }
            }),
        );
      }
      const types = derivedTypesAt(kind);
      if (types.length === 0) continue;
      taken.push(
        this.pipeline
          .ask<Pair & { type: string }>(undrawAt(types), 'keys', keys, this.constants)
          .then((records) => {
            for (const record of records) {
              this.witness.derived(
                'undrawn',
                record.get('type'),
                record.get('start'),
                record.get('end'),
              );
            }
          }),
      );
    }
    await Promise.all(taken);
  }

  /**
   * Removes outdated derived relationships and draws new ones. Then does the same for the managers
   * of resources, which follow from them.
   */
  async bind(): Promise<void> {
    const joined = await Promise.all(
      derivations.map(async (derivation) => ({
        derivation,
        touched: await this.join(derivation),
      })),
    );
    const resolved = joined
      .filter(({ derivation }) => resolutions.includes(derivation))
      .filter(({ derivation }) => isOneOf(management.managed, derivation.answerer))
      .flatMap(({ derivation, touched }) =>
        touched.map(({ asker, answerer }) => ({
          entity: asker,
          target: answerer,
          kind: derivation.answerer,
        })),
      );
    await this.noteResolved(resolved);
    await this.managing.run();
  }

  /** Removes the shared nodes that no row states any more (docs/rules.md: Shared nodes). */
  async removeOrphans(): Promise<void> {
    const keys = new Map<NodeKind, Set<string>>([[Tag, this.managing.leftTags]]);
    for (const { stated } of this.difference.unlinked) {
      const end = otherEnd(stated.kind);
      if (end.keeper !== 'shared') continue;
      const group = keys.get(end) ?? new Set<string>();
      keys.set(end, group.add(stated.other));
    }
    const removed = [...keys].map(async ([kind, left]) => {
      const statement = removeOrphans(kind, kindsMentioning(kind));
      const records = await this.pipeline.ask<{ key: string; gone: (Pair & { type: string })[] }>(
        statement,
        'keys',
        [...left].sort(),
        this.constants,
      );
      for (const record of records) {
        this.witness.shared('removed', kind, record.get('key'));
        for (const { type, start, end } of record.get('gone')) {
          this.witness.derived('undrawn', type, start, end);
        }
      }
    });
    await Promise.all(removed);
  }

  /**
   * Sends all statements of one derivation: first removes what no longer matches, then draws what
   * matches.
   */
  private async join(derivation: Derivation): Promise<readonly Ends[]> {
    const { asker, ask, answerer, answers, asking } = derivation;
    const sent: Promise<readonly Ends[]>[] = [];
    const run = (
      change: 'drawn' | 'undrawn',
      statement: string,
      name: string,
      items: readonly unknown[],
    ): void => {
      const reported = this.ends(statement, name, items).then((ends) => {
        for (const { asker, answerer } of ends) {
          const [from, to] = derivation.from === 'asker' ? [asker, answerer] : [answerer, asker];
          this.witness.derived(change, derivation.type, from, to);
        }
        return ends;
      });
      sent.push(reported);
    };
    const of = (rows: readonly Row[], kind: NodeKind): readonly Row[] =>
      rows.filter((row) => row.kind === kind);
    const claims = claimsOf(derivation, this.kinds.trusts, this.words.provider);
    const { isTrusting } = claims;
    const values = (row: Row): readonly string[] => claims.claimed(answersOf(derivation, row));

    run(
      'undrawn',
      undrawForAnswerers(derivation, isTrusting),
      'rows',
      of(this.rebound, answerer).map((row) => {
        const claimed = values(row);
        return { key: this.key(row), values: claimed, ...claims.askersOf(claimed) };
      }),
    );
    if (asker.keeper === 'row') {
      const rows = of(this.rebound, asker).map((row) => ({
        key: this.key(row),
        ...claims.answerersOf(text(row.lookups[ask])[0] ?? ''),
      }));
      run('undrawn', undrawForAskers(derivation, isTrusting), 'rows', rows);
    }
    // This finds askers that existed before. The askers that this push creates ask below.
    if (this.kinds.stood(asker)) {
      const pairs = of(this.arrived, answerer).flatMap((row) =>
        values(row).map((value) => [this.key(row), value, ...claims.whoMayAsk(value)]),
      );
      run('drawn', drawForAnswerers(derivation, isTrusting), 'pairs', pairs);
    }
    const questions = [
      ...of(this.arrived, asker).flatMap((row) =>
        text(row.lookups[ask]).map((value) => [
          this.key(row),
          value,
          ...claims.whoMayAnswer(value),
        ]),
      ),
      ...this.sharedCreated
        .filter(({ kind }) => kind === asker)
        .filter(
          ({ properties }) => asking === undefined || properties[asking.property] === asking.value,
        )
        .map(({ key, properties }) => {
          const value = asked(derivation, textOf(properties, ask));
          return [key, value, ...claims.whoMayAnswer(value)];
        }),
    ];
    if (this.kinds.stand(answerer)) {
      for (const answer of answers) {
        run('drawn', drawForAskers(derivation, answer, isTrusting), 'pairs', questions);
      }
    }
    return (await Promise.all(sent)).flat();
  }

  private async ends(
    statement: string,
    name: string,
    items: readonly unknown[],
  ): Promise<readonly Ends[]> {
    const records = await this.pipeline.ask<Ends>(statement, name, items, this.constants);
    return records.map((record) => ({
      asker: record.get('asker'),
      answerer: record.get('answerer'),
    }));
  }

  /**
   * Notes the owners that the push added or removed, with the resources that their entities
   * resolved to before.
   */
  private async noteOwnersBefore(): Promise<void> {
    const rows = new Map<string, Row>();
    const note = ({ row }: HashedRow): unknown => rows.set(row.key, row);
    this.difference.created.forEach(note);
    this.difference.changed.forEach(({ after }) => note(after));
    this.difference.proven.forEach(note);
    this.difference.removed.forEach(note);
    const owning = [...this.difference.linked, ...this.difference.unlinked].filter(
      ({ stated }) =>
        stated.kind.to === ExternalEntity && isOneOf(management.managers, stated.kind.from),
    );
    for (const [managerKind, links] of grouped(owning, ({ stated }) => stated.kind.from)) {
      const ids = new Map<string, string>();
      const pairs = links.map((link: Link) => {
        const row = rows.get(link.row) as Row;
        const key = this.key(row);
        ids.set(key, textOf(row.properties, 'identity') || textOf(row.properties, 'name'));
        return [link.stated.other, key];
      });
      for (const managedKind of management.managed) {
        const records = await this.pipeline.ask<{ managed: string; manager: string }>(
          MANAGED_THROUGH,
          'pairs',
          pairs,
          { label: [managedKind.label] },
        );
        for (const record of records) {
          const manager = record.get('manager');
          this.managing.note({
            managed: record.get('managed'),
            managedKind,
            manager,
            managerKind,
            managerId: ids.get(manager) as string,
          });
        }
      }
    }
  }

  private async noteResolved(resolved: readonly Resolution[]): Promise<void> {
    for (const [managedKind, group] of grouped(resolved, ({ kind }) => kind)) {
      const pairs = group.map(({ entity, target }) => [entity, target]);
      for (const managerKind of management.managers) {
        const records = await this.pipeline.ask<{ managed: string; manager: string; id: string }>(
          MANAGERS_THROUGH,
          'pairs',
          pairs,
          { label: [managerKind.label] },
        );
        for (const record of records) {
          const [managed, manager, managerId] = [
            record.get('managed'),
            record.get('manager'),
            record.get('id'),
          ];
          this.managing.note({ managed, managedKind, manager, managerKind, managerId });
        }
      }
    }
  }

  private key({ kind, key }: Row): string {
    return graphKey(this.words.dataSource, kind, key);
  }
}

const isOneOf = (kinds: readonly NodeKind[], kind: NodeKind): boolean => kinds.includes(kind);
