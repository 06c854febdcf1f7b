import type { JSX } from 'preact';

import type {
  PrincipalRow,
  PrincipalsWithAccess,
} from '../../../contract/answers/questions/access';
import type { Parameters } from '../frame/address';
import { personAddress } from '../frame/address';
import { useAddresses } from '../frame/reading';
import { Marks } from '../parts/marks';
import { kindOf } from '../frame/kinds';
import { Entity, From, Name, Unseen } from '../parts/name';
import { Permissions } from '../parts/permissions';
import { SortedBy, type Sorting } from './sorting';

const SHOWN = 3;

/** The identities and accounts through which a human has access. */
const Accounts = ({ of }: { readonly of: PrincipalRow }): JSX.Element => {
  const accounts = (of.accounts ?? []).filter(({ label }) => label !== 'Identity');
  const more = accounts.length - SHOWN;
  return (
    <>
      {accounts.slice(0, SHOWN).map((account, at) => (
        <span key={account.id}>
          {at > 0 ? ', ' : ''}
          <Name>{account.name}</Name>
          <span class="kind"> {kindOf(account.label)}</span>
          <From of={account} />
        </span>
      ))}
      {more > 0 ? ` and ${more} more` : ''}
    </>
  );
};

/** Whether a human is known only by an account or an identity. */
const isAlone = ({ label }: PrincipalRow): boolean => label === 'LocalUser' || label === 'Identity';

const Row = ({
  row,
  resource,
  keeping,
  narrowed,
  within,
}: {
  readonly row: PrincipalRow;
  readonly resource: string;
  readonly keeping: Parameters;
  readonly narrowed: Parameters;
  readonly within: string | null;
}): JSX.Element => {
  const addresses = useAddresses();
  const isHuman = row.person === true;
  return (
    <tr>
      <th scope="row">
        <Entity of={row} keeping={keeping} isPlain />
      </th>
      <td data-name="Kind" class="quiet">
        {kindOf(row.label)}
        {isHuman ? (isAlone(row) ? ' that no directory names' : '') : ', nobody’s'}
        <From of={row} />
      </td>
      <td data-name="Can">
        <Marks of={row.permissions} />
      </td>
      <td data-name="Permissions">
        <Permissions of={row.permissions} />
      </td>
      <td data-name="Accounts">
        <Accounts of={row} />
      </td>
      <td>
        {within === null || row.label === 'Resource' ? null : (
          <>
            <a href={personAddress(row.id, { ...keeping, ...narrowed, application: within })}>
              where<Unseen>{row.name}</Unseen>
            </a>
            {' · '}
          </>
        )}
        <a
          href={addresses.why({
            ...keeping,
            ...narrowed,
            principal: row.id,
            resource,
            person: isHuman ? 'true' : '',
          })}
        >
          why<Unseen>{row.name}</Unseen>
        </a>
      </td>
    </tr>
  );
};

/** Who can reach a resource: humans first, then what belongs to no human. */
export const PeopleTable = ({
  of,
  resource,
  keeping,
  narrowed,
  within,
  by,
}: {
  readonly of: PrincipalsWithAccess;
  readonly resource: string;
  readonly keeping: Parameters;
  /** What the table is narrowed to; the ways of its rows are too. */
  readonly narrowed: Parameters;
  /**
   * The name of the application, if what is in the resource counts too: then each row leads to what
   * of it one reaches. Or else `null`.
   */
  readonly within: string | null;
  readonly by: Sorting;
}): JSX.Element => (
  <div class="scroll">
    <table class="cards">
      <caption class="unseen">Who can reach it; people first</caption>
      <thead>
        <tr>
          <SortedBy field="name" by={by}>
            Who
          </SortedBy>
          <SortedBy field="label" by={by}>
            Kind
          </SortedBy>
          <th scope="col">Can</th>
          <th scope="col">Permissions</th>
          <th scope="col">Accounts</th>
          <th scope="col">Through what</th>
        </tr>
      </thead>
      <tbody>
        {of.values.map((row) => (
          <Row key={row.id} {...{ row, resource, keeping, narrowed, within }} />
        ))}
      </tbody>
    </table>
  </div>
);
