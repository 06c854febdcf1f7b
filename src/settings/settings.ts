import type { Constant } from './constant';
import { CONSTANTS } from './constants';
import { DOCUMENTED } from './documented';
import type { Setting } from './setting';

type Groups<S> = Readonly<Record<string, Readonly<Record<string, S>>>>;

const allOf = <S>(groups: Groups<S>): readonly S[] =>
  Object.values(groups).flatMap((group) => Object.values(group));

/** All settings and constants, by group and name. */
export const ALL_GROUPS: readonly (readonly [
  group: string,
  settings: Groups<Setting<unknown>>[string],
])[] = [
  ...Object.entries<Groups<Setting<unknown>>[string]>(DOCUMENTED),
  ...Object.entries<Groups<Setting<unknown>>[string]>(CONSTANTS),
];

/** The settings that operators set. */
export const DOCUMENTED_SETTINGS = allOf<Setting<unknown>>(DOCUMENTED);

/** The constants, which were settings once. */
export const FORMER_SETTINGS = allOf<Constant<unknown>>(CONSTANTS);

/** Settings of earlier releases that the service no longer reads, and why. */
export const SETTINGS_WITHOUT_EFFECT: Readonly<Record<string, string>> = {
  PUSH_WRITERS: 'the service writes the chunks of a push one after the other',
};

type Value<S> =
  S extends Setting<infer A> ? (S['fallback'] extends string ? A : A | undefined) : never;

type Values<Groups, G> = G extends keyof Groups
  ? { readonly [S in keyof Groups[G]]: Value<Groups[G][S]> }
  : unknown;

/** The value of each setting and constant, by group; undefined if it is optional and unset. */
export type SettingValues = {
  readonly [G in keyof typeof DOCUMENTED | keyof typeof CONSTANTS]: Values<typeof DOCUMENTED, G> &
    Values<typeof CONSTANTS, G>;
};
