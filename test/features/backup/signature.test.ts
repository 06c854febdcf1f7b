import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { checkBackup, ForeignBackup, writeBackup } from '../../../src/features/backup/backup-file';
import type { GraphPart } from '../../../src/features/backup/graph/backup-line';
import { STORE_VERSION } from '../../../src/graph/migration/migrate';
import { type VaultKey, vaultKeyOf } from '../../../src/secrets/vault';

const keyOf = (digit: string): VaultKey => vaultKeyOf(digit.repeat(64)) as VaultKey;

async function* parts(): AsyncIterable<GraphPart> {
  yield await Promise.resolve({ section: { nodes: 'Tag' } });
}

test('a backup that another key signed is taken only from the signer that somebody names', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'backup-'));
  const file = join(folder, 'backup');
  const [own, theirs] = [keyOf('1'), keyOf('2')];
  try {
    const about = { store_version: STORE_VERSION, neo4j: '5', as_of: '', commit_sequence: 0 };
    const leftOut = { uploads: 0, foreign_nodes: 0, foreign_relationships: 0 };
    const build = { version: '9.9.9', commit: 'abc', rulesVersion: 3 };
    await writeBackup(file, { about, parts, leftOut: () => leftOut }, build, theirs);
    expect(await checkBackup(file, theirs)).toMatchObject({ file });
    expect(await checkBackup(file, own, theirs.id)).toMatchObject({ file });
    for (const trusted of [null, own.id, keyOf('3').id]) {
      await expect(checkBackup(file, own, trusted)).rejects.toThrow(ForeignBackup);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});
