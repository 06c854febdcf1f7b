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

/** Declares the settings and constants of a feature. No other one has a group of the same name. */
export const settingsOf = <S extends Groups<Setting<unknown>>, C extends Groups<Constant<unknown>>>(
  settings: S,
  constants: C,
  /** Its settings that are valid by themselves but contradict each other, or those of all. */
  conflicts: (values: ValuesOf<S> & ValuesOf<typeof DOCUMENTED>) => readonly SettingProblem[],
) => ({ settings, constants, conflicts });
