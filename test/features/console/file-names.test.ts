import type { AccessList } from '../../../src/contract/answers/questions/access';
import { evidenceFileName } from '../../../src/features/console/reviews/words';
import { accessFileName, changesFileName } from '../../../src/features/console/words/file-names';

const answer = (of: 'resource' | 'principal', name: string, filter: object): AccessList =>
  ({ [of]: { name }, filter, values: [] }) as unknown as AccessList;

test.each([
  ['resource', 'motor-control', { permission_type: ['DataWrite'] }, 'motor-control-who-can-write'],
  ['resource', 'motor-control', {}, 'motor-control-who-can-reach'],
  [
    'resource',
    'motor-control',
    {
      permission_type: ['DataWrite', 'privileged'],
      every_type: true,
      mark: ['inactive', 'direct'],
    },
    'motor-control-who-can-write-and-administer-inactive-not-through-a-group',
  ],
  [
    'resource',
    'motor-control',
    { permission_type: ['MetadataDelete', 'MetadataWrite'], every_type: true },
    'motor-control-who-can-delete-settings-and-change-settings',
  ],
  ['principal', 'Amara Nwosu', { permission: ['Push', 'Pull'] }, 'amara-nwosu-can-push-or-pull'],
  [
    'resource',
    'Löhne & Gehälter',
    { permission_type: ['privileged'], mark: ['inactive'] },
    'lohne-gehalter-who-can-administer-inactive',
  ],
  ['resource', 'أمارا', { permission: ['Force push'] }, 'who-can-force-push'],
  ['principal', 'Amara Nwosu', { application: ['Forge'] }, 'amara-nwosu-can-reach-forge'],
  ['principal', '../../etc/"x";', {}, 'etc-x-can-reach'],
] as const)('a file about the %s %s is called after its question', (of, name, filter, called) => {
  expect(accessFileName(answer(of, name, filter), '2026-11-28')).toBe(`${called}-2026-11-28.csv`);
});

test('a name has small letters, digits and hyphens alone, and a bound', () => {
  const name = accessFileName(answer('resource', '\u202e\r\n";x='.repeat(1_000), {}), '2026-11-28');
  expect(name).toMatch(/^[a-z0-9-]{1,200}\.csv$/);
  // Each filter may occur as often as somebody likes.
  const many = Array.from({ length: 500 }, (_, at) => `name ${at}`);
  const filter = { application: many, permission: many };
  expect(accessFileName(answer('principal', 'x', filter), '2026-11-28')).toMatch(
    /^[a-z0-9-]{1,200}\.csv$/,
  );
});

test('a file of changes is called after its days', () => {
  expect(changesFileName({ from: '2026-11-01T00:00:00Z', to: '2026-11-28T10:00:00Z' })).toBe(
    'changes-2026-11-01-to-2026-11-28.csv',
  );
});

test('the evidence of a review is called after the review', () => {
  expect(evidenceFileName('Forge, first week', '2026-11-28')).toBe(
    'forge-first-week-evidence-2026-11-28.zip',
  );
});
