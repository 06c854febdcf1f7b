import type { JSX } from 'preact';

import {
  ERASED_HOLDER,
  type OversightOfReview,
  type Sending as SendingOfReview,
} from '../../../reviews/reading/contract';
import { FormToken } from '../../frame/form-token';
import { counted } from '../../parts/counted';
import { HiddenInputs } from '../../parts/hidden-inputs';
import { Name } from '../../parts/name';
import { Table } from '../../tables/table';
import { progressAddress } from '../words';

/** What of some revokes would be sent to applications, and the form that sends it. */
export const Sending = ({
  of: { review, left },
  sending: { values, token },
  maySend,
}: {
  readonly of: OversightOfReview;
  readonly sending: SendingOfReview;
  readonly maySend: boolean;
}): JSX.Element => {
  const out = values.filter(({ goes_out }) => goes_out);
  const holderOf = (item: number): string =>
    left.find(({ number }) => number === item)?.shown?.holder.name ?? ERASED_HOLDER;
  return (
    <>
      <p class="crumbs">
        <a href={progressAddress(review.id)}>
          <Name>{review.name}</Name>
        </a>
      </p>
      <h1>What would be sent</h1>
      <p class="subtitle">
        {counted(out.length, 'removal')} of {counted(values.length, 'revoke')}. Nothing was sent
        yet.
      </p>
      <Table
        caption="What would be sent"
        columns={['Who', 'Would be sent', 'Stays a task because']}
      >
        {values.map(({ item, goes_out, what, why }) => (
          <tr key={item}>
            <th scope="row">
              <Name>{holderOf(item)}</Name>
            </th>
            <td data-name="Would be sent">{goes_out ? <Name>{what}</Name> : ''}</td>
            <td data-name="Stays a task because">
              <Name>{why ?? ''}</Name>
            </td>
          </tr>
        ))}
      </Table>
      <p class="hint">
        An answer of an application proves nothing. The next import or push shows whether the member
        is gone.
      </p>
      {token === null ? null : maySend ? (
        <form method="post" action={progressAddress(review.id)}>
          <FormToken />
          <HiddenInputs of={{ items: values.map(({ item }) => String(item)), token }} />
          <button name="act" value="send" class="danger">
            Send {counted(out.length, 'removal')}
          </button>
        </form>
      ) : (
        <p class="hint">Only administrators send it.</p>
      )}
    </>
  );
};
