import type * as t from 'io-ts';

import { list } from '../../../codec/collections';
import { exact, has, may, nullable } from '../../../codec/exact';
import { flag, number } from '../../../codec/scalars';
import { anyText, enumeration, time } from '../../../codec/text';
import { valueOf } from '../page';
import { PlanAnswer } from '../plan';
import { ActionProblem } from './connection';
import { PushAnswer } from '../pushes';
import { count, textOrNull } from '../values';

const reading = has(
  enumeration('reading', ['whole', 'changes']),
  'Whether the service read the complete application, or only what changed.',
);

/** How an import ended, as its settings report it. */
const LastImport = exact('last import', {
  at: has(time, 'When it ended.'),
  outcome: has(
    enumeration('outcome of an import', ['accepted', 'unchanged', 'failed']),
    'Whether it changed the graph, changed nothing, or failed.',
  ),
  reading: has(nullable(enumeration('reading', ['whole', 'changes'])), 'How it was read.'),
  push_id: has(textOrNull, 'The push; null if there was none.'),
  problem: has(nullable(ActionProblem), 'Why it failed; null if it did not.'),
});
export type LastImport = t.TypeOf<typeof LastImport>;

/** How the application of a provider is imported (docs/provisioning.md: Importing an application). */
export const ImportSettingsAnswer = exact('import of an application', {
  data_source_id: has(anyText, 'The data source to which it is pushed.'),
  every: has(nullable(count), 'How many seconds lie between imports; null: by call only.'),
  whole_every: has(count, 'How many seconds lie between complete readings.'),
  leave_out: has(textOrNull, 'The filter of accounts that are left out.'),
  finds_changes: has(
    flag,
    'Whether the service has seen that the application finds what changed, so that imports may read only that.',
  ),
  misses_changes: has(
    flag,
    'Whether a complete reading found what readings of changes had missed; if so, every reading is complete.',
  ),
  whole_at: has(nullable(time), 'When it was last read completely.'),
  next_at: has(nullable(time), 'When it is imported next; null: by call only.'),
  is_running: has(flag, 'Whether an import runs.'),
  failures: has(count, 'Imports that failed since the last that did not.'),
  last: has(nullable(LastImport), 'How the last one ended.'),
  since: has(time, 'When it was first set.'),
  changed: has(time, 'When it was last set.'),
});
export type ImportSettingsAnswer = t.TypeOf<typeof ImportSettingsAnswer>;

export const ImportSettingsValue = valueOf('one import of an application', ImportSettingsAnswer);

/** What an import read. */
export const ReadSummary = exact('what was read', {
  accounts: has(count, 'Accounts.'),
  groups: has(count, 'Groups.'),
  memberships: has(
    nullable(count),
    'Memberships; of changes: accounts whose groups change. Null: the application shows no members.',
  ),
  left_out: has(count, 'Accounts that the settings leave out.'),
  unknown_members: has(count, 'Members that are no account or group of the application.'),
  remarks: has(list(anyText), 'The first things that the graph cannot hold, and were left out.'),
  remark_count: has(count, 'How many there are.'),
});
export type ReadSummary = t.TypeOf<typeof ReadSummary>;

/** What an import did. */
export const ImportAnswer = exact('answer of an import', {
  dry_run: has(flag, 'Whether nothing was pushed.'),
  reading,
  requests: has(count, 'Requests to the application.'),
  seconds: has(number, 'How long the reading lasted.'),
  read: has(nullable(ReadSummary), 'What was read; null if the application failed.'),
  problem: has(nullable(ActionProblem), 'Why the application could not be read; null if it could.'),
  push: may(PushAnswer, 'The answer of the push; absent if there was nothing to push.'),
  plan: may(PlanAnswer, 'What the push would do, of a dry run.'),
});
export type ImportAnswer = t.TypeOf<typeof ImportAnswer>;
