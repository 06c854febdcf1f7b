import type { ImportAnswer, ImportSettingsAnswer } from '../scim/connections/endpoints';

const seconds = (count: number): string =>
  count % 3600 === 0 ? `${count / 3600} h` : count % 60 === 0 ? `${count / 60} min` : `${count} s`;

/** The settings of an import, for people. */
export const linesOfImportSettings = (value: ImportSettingsAnswer): readonly string[] => {
  const { every, whole_every, leave_out, next_at, last, failures } = value;
  return [
    every === null
      ? 'Imported by call.'
      : `Imported every ${seconds(every)}, next at ${next_at ?? 'no time'}.`,
    value.finds_changes
      ? `Read completely every ${seconds(whole_every)}, and in between only what changed.`
      : value.misses_changes
        ? 'Read completely each time, because the application does not date every change.'
        : 'Read completely each time, until the application is seen to find what changed.',
    ...(leave_out === null ? [] : [`Left out: ${leave_out}`]),
    ...(value.is_running ? ['An import runs.'] : []),
    ...(last === null
      ? ['Not imported yet.']
      : [
          `Last: ${last.outcome} at ${last.at}${last.problem === null ? '' : `: ${last.problem.code}: ${last.problem.message}`}`,
        ]),
    ...(failures > 1 ? [`Failed ${failures} times in a row.`] : []),
  ];
};

/** What an import did, for people. */
export const linesOfImport = (answer: ImportAnswer): readonly string[] => {
  const { dry_run, reading, read, problem, push, plan, requests } = answer;
  if (problem !== null || read === null) {
    return [`failed ${problem?.code ?? ''}: ${problem?.message ?? ''}`, 'Nothing was changed.'];
  }
  const effect = push ?? plan;
  return [
    `Read ${reading === 'whole' ? 'the complete application' : 'what changed'} with ${requests} requests: ` +
      `${read.accounts} accounts, ${read.groups} groups.`,
    ...(read.left_out === 0 ? [] : [`Left out ${read.left_out} accounts, as the settings say.`]),
    ...(read.unknown_members === 0
      ? []
      : [`${read.unknown_members} members are no account or group of the application.`]),
    ...read.remarks,
    ...(read.remark_count > read.remarks.length
      ? [`… and ${read.remark_count - read.remarks.length} more.`]
      : []),
    effect === undefined || effect.unchanged
      ? dry_run
        ? 'Nothing would change.'
        : 'Nothing changed.'
      : `${dry_run ? 'Would put' : 'Put'} ${effect.put.nodes} nodes and ${effect.put.relationships} relationships, ` +
        `${dry_run ? 'remove' : 'removed'} ${effect.removed.nodes} and ${effect.removed.relationships}; ` +
        `${effect.warnings.length} warnings.`,
    ...(plan?.confirmation == null ? [] : [plan.confirmation.message]),
  ];
};
