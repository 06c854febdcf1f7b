import type { JSX } from 'preact';

import type {
  PrincipalRow,
  PrincipalsWithAccess,
} from '../../../contract/answers/questions/access';
import type { Parameters } from '../frame/address';
import { personAddress } from '../frame/address';
import { useAddresses } from '../frame/reading';
import { Can, Privileged } from '../words/can';
import { kindOf } from '../frame/kinds';
import { Entity, From, Name, Unseen } from '../parts/name';
import { Ago } from '../parts/time';
import { markOfRow } from '../words/marks';
import { WayLine } from '../words/way';
import { RowDiffering } from './since-then';
import { accessHeads, type Sorting } from './sorting';
import { Table } from './table';

/** Whether a human is known only by an account or an identity. */
const isAlone = ({ label }: PrincipalRow): boolean => label === 'LocalUser' || label === 'Identity';

/** Marks that change how much a reader trusts a row. */
const BAD: readonly string[] = ['without_user', 'inactive'];

/** Whether a row says without the tag of a mark what it means. */
const isSaid = ({ label, marks }: PrincipalRow, mark: string): boolean =>
  // The column of ways shows who is in no group.
  mark === 'direct' ||
  // What is nobody's is no employee either, and an employee who has left is inactive.
  (mark === 'not_employees' && (label === 'Employee' || marks?.includes('without_user') === true));

const Tags = ({
  of,
  areAllNew,
}: {
  readonly of: PrincipalRow;
  readonly areAllNew: boolean;
}): JSX.Element => (
  <>
    {(of.marks ?? []).map((mark) =>
      isSaid(of, mark) || (mark === 'new' && areAllNew) ? null : (
        <span key={mark}>
          {' '}
          <span class={BAD.includes(mark) ? 'tag bad' : 'tag'}>{markOfRow(mark)}</span>
        </span>
      ),
    )}{' '}
    <Privileged of={of} />
  </>
);

/** What tells apart those who have one name. */
const Under = ({
  of,
  department,
}: {
  readonly of: PrincipalRow;
  readonly department: string | undefined;
}): JSX.Element => (
  <div class="under">
    {department === undefined || department === '' ? (
      of.person === true && isAlone(of) ? (
        `${kindOf(of.label)} that no directory names`
      ) : (
        kindOf(of.label)
      )
    ) : (
      <Name>{department}</Name>
    )}
    <From of={of} />
  </div>
);

const Row = ({
  row,
  department,
  resource,
  provider,
  keeping,
  narrowed,
  within,
  areAllNew,
}: {
  readonly row: PrincipalRow;
  readonly department: string | undefined;
  readonly resource: string;
  readonly provider: string | null;
  readonly keeping: Parameters;
  readonly narrowed: Parameters;
  readonly within: string | null;
  readonly areAllNew: boolean;
}): JSX.Element => {
  const addresses = useAddresses();
  const why = addresses.why({
    ...keeping,
    ...narrowed,
    principal: row.id,
    resource,
    person: row.person === true ? 'true' : '',
  });
  return (
    <tr>
      <th scope="row">
        <Entity of={{ ...row, inactive: false }} keeping={keeping} isPlain />
        <Tags of={row} areAllNew={areAllNew} />
        <Under of={row} department={department} />
      </th>
      <td data-name="Can">
        <Can of={row.permissions} />
        <RowDiffering id={row.id} held={row.permissions} />
      </td>
      <td data-name="Through">
        <WayLine
          of={row.way}
          provider={provider}
          keeping={keeping}
          whyAddress={within === null ? why : null}
        />
      </td>
      <td data-name="Since" class="quiet">
        <Ago of={row.way?.since} />
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
        <a href={why}>
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
  departments,
  by,
  areAllNew,
}: {
  readonly of: PrincipalsWithAccess;
  /** The departments of directory users, by their keys. */
  readonly departments: ReadonlyMap<string, string>;
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
  /** Whether everybody is new, which then says nothing of anybody. */
  readonly areAllNew: boolean;
}): JSX.Element => (
  <Table caption="Who can reach it; people first" columns={accessHeads('Who', by)}>
    {of.values.map((row) => (
      <Row
        key={row.id}
        {...{ row, resource, keeping, narrowed, within, areAllNew }}
        department={departments.get(row.id)}
        provider={of.resource.provider}
      />
    ))}
  </Table>
);
