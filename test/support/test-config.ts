import * as E from 'fp-ts/Either';

import { type Config, readConfig } from '../../src/config';

/** Some of the settings, by group. */
export type SomeSettings = { readonly [G in keyof Config]?: Partial<Config[G]> };

/**
 * The settings that operators get, with some that the test wants. There are no push threads, and pages
 * wait for their answers, so that each has the status of its answer on a slow machine too.
 */
export const testConfig = (some: SomeSettings = {}): Config => {
  const read = readConfig({});
  if (E.isLeft(read)) throw new Error(JSON.stringify(read.left));
  const { push, console, sessions } = read.right;
  const usual: Config = {
    ...read.right,
    push: { ...push, threads: 0 },
    console: { ...console, beginsAfterMs: 0 },
    // A suite signs in more often with one key than anybody does.
    sessions: { ...sessions, signInsOfPerson: 100_000, codesOfKey: 100_000 },
  };
  const groups = Object.entries(usual).map(([group, settings]) => [
    group,
    { ...settings, ...some[group as keyof Config] },
  ]);
  return Object.fromEntries(groups) as Config;
};
