import * as E from 'fp-ts/Either';

import { type Config, readConfig } from '../../src/config';

/** Some of the settings, by group. */
export type SomeSettings = { readonly [G in keyof Config]?: Partial<Config[G]> };

/** The settings that operators get, with no push threads and with some that the test wants. */
export const testConfig = (some: SomeSettings = {}): Config => {
  const read = readConfig({});
  if (E.isLeft(read)) throw new Error(JSON.stringify(read.left));
  const usual: Config = { ...read.right, push: { ...read.right.push, threads: 0 } };
  const groups = Object.entries(usual).map(([group, settings]) => [
    group,
    { ...settings, ...some[group as keyof Config] },
  ]);
  return Object.fromEntries(groups) as Config;
};
