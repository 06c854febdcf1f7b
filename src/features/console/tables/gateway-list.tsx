import type { JSX } from 'preact';

import type { Gateways, WithoutGateway } from '../../../questions/endpoints';
import { address, type Parameters } from '../frame/address';
import { Can } from '../words/can';
import { Entity, From, Unseen } from '../parts/name';
import { type Filters, isNarrowed, OnlyWhere } from './narrowing';
import { PageOf, type Sorting } from './sorting';
import { Table } from './table';

const SHOWN = 12;

type Gateway = Gateways['values'][number];

/** Through which groups people reach a resource, with a link to who would lose it without one. */
export const GatewayList = ({
  of: { people, direct, values },
  path,
  keeping,
  narrowed,
}: {
  readonly of: Gateways;
  readonly path: string;
  readonly keeping: Parameters;
  /** The filters of the page, which its links keep in addition to its instant. */
  readonly narrowed: Parameters;
}): JSX.Element => {
  const item = (gateway: Gateway): JSX.Element => (
    <li key={gateway.id}>
      <strong>{gateway.people}</strong> through <Entity of={gateway} keeping={keeping} />{' '}
      <a href={address(path, { ...keeping, ...narrowed, without: gateway.id })}>
        who would lose it<Unseen>{`without ${gateway.name}`}</Unseen>?
      </a>
    </li>
  );
  return (
    <>
      <ul class="gateways">
        {values.slice(0, SHOWN).map(item)}
        {direct === 0 ? null : (
          <li>
            <strong>{direct}</strong> {values.length === 0 ? 'directly' : 'through no group'}
          </li>
        )}
      </ul>
      {values.length <= SHOWN ? null : (
        <details>
          <summary>and {values.length - SHOWN} more groups</summary>
          <ul class="gateways">{values.slice(SHOWN).map(item)}</ul>
        </details>
      )}
      {values.length > 0 && people > 0 ? (
        <p class="hint">
          One may be in several groups, so the numbers may add up to more than {people}.
        </p>
      ) : null}
    </>
  );
};

/** How many losses one page of the console shows; the answer of the interface has all of them. */
const LOSSES_OF_PAGE = 500;

/** Who would lose what on a resource without a gateway. */
export const LossTable = ({
  of: { without, people, values },
  filters,
  keeping,
  backAddress,
  after,
  by,
}: {
  readonly of: WithoutGateway;
  /** What permissions count. */
  readonly filters: Filters;
  readonly keeping: Parameters;
  readonly backAddress: string;
  /** How many losses the pages before this one have. */
  readonly after: number;
  readonly by: Sorting;
}): JSX.Element => {
  const shown = values.slice(after, after + LOSSES_OF_PAGE);
  const next = after + shown.length;
  const all = values.filter(({ left }) => left.length === 0).length;
  return (
    <>
      <div class="note warn" role="status">
        <p>
          <strong>
            Without <Entity of={without} keeping={keeping} isPlain />
            <From of={without} />, {all} of {people} people would lose everything{' '}
            {isNarrowed(filters) ? 'that counts here' : 'here'}
            {values.length > all ? `, and ${values.length - all} a part` : ''}.
          </strong>
          <OnlyWhere filters={filters} /> Nothing is changed.{' '}
          <a href={backAddress}>Back to everybody</a>
        </p>
      </div>
      {values.length === 0 ? null : (
        <Table caption="Who would lose what" columns={['Who', 'Would lose', 'Would still have']}>
          {shown.map((row) => (
            <tr key={row.id}>
              <th scope="row">
                <Entity of={row} keeping={keeping} />
              </th>
              <td data-name="Would lose">
                <Can of={row.lost} />
              </td>
              <td data-name="Would still have">
                {row.left.length === 0 ? (
                  <span class="loss">
                    {isNarrowed(filters) ? 'nothing that counts here' : 'nothing'}
                  </span>
                ) : (
                  <Can of={row.left} />
                )}
              </td>
            </tr>
          ))}
        </Table>
      )}
      <PageOf
        of={{
          values: shown,
          total: values.length,
          next_page_token: next < values.length ? String(next) : '',
        }}
        {...{ by, isFirst: after === 0 }}
      />
    </>
  );
};
