import { NONE } from '../../../access/access-graph';
import type { Context } from '../../../context';
import { type Instant, nanosOf, present } from '../../../model/instant';
import { FailedStep } from '../../../neo4j/failure';
import { type AccessThen, accessMemoryOf } from '../../../questions/contract';
import { badRequestField } from '../refuse';
import { isUserOrEmployee, type View } from '../rules/facts';

/** Waits for the graph of access at an instant; `null` means now. Throws why there is none. */
export const accessAt = async (context: Context, at: Instant | null): Promise<AccessThen> => {
  const found = await accessMemoryOf(context).then(at, '/at')();
  if (found._tag === 'Left') throw new FailedStep(found.left);
  return found.right;
};

/** What the rules see of it. */
export const viewOf = (then: AccessThen, at: Instant | null): View => ({
  graph: then.graph,
  access: then.access,
  humans: then.humans,
  moment: at === null ? then.moment : then.graph.instants.moment(nanosOf(at)),
  clock: nanosOf(at ?? present()),
});

/** A person, as a request names them by the key of one of their nodes. */
export interface NamedPerson {
  /** The node of the human. */
  readonly human: number;
  readonly name: string;
  /** The keys of all nodes of the human. */
  readonly keys: readonly string[];
}

/** The node of the one human whose node a key names; `NONE` if there is none. */
export const humanBy = ({ graph, humans, moment }: View, key: string): number => {
  const node = graph.find(key);
  const isPerson = node !== NONE && humans.isThere(node, moment) && humans.canBeHuman(node);
  return isPerson ? humans.humanOf(node, moment) : NONE;
};

/**
 * The person whose node a key names. Refuses a key of nobody, of several people, of a person who left,
 * and of one whom only applications know: a name or an account that only they say may be anybody's
 * (docs/rules.md: Access reviews).
 */
export const personBy = (view: View, key: string, pointer: string): NamedPerson => {
  if (humanBy(view, key) === NONE) {
    throw badRequestField(pointer, 'UNKNOWN_REFERENCE', 'is the key of no person');
  }
  const person = personIfAny(view, key);
  if (person === null) {
    throw badRequestField(pointer, 'UNKNOWN_VALUE', 'names a person who is inactive');
  }
  if (isUserOrEmployee(view, person.human)) return person;
  throw badRequestField(
    pointer,
    'UNKNOWN_VALUE',
    'names a person whom no identity provider and no HR system knows',
  );
};

/**
 * The person who owns a review, or is its fallback. The key of an account is refused: who pushes the
 * account says whose it is, now and later.
 */
export const responsibleBy = (view: View, key: string, pointer: string): NamedPerson => {
  const person = personBy(view, key, pointer);
  if (isUserOrEmployee(view, view.graph.find(key))) return person;
  throw badRequestField(
    pointer,
    'UNKNOWN_VALUE',
    'is not the key of a user of an identity provider or of an employee',
  );
};

/** The active person whose node a key names, also of one whom only applications know; `null` if there is none. */
export const personIfAny = (view: View, key: string): NamedPerson | null => {
  const { graph, moment, clock } = view;
  const human = humanBy(view, key);
  if (human === NONE) return null;
  const { name, inactive } = graph.summary(human, moment, clock);
  return inactive ? null : { human, name, keys: keysOf(view, human) };
};

/** The keys of all nodes of a human. */
export const keysOf = ({ graph, humans, moment }: View, human: number): readonly string[] =>
  [human, ...humans.accountsOf(human, moment)].map((node) => graph.key(node));
