import type { PlanAnswer } from '../../../contract/answers/plan';
import type { Summary } from '../../../contract/answers/questions/access';
import { grouped } from '../../../model/grouped';

type Row = NonNullable<PlanAnswer['access_changes']>['values'][number];
type Held = Row['gained'];

/** What somebody would gain and lose on one resource. */
export interface PlannedOnResource {
  readonly resource: Summary;
  readonly gained: Held;
  readonly lost: Held;
}

/** What a push would change for a human, or for a principal that is certainly nobody's. */
export interface PlannedForOne {
  readonly who: Summary;
  readonly isPerson: boolean;
  /** The users, identities and accounts of theirs that the plan lists. */
  readonly by: readonly Summary[];
  /** What would be lost first. */
  readonly on: readonly PlannedOnResource[];
}

const united = (all: readonly Held[]): Held => [
  ...new Map(
    all.flat().map((held) => [JSON.stringify([held.name, held.permission_type]), held]),
  ).values(),
];

const losing = ({ lost }: { readonly lost: Held }): number => Number(lost.length > 0);

/** What a plan changes by human: people first, of these who would lose something, and what they would lose first. */
export const plannedByHuman = (rows: readonly Row[]): readonly PlannedForOne[] => {
  const whoOf = ({ human, principal }: Row): Summary => human ?? principal;
  const all = [...grouped(rows, (row) => whoOf(row).id).values()].flatMap(
    (theirs): readonly PlannedForOne[] => {
      const [first] = theirs;
      if (first === undefined) return [];
      const who = whoOf(first);
      const by = new Map(theirs.map(({ principal }) => [principal.id, principal]));
      by.delete(who.id);
      const on = [...grouped(theirs, ({ resource }) => resource.id).values()].flatMap((some) => {
        const [one] = some;
        return one === undefined
          ? []
          : [
              {
                resource: one.resource,
                gained: united(some.map(({ gained }) => gained)),
                lost: united(some.map(({ lost }) => lost)),
              },
            ];
      });
      return [
        {
          who,
          by: [...by.values()],
          isPerson: first.is_person === true,
          on: on.toSorted((a, b) => losing(b) - losing(a)),
        },
      ];
    },
  );
  const losesOf = ({ on }: PlannedForOne): number => Math.max(0, ...on.map(losing));
  return all.toSorted((a, b) => Number(b.isPerson) - Number(a.isPerson) || losesOf(b) - losesOf(a));
};
