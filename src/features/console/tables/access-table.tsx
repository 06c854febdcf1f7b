import { Fragment } from 'preact';
import type { JSX } from 'preact';

import type { ReachedResources, ResourceRow } from '../../../contract/answers/questions/access';
import { instantsOf, type Parameters, resourceAddress, sourceOfKey } from '../frame/address';
import { useAddresses } from '../frame/reading';
import { Can, Privileged } from '../words/can';
import { Entity, From, InApplication, Name, Unseen } from '../parts/name';
import { Ago } from '../parts/time';
import { WayLine } from '../words/way';
import { RowDiffering } from './since-then';
import { accessHeads, type Sorting } from './sorting';
import { Table } from './table';

/** Several data sources may have an application of one name. */
const groupOf = (row: ResourceRow): string =>
  JSON.stringify([row.application, sourceOfKey(row.id)]);

interface RowOf {
  readonly row: ResourceRow;
  readonly principal: string;
  readonly keeping: Parameters;
  readonly isGrouped: boolean;
  readonly isGateway: boolean;
}

const Row = ({ row, principal, keeping, isGrouped, isGateway }: RowOf): JSX.Element => {
  const addresses = useAddresses();
  const why = addresses.why({ ...keeping, principal, resource: row.id });
  return (
    <tr>
      <th scope="row">
        <Entity of={row} keeping={instantsOf(keeping)} isPlain /> <Privileged of={row} />
        <div class="under">
          {row.label === 'Application' ? 'application' : <Name>{row.resource_type ?? ''}</Name>}
          {isGrouped || row.label === 'Application' ? (
            isGrouped ? null : (
              <From of={row} />
            )
          ) : (
            <>
              {' in '}
              <InApplication of={row} />
            </>
          )}
        </div>
      </th>
      <td data-name="Can">
        <Can of={row.permissions} />
        <RowDiffering id={row.id} held={row.permissions} />
      </td>
      <td data-name="Through">
        <WayLine
          of={row.way}
          provider={row.provider}
          keeping={instantsOf(keeping)}
          whyAddress={why}
        />
      </td>
      <td data-name="Since" class="quiet">
        <Ago of={row.way?.since} />
      </td>
      <td>
        <a href={why}>
          why<Unseen>{row.path ?? row.name}</Unseen>
        </a>
        {isGateway ? (
          <>
            {' · '}
            <a
              href={resourceAddress(row.id, {
                ...instantsOf(keeping),
                without: principal,
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
  const isGrouped = /^(?:largest_)?application\b/.test(by.sort);
  let before: string | undefined;
  return (
    <Table caption="What can be reached, and how" columns={accessHeads('Resource', by)}>
      {of.values.map((row) => {
        const group = groupOf(row);
        const begins = isGrouped && group !== before;
        before = group;
        return (
          <Fragment key={row.id}>
            {begins ? (
              <tr>
                <th scope="rowgroup" colSpan={5}>
                  <InApplication of={row} />
                </th>
              </tr>
            ) : null}
            <Row {...{ row, principal, keeping, isGrouped, isGateway }} />
          </Fragment>
        );
      })}
    </Table>
  );
};
