import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';

import type { Directory, StoredResource } from '../../../src/scim/server/directory';
import type { Failure } from '../../../src/problem';
import { scimServer } from '../../../src/scim/server/scim-server';
import { takeWrite } from '../../../src/scim/server/writing/take-write';
import { pushTurns } from '../../../src/push/threads/push-turns';
import type { SentScim, ThreadWrite } from '../../../src/push/threads/sent-scim';

const MOST = 3;

const stored: StoredResource = {
  key: 'd|IdpGroup:g',
  id: 'g',
  identity: 'g',
  groups: [],
  properties: { name: 'Group', identity: 'g' },
  since: '',
  changed: '',
};

/** A directory with one group of so many members, which notes whether somebody read them. */
const directoryOf = (members: number) => {
  const reads: string[] = [];
  const directory = {
    source: () =>
      TE.right({
        provider: { id: 'p', name: 'P', custom_template: 'identity_provider', state: 'ENABLED' },
        dataSource: { id: 'd', name: 'D', digest: 'x', status: 'READY' },
      }),
    byIds: () => TE.right([stored]),
    memberCounts: () => TE.right(new Map([[stored.key, members]])),
    members: () => {
      reads.push('members');
      return TE.right(new Map([[stored.key, []]]));
    },
  } as unknown as Directory;
  return { directory, reads };
};

const done: ThreadWrite = {
  outcome: E.right({ json: new Uint8Array(0), location: '', ignored: [] }),
  pushes: [],
  refused: [],
};

const sent = (operation: object, attributes: readonly string[]): SentScim =>
  ({
    how: 'patch',
    kind: 'Group',
    id: 'g',
    requestId: 'r',
    seconds: {},
    encoding: undefined,
    address: { source: 'd', base: '' },
    selection: { attributes, excluded: null },
    body: [Buffer.from(JSON.stringify({ Operations: [operation] }))],
  }) as unknown as SentScim;

const written = async (
  members: number,
  one: SentScim,
  thread: TE.TaskEither<Failure, ThreadWrite> = TE.right(done),
) => {
  const { directory, reads } = directoryOf(members);
  const turns = pushTurns(4, 1);
  const server = scimServer({
    directory,
    turns,
    newId: () => 'n',
    here: { members: MOST, compared: 10_000 },
  });
  const told: string[] = [];
  let inThread = 0;
  const write = (): typeof thread => {
    inThread += 1;
    return thread;
  };
  const take = takeWrite({ server, threads: { write }, turns });
  const failed = ({ _tag }: Failure): void => void told.push(_tag);
  const outcome = await take(one, () => TE.left({ _tag: 'Conflict', message: '' }), {
    done: ({ push }) => void told.push(push),
    failed,
  })();
  return { inThread, told, reads, outcome };
};

const BY_FILTER = { op: 'remove', path: 'members[value sw "zz"]' };
const ALL = { op: 'replace', path: 'members', value: [] };
const RENAMED = { op: 'replace', path: 'externalId', value: null };

test.each([
  ['removes by a filter', BY_FILTER, ['id']],
  ['replaces all members', ALL, ['id']],
  ['shows them in its answer', RENAMED, ['members']],
])('a small write that %s of a large group runs in a push thread', async (_, operation, shown) => {
  const large = await written(MOST + 1, sent(operation, shown));
  expect([large.inThread, large.reads]).toEqual([1, []]);
  const small = await written(MOST, sent(operation, shown));
  expect([small.inThread, small.reads.length > 0]).toEqual([0, true]);
});

test('a write that looks at no member runs here, however many the group has', async () => {
  const { inThread, reads } = await written(MOST + 1, sent(RENAMED, ['id']));
  expect([inThread, reads]).toEqual([0, []]);
});

test('refused pushes of a thread, and a thread that ends, are told', async () => {
  const refusal: Failure = { _tag: 'TooLarge', message: 'too large' };
  const refused = await written(
    MOST + 1,
    sent(ALL, ['id']),
    TE.right({
      outcome: E.left(refusal),
      pushes: [],
      refused: [refusal],
    }),
  );
  expect([refused.told, refused.outcome]).toEqual([['TooLarge'], E.left(refusal)]);
  const ended = await written(MOST + 1, sent(ALL, ['id']), TE.left(refusal));
  expect([ended.told, ended.outcome]).toEqual([['TooLarge'], E.left(refusal)]);
});
