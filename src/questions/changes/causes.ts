import { type Cause, Causes, type CauseThing as FoundThing } from '../../access/comparison/causes';
import { type EffectiveAccess, type NativePermission } from '../../access/effective-access';
import { NONE } from '../../access/access-graph';
import { Effort, type Pieces } from '../../access/pieces';
import { JOINS } from '../../access/relationship-types';
import type { Summary } from '../../contract/answers/questions/access';
import type { CauseOfChange, CauseThing } from '../../contract/answers/questions/access-changes';
import { instantOf, nanosOf } from '../../model/instant';
import type { Runner } from '../../neo4j/transaction';
import type { PushesAt } from '../memory/pushes-at';
import { type Between, permissionsOf } from './changed-rows';
import type { FirstPushes } from './first-pushes';

/** What a row of changes is about. */
interface ChangedOf {
  readonly target: number;
  readonly gained: readonly NativePermission[];
  readonly lost: readonly NativePermission[];
}

/** A principal at the two instants of a period; `NONE` if there is none. */
type WhoThen = readonly [from: number, to: number];

const isJoin = (type: string | null): boolean => JOINS.some((join) => join === type);

/** An account and the identities that lead to it are one thing to people. */
const joined = (things: readonly FoundThing[]): readonly FoundThing[] => {
  const all: FoundThing[] = [];
  for (const thing of things) {
    const before = all.at(-1);
    const goesOn = before?.to === thing.from && before.instant === thing.instant;
    if (before !== undefined && goesOn && isJoin(before.type) && isJoin(thing.type)) {
      all[all.length - 1] = { ...thing, from: before.from };
    } else all.push(thing);
  }
  return all;
};

/** What brought about the rows of a list. */
export class CausesOfRows {
  private readonly causes: Causes;
  private readonly effort = new Effort();

  constructor(
    access: EffectiveAccess,
    { moments: [from, to], period }: Between,
    private readonly about: (node: number) => Summary,
  ) {
    this.causes = new Causes(access, [
      { moment: from, nanos: nanosOf(period.from) },
      { moment: to, nanos: nanosOf(period.to) },
    ]);
  }

  /** What brought about what somebody gained and lost on a target, without the pushes. */
  *of([before, after]: WhoThen, { target, gained, lost }: ChangedOf): Pieces<CauseOfChange[]> {
    const all: CauseOfChange[] = [];
    for (const [change, who, natives] of [
      ['gained', after, gained] as const,
      ['lost', before, lost] as const,
    ]) {
      if (natives.length === 0) continue;
      const found: readonly Cause[] =
        who === NONE
          ? [{ permissions: natives, things: null }]
          : yield* this.causes.of(change, who, target, natives);
      for (const { permissions, things } of found) {
        all.push({
          change,
          permissions: yield* permissionsOf(permissions, this.effort),
          things: things && joined(things).map((thing) => this.thingOf(thing, change)),
        });
      }
    }
    return all;
  }

  private thingOf(
    { type, isOther, from, to, on, held, instant }: FoundThing,
    change: string,
  ): CauseThing {
    const about = (node: number | null): Summary | null =>
      node === null ? null : this.about(node);
    return {
      change: isOther ? 'changed' : change === 'gained' ? 'began' : 'ended',
      type: held === null ? type : 'HOLDS',
      from: this.about(from),
      to: about(to),
      on: about(on),
      at: instant === null ? null : instantOf(instant).utc,
      push: null,
      data_source: null,
    };
  }
}

/** The same causes with the pushes of what changed, and which of these were the first ones. */
export const withPushes = async <R extends { readonly causes?: readonly CauseOfChange[] }>(
  tx: Runner,
  pushes: { readonly at: PushesAt; readonly firsts: FirstPushes },
  rows: readonly R[],
): Promise<readonly R[]> => {
  const all = rows.flatMap(({ causes = [] }) => causes.flatMap(({ things }) => things ?? []));
  const known = await pushes.at.at(
    tx,
    all.flatMap(({ at }) => at ?? []),
  );
  const names = await pushes.firsts.among(tx, [...known.values()]);
  const brought = (thing: CauseThing): CauseThing => {
    const by = known.get(thing.at ?? '');
    const first = names.get(by?.push ?? '');
    return { ...thing, ...by, ...(first === undefined ? {} : { first_push_of: first }) };
  };
  return rows.map((row) =>
    row.causes === undefined
      ? row
      : {
          ...row,
          causes: row.causes.map((cause) => ({
            ...cause,
            things: cause.things && cause.things.map(brought),
          })),
        },
  );
};
