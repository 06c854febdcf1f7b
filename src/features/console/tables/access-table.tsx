import { Fragment } from 'preact';
import type { JSX } from 'preact';

import type {
  ReachedResources,
  ResourceRow,
  Summary,
} from '../../../contract/answers/questions/access';
import { unnamedOf } from '../../../contract/tables/access';
import { type Parameters, resourceAddress } from '../frame/address';
import { useAddresses } from '../frame/reading';
import { Marks } from '../parts/marks';
import { Entity, From, InApplication, Name, Unseen } from '../parts/name';
import { Permissions } from '../parts/permissions';
import { type Sorting, SortedBy } from './sorting';

const SHOWN = 8;

/** The accounts of applications through which a human has what a row lists. */
const accountsOf = (
  { permissions }: ResourceRow,
  accounts: readonly Summary[],
): readonly Summary[] => {
  const ids = new Set(permissions.flatMap((permission) => permission.accounts ?? []));
  return accounts.filter(({ id, label }) => label === 'LocalUser' && ids.has(id));
};

/** The data source of a row: its key begins with it (docs/rules.md: Keys). */
const sourceOf = ({ id }: ResourceRow): string => id.slice(0, id.indexOf('|'));

interface RowOf {
  readonly row: ResourceRow;
  readonly of: ReachedResources;
  readonly principal: string;
  readonly keeping: Parameters;
  readonly columns: Columns;
  readonly isGateway: boolean;
}

/** Which columns a table has besides the usual ones. */
interface Columns {
  readonly application: boolean;
  readonly account: boolean;
}

const Row = ({ row, of, principal, keeping, columns, isGateway }: RowOf): JSX.Element => {
  const addresses = useAddresses();
  const accounts = accountsOf(row, of.accounts ?? []);
  return (
    <tr>
      <th scope="row">
        <Entity of={row} keeping={{ at: keeping.at }} isPlain />
      </th>
      {columns.application ? (
        <td data-name="Application">
          <InApplication of={row} />
        </td>
      ) : null}
      <td data-name="Type" class="quiet">
        {row.label === 'Application' ? 'application' : <Name>{row.resource_type ?? ''}</Name>}
      </td>
      <td data-name="Can">
        <Marks of={row.permissions} />
      </td>
      <td data-name="Permissions">
        <Permissions of={row.permissions} />
      </td>
      {!columns.account ? null : (
        <td data-name="Account">
          {accounts.slice(0, SHOWN).map((account, at) => (
            <span key={account.id}>
              {at > 0 ? ', ' : ''}
              <Name>{account.name}</Name>
              {account.provider === row.provider ? null : <From of={account} />}
            </span>
          ))}
          {row.permissions.some(unnamedOf)
            ? ' and more'
            : accounts.length > SHOWN
              ? ` and ${accounts.length - SHOWN} more`
              : ''}
        </td>
      )}
      <td>
        <a href={addresses.why({ ...keeping, principal, resource: row.id })}>
          why<Unseen>{row.path ?? row.name}</Unseen>
        </a>
        {isGateway ? (
          <>
            {' · '}
            <a
              href={resourceAddress(row.id, {
                ...{ at: keeping.at, without: principal },
                contents: row.label === 'Application' ? 'false' : '',
              })}
            >
              who would lose it<Unseen>{`on ${row.path ?? row.name}`}</Unseen>?
            </a>
          </>
        ) : null}
      </td>
    </tr>
  );
};

/** What a principal or a human can reach, by application if the table is ordered so. */
export const AccessTable = ({
  of,
  principal,
  keeping,
  by,
  isGateway = false,
}: {
  readonly of: ReachedResources;
  readonly principal: string;
  readonly keeping: Parameters;
  /** Whether others reach something through the principal: each row leads to who would lose it. */
  readonly isGateway?: boolean;
  readonly by: Sorting;
}): JSX.Element => {
  const isGrouped = by.sort.startsWith('application');
  const { accounts = [] } = of;
  const columns = {
    application: !isGrouped,
    account: of.values.some((row) => accountsOf(row, accounts).length > 0),
  };
  const width = 5 + Number(columns.application) + Number(columns.account);
  let before: string | undefined;
  return (
    <div class="scroll">
      <table class="cards">
        <caption class="unseen">What can be reached, and how</caption>
        <thead>
          <tr>
            <SortedBy field="name" by={by}>
              Resource
            </SortedBy>
            {columns.application ? (
              <SortedBy field="application" by={by}>
                Application
              </SortedBy>
            ) : null}
            <th scope="col">Type</th>
            <th scope="col">Can</th>
            <th scope="col">Permissions</th>
            {columns.account ? <th scope="col">Account</th> : null}
            <th scope="col">Through what</th>
          </tr>
        </thead>
        <tbody>
          {of.values.map((row) => {
            // Several data sources may have an application of this name.
            const group = JSON.stringify([row.application, sourceOf(row)]);
            const begins = isGrouped && group !== before;
            before = group;
            return (
              <Fragment key={row.id}>
                {begins ? (
                  <tr>
                    <th scope="rowgroup" colSpan={width}>
                      <InApplication of={row} />
                    </th>
                  </tr>
                ) : null}
                <Row {...{ row, of, principal, keeping, columns, isGateway }} />
              </Fragment>
            );
          })}
        </tbody>
      </table>
    </div>
  );
};
