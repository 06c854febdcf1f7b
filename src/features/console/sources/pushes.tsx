import type { JSX } from 'preact';

import type { ListedPush } from '../../../contract/answers/pushes';
import { changesAddress, sourceAddress } from '../frame/address';
import type { PushOfSource } from '../overview/overview';
import { counted } from '../parts/counted';
import { Name, Unseen } from '../parts/name';
import { Time } from '../parts/time';

const OUTCOMES: Readonly<Record<ListedPush['outcome'], string>> = {
  accepted: 'accepted',
  unchanged: 'accepted, changed nothing',
  refused: 'refused',
  pending: 'is being applied',
  replaced: 'replaced by another push',
  failed: 'failed',
};

/** How a push ended. */
export const Outcome = ({ of }: { readonly of: ListedPush['outcome'] }): JSX.Element => (
  <span class={of === 'refused' || of === 'failed' ? 'loss' : undefined}>{OUTCOMES[of]}</span>
);

/** What a push changed in access, as a link to who gained and who lost what. */
export const ChangedAccess = ({
  of: { id, access },
}: {
  readonly of: Pick<ListedPush, 'id' | 'access'>;
}): JSX.Element | null => {
  if (access === null) return null;
  const href = changesAddress({ push: id });
  if ('state' in access) {
    return <a href={href}>{access.state === 'failed' ? 'not counted' : 'too much to count'}</a>;
  }
  if (access.gained + access.lost === 0) return <span class="quiet">nothing</span>;
  return (
    <a href={href}>
      <span class="gain">+{access.gained}</span> <span class="loss">−{access.lost}</span>
      <Unseen>{`permissions by push ${id.slice(0, 8)}`}</Unseen>
    </a>
  );
};

/** How many warnings and problems a push has. */
export const Troubles = ({
  of: { warning_count, problem_count },
}: {
  readonly of: Pick<ListedPush, 'warning_count' | 'problem_count'>;
}): JSX.Element => (
  <>
    {warning_count === 0 ? null : counted(warning_count, 'warning')}
    {warning_count > 0 && problem_count > 0 ? ', ' : null}
    {problem_count === 0 ? null : <span class="loss">{counted(problem_count, 'problem')}</span>}
  </>
);

/** A push by its time, as a link to the page with its warnings and problems. */
export const PushLink = ({
  of: { id, at },
  source,
}: {
  readonly of: Pick<ListedPush, 'id' | 'at'>;
  readonly source: string;
}): JSX.Element => (
  <a href={sourceAddress(source, { push: id })}>
    <Time of={at} />
    <Unseen>{`push ${id.slice(0, 8)}`}</Unseen>
  </a>
);

/** The name of the key or person that pushed. */
export const Pusher = ({ of }: { readonly of: ListedPush['by'] }): JSX.Element | null =>
  of === null ? null : <Name>{of.name}</Name>;

/** The first cells of a row about a push: the push, and to what it was sent. */
export const PushCells = ({
  of: { push, sourceId, source, provider },
}: {
  readonly of: PushOfSource;
}): JSX.Element => (
  <>
    <th scope="row">
      <PushLink of={push} source={sourceId} />
    </th>
    <td data-name="Data source">
      <Name>{provider}</Name>
      {', '}
      <Name>{source}</Name>
    </td>
  </>
);
