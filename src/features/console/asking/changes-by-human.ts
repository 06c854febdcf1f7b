import type { Summary } from '../../../contract/answers/questions/access';
import type { ChangedRow } from '../../../contract/answers/questions/access-changes';
import { grouped } from '../../../difference/grouped';
import type { Humans } from './changes';

type Held = ChangedRow['gained'];

/** What somebody gained and lost on one resource. */
export interface ChangeOnResource {
  readonly resource: Summary;
  /** The one of their nodes by which ways are asked. */
  readonly principal: string;
  readonly gained: Held;
  readonly lost: Held;
}

/** Resources of one application on which somebody gained and lost the same. */
export interface SameChange {
  /** The application, and its provider. */
  readonly where: Pick<Summary, 'application' | 'provider'>;
  readonly gained: Held;
  readonly lost: Held;
  readonly on: readonly ChangeOnResource[];
}

/** What changed for a human, or for a principal that is certainly nobody's. */
export interface ChangesOfOne {
  readonly who: Summary;
  /** Whether it is a human, with all that is theirs in the list. */
  readonly isHuman: boolean;
  /** The users, identities and accounts of theirs that the list names. */
  readonly by: readonly Summary[];
  readonly changes: readonly SameChange[];
}

const nameOf = ({ name, permission_type }: Held[number]): string =>
  JSON.stringify([name, permission_type]);

const united = (one: Held, other: Held): Held => {
  const known = new Set(one.map(nameOf));
  return [...one, ...other.filter((held) => !known.has(nameOf(held)))].toSorted((a, b) =>
    a.name < b.name ? -1 : a.name > b.name ? 1 : 0,
  );
};

const sameAs = ({ resource, gained, lost }: ChangeOnResource): string =>
  JSON.stringify([
    ...[resource.application, resource.provider],
    ...[gained.map(nameOf), lost.map(nameOf)],
  ]);

/** What is known of one of them so far. */
interface Gathered {
  readonly who: Summary;
  isHuman: boolean;
  readonly by: Map<string, Summary>;
  readonly on: Map<string, ChangeOnResource>;
}

/**
 * Changes of access by human: a human is there once, with what all of theirs gained and lost, and
 * resources of one application with the same change are together.
 */
export const changesByHuman = (
  rows: readonly ChangedRow[],
  humans: Humans,
): readonly ChangesOfOne[] => {
  const found = new Map<string, Gathered>();
  for (const { principal, resource, gained, lost } of rows) {
    const human = humans.get(principal.id) ?? null;
    const who = human ?? principal;
    const one: Gathered = found.get(who.id) ?? {
      ...{ who, isHuman: false },
      ...{ by: new Map<string, Summary>(), on: new Map<string, ChangeOnResource>() },
    };
    found.set(who.id, one);
    one.isHuman ||= human !== null;
    one.by.set(principal.id, principal);
    const known = one.on.get(resource.id);
    one.on.set(resource.id, {
      resource,
      principal: known?.principal ?? principal.id,
      gained: united(known?.gained ?? [], gained),
      lost: united(known?.lost ?? [], lost),
    });
  }
  return [...found.values()].map(({ who, isHuman, by, on }) => ({
    ...{ who, isHuman, by: [...by.values()].filter(({ id }) => id !== who.id) },
    changes: [...grouped([...on.values()], sameAs).values()].flatMap(
      (same): readonly SameChange[] => {
        const [first] = same;
        if (first === undefined) return [];
        const { resource, gained, lost } = first;
        return [{ where: resource, gained, lost, on: same }];
      },
    ),
  }));
};
