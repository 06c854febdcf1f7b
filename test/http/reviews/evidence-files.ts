import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';

import { REVIEWS, service } from './vault';

/** The files of an evidence. */
export type Files = Record<string, Uint8Array>;

/** The evidence of a review. */
export const evidenceOf = async (id: string): Promise<Files> => {
  const answer = await service.send('get', `${REVIEWS}/${id}/evidence`).responseType('blob');
  expect(answer.status).toBe(200);
  return unzipSync(answer.body as Buffer);
};

/** What the script says about some files, in a zip file with a manifest of them. */
export const saidByScript = async (files: Files, ...more: readonly string[]): Promise<string> => {
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
export const changedBy = (files: Files, name: string, change: (text: string) => string): Files => {
  const changed = { ...files, [name]: strToU8(change(strFromU8(files[name] ?? new Uint8Array()))) };
  const manifest = JSON.parse(strFromU8(changed['manifest.json'] ?? new Uint8Array())) as {
    sha256: Record<string, string>;
  };
  manifest.sha256[name] = createHash('sha256')
    .update(changed[name] ?? '')
    .digest('hex');
  return { ...changed, 'manifest.json': strToU8(JSON.stringify(manifest)) };
};
