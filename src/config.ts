import * as E from 'fp-ts/Either';

import { conflicts } from './settings/conflicts';
import type { Setting, SettingProblem } from './settings/setting';
import {
  ALL_SETTINGS,
  CONSTANT_GROUPS,
  SETTING_GROUPS,
  type SettingValues,
} from './settings/settings';
import { unknownSettings } from './settings/unknown-setting';

/** The environment variables of a process. */
type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The values of the service's settings and constants, by group; undefined if optional and unset.
 */
export type Config = SettingValues;

/** A setting that is wrong, and why. */
export type ConfigProblem = SettingProblem;

const unknown = (env: Environment): ConfigProblem[] =>
  unknownSettings(
    env,
    ALL_SETTINGS.map(({ variable }) => variable),
  ).map(({ variable, guess }) => ({
    variable,
    message: `is no setting${guess === undefined ? '; --help lists them all' : `: did you mean ${guess}?`}`,
  }));

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
  for (const [group, constants] of Object.entries(CONSTANT_GROUPS)) {
    const values = (groups[group] ??= {});
    for (const [name, { value }] of Object.entries(constants)) values[name] = value;
  }
  for (const [group, settings] of Object.entries(SETTING_GROUPS)) {
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
