import type { Policy } from '../records';
import type { Attributes } from '../../client/attribute';
import type { Who } from '../../client/accounts';

export type { Policy };

/** A user of an identity provider, and the selectors that find them. */
export interface MatchedPerson {
  readonly key: string;
  readonly properties: Readonly<Record<string, unknown>>;
  /** `selectorKey` of each selector that finds the person. */
  readonly selectors: ReadonlySet<string>;
}

/** A text that distinguishes selectors. */
export const selectorKey = ({
  in: sources,
  filter,
  group,
  department,
}: Policy['who'][number]): string =>
  JSON.stringify([sources, filter ?? null, group ?? null, department ?? null]);

/** All selectors of policies, each once. */
export const selectorsOf = (policies: readonly Policy[]): readonly Policy['who'][number][] => [
  ...new Map(
    policies
      .flatMap(({ who, groups }) => [
        ...who,
        ...groups.flatMap((group) => (group.who === null ? [] : [group.who])),
      ])
      .map((selector) => [selectorKey(selector), selector] as const),
  ).values(),
];

/** The account that a person must have. */
export interface DesiredAccount {
  readonly person: string;
  /**
   * Ids of the policies that find the person. The first one counts as the one that wants the
   * account.
   */
  readonly policies: readonly [string, ...string[]];
  readonly who: Who;
  readonly attributes: Attributes;
  readonly digest: string;
  readonly groups: readonly string[];
  readonly adopt: boolean;
}

/** Somebody who lacks what an account needs, or whose account may belong to somebody else. */
export interface IncompletePerson {
  readonly person: string;
  readonly policy: string;
  readonly code: 'INCOMPLETE' | 'TAKEN';
  readonly message: string;
}
