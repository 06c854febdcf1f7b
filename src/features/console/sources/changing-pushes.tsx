import type { JSX } from 'preact';

import type { PushOfSource } from '../overview/overview';
import { counted } from '../parts/counted';
import { Table } from '../tables/table';
import { ChangedAccess, PushCells } from './pushes';

/** What each of some pushes changed in access; those that nobody has counted say so. */
export const ChangingPushes = ({ of }: { readonly of: readonly PushOfSource[] }): JSX.Element => (
  <Table
    caption="Pushes that changed access, newest first"
    columns={['Push', 'Provider, data source', 'People', 'Permissions gained and lost']}
  >
    {of.map((sent) => (
      <tr key={sent.push.id}>
        <PushCells of={sent} />
        <td data-name="People">
          {sent.push.access === null || 'state' in sent.push.access ? null : (
            <b>{sent.push.access.people?.toLocaleString('en')}</b>
          )}
        </td>
        <td data-name="Access">
          {sent.push.access === null ? (
            <span class="quiet">not counted yet</span>
          ) : (
            <>
              <ChangedAccess of={sent.push} />
              {'state' in sent.push.access ? null : (
                <span class="quiet"> on {counted(sent.push.access.resources, 'resource')}</span>
              )}
            </>
          )}
        </td>
      </tr>
    ))}
  </Table>
);
