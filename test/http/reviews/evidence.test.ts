/** @more reviews */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

import {
  application,
  type Body,
  close,
  decideAll,
  followed,
  opened,
  pushed,
  REVIEWS,
  service,
  useVault,
  vault,
} from './vault';

/* The evidence of a review of the vault is verified without the service (docs/rules.md: Access reviews). */

useVault();

type Files = Record<string, Uint8Array>;

const evidenceOf = async (id: string): Promise<Files> => {
  const answer = await service.send('get', `${REVIEWS}/${id}/evidence`).responseType('blob');
  expect(answer.status).toBe(200);
  return unzipSync(answer.body as Buffer);
};

/** What the script says about some files, in a zip file with a manifest of them. */
const saidByScript = async (files: Files, ...more: readonly string[]): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'evidence-'));
  const file = join(folder, 'evidence.zip');
  await writeFile(file, zipSync(files));
  const script = join(__dirname, '../../../examples/verify-review.py');
  try {
    return (await promisify(execFile)('python3', [script, file, ...more])).stdout;
  } catch (error) {
    return (error as { stdout: string }).stdout;
  } finally {
    await rm(folder, { recursive: true });
  }
};

/** Files that somebody changed, together with the manifest. */
const changedBy = (files: Files, name: string, change: (text: string) => string): Files => {
  const changed = { ...files, [name]: strToU8(change(strFromU8(files[name] ?? new Uint8Array()))) };
  const manifest = JSON.parse(strFromU8(changed['manifest.json'] ?? new Uint8Array())) as {
    sha256: Record<string, string>;
  };
  manifest.sha256[name] = createHash('sha256')
    .update(changed[name] ?? '')
    .digest('hex');
  return { ...changed, 'manifest.json': strToU8(JSON.stringify(manifest)) };
};

test('the script verifies the evidence without the service, and names what somebody changed', async () => {
  const id = await opened({ name: 'Vault "ž" <b>' });
  await decideAll(id, { ben: 'read' });
  const { review } = await close(id);
  await pushed(vault, application({ reads: ['ann', 'lee'], writes: ['mia'], team: ['ann'] }));
  await followed();
  const files = await evidenceOf(id);
  expect(Object.keys(files).sort()).toEqual([
    ...['decisions.csv', 'decisions.jsonl', 'items.csv', 'items.jsonl', 'manifest.json'],
    ...['people.jsonl', 'remediation.csv', 'review.html', 'review.json'],
  ]);
  const said = await saidByScript(files, String((review as Body).head));
  expect(said).toContain('pending 0, keep 5, revoke 1, gone 0, carried 0, excepted 0');
  expect(said).toMatch(/\nverified\n$/);
  expect(strFromU8(files['review.html'] ?? new Uint8Array())).toContain(
    'Vault &quot;ž&quot; &lt;b&gt;',
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
  const left = entries.slice(0, 6);
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
        .replace(`"entries": ${entries.length}`, '"entries": 6'),
  );
  const saidOfCut = await saidByScript(cut, hash);
  expect(saidOfCut).not.toContain('the head');
  expect(saidOfCut).toContain('a seal is not what the chain says');
  const bare = { ...files, 'items.csv': strToU8('number\n') };
  expect(await saidByScript(bare)).toContain('items.csv');
});
