import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { directMembers, type PageOfNeighbours } from '../../access/around';
import { everybodyIn, type EverybodyInGroup, type InGroup } from '../../access/in-group';
import type { RowPlace } from '../../access/lists/lists';
import type { Pieces } from '../../access/pieces';
import type { Summary } from '../../contract/answers/questions/access';
import type { EntityPage } from '../../contract/answers/questions/entities';
import type { Instant } from '../../model/instant';
import type { Graph } from '../../neo4j/driver';
import { inTransaction, type Runner } from '../../neo4j/transaction';
import type { Failure } from '../../problem';
import type { Answered } from '../answering/answered';
import { stepOf } from '../answering/step-of-way';
import type { AskMemory } from '../memory/asked-in-memory';
import { PushesAt } from '../memory/pushes-at';
import { sinceOfLines, utcOf } from './line-ages';

/** Who is in a group in any way, as the page of the group says it of each. */
export type InGroupShown = NonNullable<EntityPage['everybody']>['values'][number];

/** What the page of a group says of somebody who is in it in any way. */
export const inGroupShown = ({
  about,
  isPerson,
  steps,
  moreSteps,
  since,
}: InGroup): InGroupShown => ({
  about,
  person: isPerson,
  way: { steps: steps.map(stepOf), on: null, since: utcOf(since), others: null, has_more: false },
  more_steps: moreSteps,
});

/** Somebody in a group, or somebody who has a role. */
export interface Member {
  readonly about: Summary;
  /** How somebody is in the group in any way; `null` of a list of those who are directly in it. */
  readonly inGroup: InGroupShown | null;
  readonly since: string | null;
  /** The push of that time; `null` if its record is gone. */
  readonly push: string | null;
}

/** Some of the members, by name, people first. */
export interface MembersPage {
  readonly total: number;
  readonly values: readonly Member[];
  /** The last of the page; `null` if nobody follows. */
  readonly next: RowPlace | null;
}

/** Which members somebody wants. */
export interface WantedMembers {
  /** The key of the group or role. */
  readonly of: string;
  /** Whether to list who is directly in it, and not who is in it in any way. */
  readonly directly: boolean;
  readonly size: number;
  readonly after: RowPlace | null;
}

/** Lists who is in a group, or who has a role, now (`at` is null) or at an instant. */
export type MembersQuestion = (
  wanted: WantedMembers,
  at: Instant | null,
) => TE.TaskEither<Failure, Answered<MembersPage>>;

type Found = EverybodyInGroup | PageOfNeighbours;

const isOfEverybody = (found: Found): found is EverybodyInGroup => 'people' in found;

type Undated = Omit<Member, 'push'>;

const datedOf = async (
  tx: Runner,
  at: Instant | null,
  found: Found,
): Promise<readonly Undated[]> => {
  if (isOfEverybody(found)) {
    return found.values.map((each) => {
      const inGroup = inGroupShown(each);
      return { about: inGroup.about, inGroup, since: inGroup.way.since };
    });
  }
  const sinceOf = await sinceOfLines(tx, at, found.values);
  return found.values.map(({ about, lines }) => ({ about, inGroup: null, since: sinceOf(lines) }));
};

/** Answers who is in a group from memory, and by which pushes from Neo4j. */
export const membersQuestion = (
  ask: AskMemory,
  graph: Graph,
  timeoutSeconds: number,
): MembersQuestion => {
  const pushes = new PushesAt();
  return ({ of, directly, size, after }, at) =>
    pipe(
      ask<Found>(at, [], ({ then: { graph: held, access, moment }, clock }): Pieces<Found> => {
        const node = held.find(of);
        return directly
          ? directMembers(access, node, moment, clock, { size, after })
          : everybodyIn(access, node, moment, clock, size, after);
      }),
      TE.flatMap(({ answer, asOf }) =>
        inTransaction(graph, { mode: 'read', timeoutSeconds }, async (tx) => {
          const members = await datedOf(tx, at, answer);
          const byTime = await pushes.at(
            tx,
            members.flatMap(({ since }) => since ?? []),
          );
          const values = members.map((member) => ({
            ...member,
            push: byTime.get(member.since ?? '')?.push ?? null,
          }));
          return { answer: { total: answer.total, values, next: answer.next }, asOf };
        }),
      ),
    );
};
