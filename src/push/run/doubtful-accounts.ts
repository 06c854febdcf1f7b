import type { Difference } from '../../difference/difference';
import type { HeldDataSource } from '../graph/held-data-source';
import { Employee } from '../../templates/hris/employees';
import { subjectOf, titleOf, type Warning } from '../../warning';

/**
 * Warnings about employees whose id is that of a user of a directory, though no name is the same. They
 * are not joined (docs/rules.md: Derived relationships).
 */
export const doubtfulAccounts = async (
  held: Pick<HeldDataSource, 'withoutAccounts'>,
  { created, changed }: Pick<Difference, 'created' | 'changed'>,
): Promise<readonly Warning[]> => {
  const rows = [...created, ...changed.map(({ after }) => after)]
    .map(({ row }) => row)
    .filter(({ kind, lookups }) => kind === Employee && typeof lookups.fold_only_id === 'string');
  const doubtful = await held.withoutAccounts(rows.map(({ key }) => key));
  return rows.flatMap(({ key, properties }): readonly Warning[] => {
    if (!doubtful.has(key)) return [];
    const { name } = properties;
    const subject = subjectOf('employee', typeof name === 'string' ? name : '');
    const message =
      `A directory has a user with the id ${JSON.stringify(properties.id)} and another name, so they ` +
      `are not joined: send idp_id or email (${titleOf(subject)})`;
    return [{ message, code: 'DOUBTFUL_ACCOUNT', pointer: '', subject }];
  });
};
