/** @more reviews */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { strFromU8, strToU8 } from 'fflate';

import { changedBy, evidenceOf, saidByScript } from './evidence-files';
import {
  application,
  type Body,
  close,
  decideAll,
  followed,
  keyOf,
  opened,
  people,
  pushed,
  useVault,
  vault,
} from './vault';

/* The evidence of a review of the vault is verified without the service (docs/rules.md: Access reviews). */

useVault();

test('the script has at most 100 lines, so that an auditor reads it', () => {
  const script = readFileSync(join(__dirname, '../../../examples/verify-review.py'), 'utf8');
  expect(script.trimEnd().split('\n').length).toBeLessThanOrEqual(100);
});

test('tables of the evidence say sources, coverage and rules, and no cell of them is a formula', async () => {
  const id = await opened({ name: '=1+1', scope: { people: [await keyOf('IdpUser', 'ann')] } });
  const files = await evidenceOf(id);
  const linesOf = (name: string): readonly string[] =>
    strFromU8(files[name] ?? new Uint8Array())
      .trim()
      .split('\r\n');
  const [head, ...sources] = linesOf('sources.csv');
  expect(head).toBe('data_source,name,provider,push,at,is_stale,has_failed,reason');
  expect(sources.map((line) => line.split(',')[0]).sort()).toEqual(
    [people.data_source_id, vault.data_source_id].sort(),
  );
  const [, all, ...parts] = linesOf('coverage.csv').map((line) => Number(line.split(',').at(-1)));
  expect(parts.length).toBeGreaterThan(1);
  expect(parts.reduce((sum, pairs) => sum + pairs, 0)).toBe(all);
  const rules = linesOf('rules.csv');
  expect(rules).toContainEqual(expect.stringMatching(/^name,'=1\+1,/));
  expect(rules).toContainEqual(expect.stringMatching(/^on_silence,except,"?What becomes/));
  for (const name of Object.keys(files).filter((each) => each.endsWith('.csv'))) {
    expect([name, linesOf(name).filter((line) => /(^|,)"?=/.test(line))]).toEqual([name, []]);
  }
});

test('the script verifies the evidence without the service, and names what somebody changed', async () => {
  const id = await opened({ name: 'Vault "ž" <b>' });
  await decideAll(id, { ben: 'read' });
  const { review } = await close(id);
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
  await followed();
  const files = await evidenceOf(id);
  expect(Object.keys(files).sort()).toEqual([
    'coverage.csv',
    'decisions.csv',
    'decisions.jsonl',
    'items.csv',
    'items.jsonl',
    'manifest.json',
    'people.jsonl',
    'remediation.csv',
    'review.html',
    'review.json',
    'rules.csv',
    'sources.csv',
  ]);
  const said = await saidByScript(files, String((review as Body).head));
  expect(said).toContain('pending 0, keep 5, revoke 1, gone 0, carried 0, excepted 0');
  expect(said).toMatch(/\nverified\n$/);
  expect(strFromU8(files['review.html'] ?? new Uint8Array())).toContain(
    'Vault &quot;ž&quot; &lt;b>',
  );
  expect(strFromU8(files['remediation.csv'] ?? new Uint8Array())).toMatch(
    /,account,holds,revoked_because\r\n[^]*,confirmed,[^]*,"account ""ben"" in ""Vault""",[^]*as the work demands/,
  );
  expect(await saidByScript(files, '0'.repeat(64))).toContain('does not have the head');
  for (const [name, change, finding] of [
    [
      'items.jsonl',
      (text: string) => text.replace('"state":"revoke"', '"state":"keep"'),
      'its state',
    ],
    ['items.jsonl', (text: string) => text.replace('group', 'groop'), 'its texts'],
    ['items.jsonl', (text: string) => text.replace('"privileged"', '"guest"'), 'its digest'],
    ['items.jsonl', (text: string) => text.split('\n').slice(1).join('\n'), 'item 1 is missing'],
    ['decisions.jsonl', (text: string) => text.replace('as the work demands', 'so'), 'its texts'],
    [
      'decisions.jsonl',
      (text: string) => text.replace('"act":"revoke"', '"act":"keep"'),
      'its hash',
    ],
    ['decisions.jsonl', (text: string) => text.split('\n').slice(1).join('\n'), 'the one before'],
    [
      'decisions.jsonl',
      (text: string) => text.split('\n').slice(0, -2).join('\n'),
      'the head of the chain',
    ],
    ['review.json', (text: string) => text.replace(/"digest": "../, '"digest": "00'), 'the digest'],
    [
      'review.json',
      (text: string) => text.replace('grace_days\\":7', 'grace_days\\":9'),
      'settings',
    ],
  ] as const) {
    expect([name, await saidByScript(changedBy(files, name, change))]).toEqual([
      name,
      expect.stringContaining(finding),
    ]);
  }
  for (const [name, change, finding] of [
    [
      'items.jsonl',
      (text: string) => text.replace('"remediation":"confirmed"', '"remediation":"excepted"'),
      'remediation is another one',
    ],
    [
      'review.json',
      (text: string) => text.replace('All decisions are right.', 'None is wrong.'),
      'the attestation',
    ],
    ['review.json', (text: string) => text.replace('"pairs": ', '"pairs": 1'), 'another coverage'],
  ] as const) {
    expect([name, await saidByScript(changedBy(files, name, change))]).toEqual([
      name,
      expect.stringContaining(finding),
    ]);
  }
  // A chain that was cut off before the closing, with the head and the number of what is left.
  const entries = strFromU8(files['decisions.jsonl'] ?? new Uint8Array())
    .trim()
    .split('\n');
  const left = entries.slice(0, 7);
  const { hash } = JSON.parse(left.at(-1) ?? '') as { hash: string };
  const cut = changedBy(
    changedBy(files, 'decisions.jsonl', () => `${left.join('\n')}\n`),
    'review.json',
    (text) =>
      text
        .replace(
          `"head": "${String((JSON.parse(text) as { review: Body }).review.head)}"`,
          `"head": "${hash}"`,
        )
        .replace(`"entries": ${entries.length}`, '"entries": 7'),
  );
  const saidOfCut = await saidByScript(cut, hash);
  expect(saidOfCut).not.toContain('the head');
  expect(saidOfCut).toContain('a seal is not what the chain says');
  const bare = { ...files, 'items.csv': strToU8('number\n') };
  expect(await saidByScript(bare)).toContain('items.csv');
});
