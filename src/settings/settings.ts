import type { Constant } from './constant';
import { CONSTANTS } from './constants';
import { type Groups, joinedGroups, type ValuesOf } from './declared';
import { DOCUMENTED } from './documented';
import * as ofFeatures from './of-features';
import type { Setting } from './setting';

/** Those of features, in the order of their names: compilers differ in the order of exports. */
const features = Object.entries(ofFeatures)
  .toSorted(([one], [other]) => (one < other ? -1 : 1))
  .map(([, ofFeature]) => ofFeature);

/** The settings, by group and name. */
export const SETTING_GROUPS = joinedGroups<Setting<unknown>>([
  DOCUMENTED,
  ...features.map(({ settings }) => settings),
]);

/** The constants, by group and name. */
export const CONSTANT_GROUPS = joinedGroups<Constant<unknown>>([
  CONSTANTS,
  ...features.map(({ constants }) => constants),
]);

const allOf = <S>(groups: Groups<S>): readonly S[] =>
  Object.values(groups).flatMap((group) => Object.values(group));

/** The settings. */
export const ALL_SETTINGS = allOf(SETTING_GROUPS);

/** The constants. */
export const ALL_CONSTANTS = allOf(CONSTANT_GROUPS);

type OfFeature = (typeof ofFeatures)[keyof typeof ofFeatures];

/** All types of a union at once. */
type All<U> = (U extends unknown ? (one: U) => void : never) extends (all: infer I) => void
  ? I
  : never;

/** The value of each setting and constant, by group; undefined if it is optional and unset. */
export type SettingValues = ValuesOf<typeof DOCUMENTED> &
  ValuesOf<typeof CONSTANTS> &
  ValuesOf<All<OfFeature['settings']>> &
  ValuesOf<All<OfFeature['constants']>>;
