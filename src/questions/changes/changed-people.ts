import { NONE } from '../../access/access-graph';
import type { Comparison, Pieces } from '../../access/comparison/comparison';
import type { Summary } from '../../contract/answers/questions/access';
import type { ChangeCounts } from '../../contract/answers/questions/access-changes';
import { isOfHumans } from '../../model/access-narrowing';
import type { AccessThen } from '../memory/access-memory';
import type { Between, ChangedAccess } from './changed-rows';

/** Two instants, and what memory knows of them. */
export interface Asked extends Pick<Between, 'graph' | 'moments'> {
  readonly asked: Pick<AccessThen, 'access' | 'humans'>;
}

/**
 * Whose a principal certainly is at the end of a period. If the human is gone, whose it was at its
 * beginning. `NONE` means nobody's, or several people's.
 */
export const humanBetween = (times: Asked, node: number): number => {
  const {
    asked: { humans },
    moments: [from, to],
  } = times;
  const earlier = (): number => (humans.isThere(node, from) ? humans.humanOf(node, from) : NONE);
  if (!humans.isThere(node, to)) return earlier();
  const human = humans.humanOf(node, to);
  if (human !== NONE && human !== node) return human;
  const before = earlier();
  return before !== NONE && !humans.isThere(before, to) ? before : human;
};

/**
 * What a row has if details were requested: the human to whom its principal belongs, and whether
 * that is a person.
 */
export const whoseIn = (
  times: Asked,
  principal: number,
  about: (node: number) => Summary,
): Pick<ChangedAccess, 'human' | 'is_person'> => {
  const human = humanBetween(times, principal);
  return human === NONE
    ? { human: null, is_person: false }
    : { human: about(human), is_person: isPerson(times, human) };
};

/** Whether somebody counts as a person: not a group, not a role, and not a service account. */
export const isPerson = ({ graph, moments: [from, to] }: Asked, node: number): boolean => {
  const version = graph.version(node, graph.exists(node, to) ? to : from);
  return isOfHumans(graph.kind(node)?.label) && !graph.isNotHuman(version);
};

/** Counts whose access changed, people first. */
export class ChangedPeople {
  private readonly people = new Map<number, { gained: boolean; lost: boolean }>();
  private readonly others = new Set<number>();
  private readonly total = { gained: 0, lost: 0 };

  constructor(private readonly times: Asked) {}

  /** Counts what a principal gained and lost. */
  add(principal: number, gained: number, lost: number): void {
    const human = humanBetween(this.times, principal);
    this.total.gained += gained;
    this.total.lost += lost;
    if (human === NONE || !isPerson(this.times, human)) {
      this.others.add(human === NONE ? principal : human);
      return;
    }
    const known = this.people.get(human) ?? { gained: false, lost: false };
    known.gained ||= gained > 0;
    known.lost ||= lost > 0;
    this.people.set(human, known);
  }

  /** The counts of a list about so many resources. */
  counts(resources: number): ChangeCounts {
    const people = [...this.people.values()];
    return {
      people: people.length,
      people_gained: people.filter(({ gained }) => gained).length,
      people_lost: people.filter(({ lost }) => lost).length,
      others: this.others.size,
      resources,
      ...this.total,
    };
  }
}

/** Counts everybody whose access changed. */
export function* everybodyIn(times: Asked, comparison: Comparison): Pieces<ChangeCounts> {
  const people = new ChangedPeople(times);
  yield* comparison.each((principal, gained, lost) => people.add(principal, gained, lost));
  return people.counts(comparison.counts.targets);
}
