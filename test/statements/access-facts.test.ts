import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { HELD_TYPES } from '../../src/access/relationship-types';
import { features } from '../../src/features';
import { accessKinds } from '../../src/graph/statements/access-kinds';

const SRC = join(__dirname, '../../src');
const WRITES = /\b(CREATE|MERGE|DELETE|SET|REMOVE)\b/;
const labels = new Set([...accessKinds.flatMap(({ label, also }) => [label, ...also]), 'Entity']);

/** Whether a statement may change a node or relationship of access. */
const mayChange = (text: string): boolean => {
  if (!WRITES.test(text)) return false;
  const named = (names: string): readonly string[] => names.split(/[:|]/);
  const nodes = [...text.matchAll(/\(\w*:([\w:]+|\$\([^)]*\))/g)].map(([, of = '']) => of);
  const types = [...text.matchAll(/\[\w*:([\w|]+|\$\([^)]*\))/g)].map(([, of = '']) => of);
  return (
    nodes.some((of) => of.startsWith('$') || named(of).some((label) => labels.has(label))) ||
    types.some(
      (of) =>
        of.startsWith('$') ||
        named(of).some((of) => (HELD_TYPES as readonly string[]).includes(of)),
    )
  );
};

/** The groups of such statements, by their titles, and who runs them: all of them take a number. */
const GROUPS: readonly (readonly [titles: RegExp, by: string])[] = [
  [/^(?!Verify: ).+: \S/, 'graph/write/write-difference.ts'],
  [/^Verify: /, 'features/verification/checks/verification.ts'],
];

/** The classes that send these statements, and the files that may use them. */
const SENDERS: Readonly<Record<string, readonly string[]>> = {
  'new Writer(': ['graph/write/write-difference.ts'],
  'new Deriver(': [
    'features/verification/checks/derivation-verifier.ts',
    'graph/write/write-difference.ts',
  ],
  'new DerivationVerifier(': [
    'features/trusts/trust-records.ts',
    'features/verification/checks/verification.ts',
  ],
};

const sources = (readdirSync(SRC, { recursive: true }) as string[]).filter((name) =>
  name.endsWith('.ts'),
);
const textOf = (name: string): string => readFileSync(join(SRC, name), 'utf8');

test('whoever may change what access depends on takes a number in the commit sequence', () => {
  const changing = features
    .flatMap((feature) => feature.statements?.() ?? [])
    .filter(({ text }) => mayChange(text))
    .map(({ title }) => title);
  expect(changing.length).toBeGreaterThan(100);
  const others = changing.filter((title) => GROUPS.every(([titles]) => !titles.test(title)));
  expect(others).toEqual([]);
  for (const [, by] of GROUPS)
    expect([by, textOf(by)]).toEqual([by, expect.stringMatching(/TAKE_TURN/)]);
});

test('nobody else sends such statements', () => {
  for (const [sender, files] of Object.entries(SENDERS)) {
    expect([sender, sources.filter((name) => textOf(name).includes(sender)).sort()]).toEqual([
      sender,
      [...files].sort(),
    ]);
  }
});

test('the statements are used where a number is taken, or by classes that are used there', () => {
  const writing = sources.filter((name) =>
    /^graph\/rows\/(node|relationship|derivation)-statements\.ts$/.test(name),
  );
  const nameOf = (path: string): string => (path.split('/').at(-1) ?? '').replace('.ts', '');
  const users = sources.filter(
    (name) =>
      !writing.includes(name) &&
      !name.includes('catalog') &&
      writing.some((of) =>
        new RegExp(`from '[./]*(graph/)?rows/${nameOf(of)}'`).test(textOf(name)),
      ),
  );
  expect(users.sort()).toEqual([
    // It takes a number itself, and so do those that use the other classes.
    'features/erasure/removal/erasure.ts',
    'features/verification/checks/derivation-verifier.ts',
    'features/verification/checks/row-verifier.ts',
    'graph/write/current-rows.ts',
    'graph/write/deriving.ts',
    'graph/write/managing.ts',
    'graph/write/writing.ts',
    // It only reads.
    'push/graph/learning.ts',
  ]);
  expect(textOf('features/erasure/removal/erasure.ts')).toMatch(/TAKE_TURN/);
});
