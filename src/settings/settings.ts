import type { Constant } from './constant';
import { CONSTANTS } from './constants';
import { DOCUMENTED } from './documented';
import type { Setting } from './setting';

type Groups<S> = Readonly<Record<string, Readonly<Record<string, S>>>>;

/** The settings, by group and name. */
export const SETTING_GROUPS: Groups<Setting<unknown>> = DOCUMENTED;

/** The constants, by group and name. */
export const CONSTANT_GROUPS: Groups<Constant<unknown>> = CONSTANTS;

const allOf = <S>(groups: Groups<S>): readonly S[] =>
  Object.values(groups).flatMap((group) => Object.values(group));

/** The settings. */
export const ALL_SETTINGS = allOf(SETTING_GROUPS);

/** The constants. */
export const ALL_CONSTANTS = allOf(CONSTANT_GROUPS);

type Value<S> =
  S extends Setting<infer A>
    ? S['fallback'] extends string
      ? A
      : A | undefined
    : S extends Constant<infer A>
      ? A
      : never;

type Values<Groups, G> = G extends keyof Groups
  ? { readonly [S in keyof Groups[G]]: Value<Groups[G][S]> }
  : unknown;

/** The value of each setting and constant, by group; undefined if it is optional and unset. */
export type SettingValues = {
  readonly [G in keyof typeof DOCUMENTED | keyof typeof CONSTANTS]: Values<typeof DOCUMENTED, G> &
    Values<typeof CONSTANTS, G>;
};
