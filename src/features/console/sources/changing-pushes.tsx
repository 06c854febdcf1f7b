import type { JSX } from 'preact';

import { countedAccess, type PushOfSource } from '../overview/overview';
import { counted } from '../parts/counted';
import { Table } from '../tables/table';
import { ChangedAccess, PushCells } from './pushes';

/** What each of some pushes changed in access; those that nobody has counted say so. */
export const ChangingPushes = ({ of }: { readonly of: readonly PushOfSource[] }): JSX.Element => (
  <Table
    caption="Pushes that changed access, newest first"
    columns={['Push', 'Provider, data source', 'People', 'Permissions gained and lost']}
  >
    {of.map((sent) => {
      const counts = countedAccess(sent.push);
      return (
        <tr key={sent.push.id}>
          <PushCells of={sent} />
          <td data-name="People">
            {counts === null ? null : <b>{counts.people?.toLocaleString('en')}</b>}
          </td>
          <td data-name="Access">
            {sent.push.access === null ? (
              <span class="quiet">not counted yet</span>
            ) : (
              <>
                <ChangedAccess of={sent.push} />
                {counts === null ? null : (
                  <span class="quiet"> on {counted(counts.resources, 'resource')}</span>
                )}
              </>
            )}
          </td>
        </tr>
      );
    })}
  </Table>
);
