import type { Constant } from './constant';
import type { DOCUMENTED } from './documented';
import type { Setting, SettingProblem } from './setting';

/** Settings or constants, by group and name. */
export type Groups<S> = Readonly<Record<string, Readonly<Record<string, S>>>>;

type Value<S> =
  S extends Setting<infer A>
    ? S['fallback'] extends string
      ? A
      : A | undefined
    : S extends Constant<infer A>
      ? A
      : never;

/** The value of each setting or constant, by group; undefined if it is optional and unset. */
export type ValuesOf<G> = {
  readonly [Group in keyof G]: { readonly [S in keyof G[Group]]: Value<G[Group][S]> };
};

/** Groups of several declarations as one. A second group of the same name would hide the first, so it is a bug. */
export const joinedGroups = <S>(declared: readonly Groups<S>[]): Groups<S> => {
  const all = new Map<string, Groups<S>[string]>();
  for (const [name, group] of declared.flatMap((groups) => Object.entries(groups))) {
    if (all.has(name)) throw new Error(`two declarations have a group ${name}`);
    all.set(name, group);
  }
  return Object.fromEntries(all);
};

/** Declares the settings and constants of a feature. `joinedGroups` refuses a group that another one has. */
export const settingsOf = <S extends Groups<Setting<unknown>>, C extends Groups<Constant<unknown>>>(
  settings: S,
  constants: C,
  /** Finds settings of the feature that contradict each other, or settings of the service, such as `PUBLIC_URL`. */
  conflicts: (
    values: ValuesOf<S> & ValuesOf<typeof DOCUMENTED>,
  ) => readonly SettingProblem[] = () => [],
) => ({ settings, constants, conflicts });
