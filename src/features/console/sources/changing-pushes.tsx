import type { JSX } from 'preact';

import type { PushOfSource } from '../overview/overview';
import { counted } from '../parts/counted';
import { ChangedAccess, PushCells } from './pushes';

/** What each of some pushes changed in access; those that nobody has counted say so. */
export const ChangingPushes = ({ of }: { readonly of: readonly PushOfSource[] }): JSX.Element => (
  <div class="scroll">
    <table class="cards">
      <caption class="unseen">Pushes that changed access, newest first</caption>
      <thead>
        <tr>
          <th scope="col">Push</th>
          <th scope="col">Provider, data source</th>
          <th scope="col">Permissions gained and lost</th>
          <th scope="col">People, accounts and groups</th>
        </tr>
      </thead>
      <tbody>
        {of.map((sent) => (
          <tr key={sent.push.id}>
            <PushCells of={sent} />
            <td data-name="Access">
              {sent.push.access === null ? (
                <span class="quiet">not counted yet</span>
              ) : (
                <ChangedAccess of={sent.push} />
              )}
            </td>
            <td data-name="Of" class="quiet">
              {sent.push.access === null || 'state' in sent.push.access ? null : (
                <>
                  {sent.push.access.principals} on {counted(sent.push.access.resources, 'resource')}
                </>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
