import * as E from 'fp-ts/Either';

import { conflicts, type SettingProblem } from './settings/conflicts';
import type { Setting } from './settings/setting';
import {
  ALL_GROUPS,
  DOCUMENTED_SETTINGS,
  FORMER_SETTINGS,
  SETTINGS_WITHOUT_EFFECT,
  type SettingValues,
} from './settings/settings';
import { unknownSettings } from './settings/unknown-setting';

/** The environment variables of a process. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The values of the service's settings and constants, by group; undefined if optional and unset.
 */
export type Config = SettingValues;

/** The limits among the values. */
export type Limits = Config['limits'];

/** A setting that is wrong, and why. */
export type ConfigProblem = SettingProblem;

const unknown = (env: Environment): ConfigProblem[] => {
  const known = [...DOCUMENTED_SETTINGS, ...FORMER_SETTINGS].map(({ variable }) => variable);
  return unknownSettings(env, [...known, ...Object.keys(SETTINGS_WITHOUT_EFFECT)]).map(
    ({ variable, guess }) => ({
      variable,
      message: `is no setting${guess === undefined ? '; --help lists them all' : `: did you mean ${guess}?`}`,
    }),
  );
};

const valueOf = (
  { variable, fallback, parse, isSecret }: Setting<unknown>,
  env: Environment,
): E.Either<ConfigProblem, unknown> => {
  const text = env[variable] || fallback;
  if (text === undefined) return E.right(undefined);
  const value = parse(text);
  if (E.isRight(value)) return value;
  const found = isSecret ? '' : `, not ${JSON.stringify(text)}`;
  return E.left({ variable, message: `must be ${value.left}${found}` });
};

/** Reads all settings from the environment, and lists everything that is wrong. */
export const readConfig = (env: Environment): E.Either<readonly ConfigProblem[], Config> => {
  const problems: ConfigProblem[] = unknown(env);
  const groups: Record<string, Record<string, unknown>> = {};
  for (const [group, settings] of ALL_GROUPS) {
    const values = (groups[group] ??= {});
    for (const [name, setting] of Object.entries(settings)) {
      const value = valueOf(setting, env);
      if (E.isRight(value)) values[name] = value.right;
      else problems.push(value.left);
    }
  }
  const config = groups as unknown as Config;
  // Settings can contradict each other only if each is valid alone.
  const all = problems.length > 0 ? problems : conflicts(config);
  return all.length > 0 ? E.left(all) : E.right(config);
};

/**
 * A warning for each variable that is set but no longer a setting (docs/operating.md: Constants).
 */
export const formerSettingWarnings = (env: Environment): readonly ConfigProblem[] => [
  ...FORMER_SETTINGS.filter(({ variable }) => env[variable]).map(({ variable, value }) => ({
    variable,
    message:
      `${variable} is no longer documented, and may go with the next release. ` +
      `Unset it: the constant is ${value.replaceAll('`', '')}.`,
  })),
  ...Object.entries(SETTINGS_WITHOUT_EFFECT)
    .filter(([variable]) => env[variable])
    .map(([variable, why]) => ({
      variable,
      message: `${variable} has no effect any more, since ${why}. Unset it.`,
    })),
];

/** The message of a start that stops, with all that is wrong with the settings. */
export const configMessage = (problems: readonly ConfigProblem[]): string =>
  ['Wrong settings:', ...problems.map(({ variable, message }) => `  ${variable} ${message}`)].join(
    '\n',
  );

/** The same refusal in one line for logs and in several lines for people. */
export const configRefusal = (
  problems: readonly ConfigProblem[],
): { readonly message: string; readonly text: string; readonly fields: { settings: object } } => ({
  message: `Wrong settings: ${problems.map(({ variable, message }) => `${variable} ${message}`).join('; ')}`,
  text: configMessage(problems),
  fields: { settings: problems },
});
