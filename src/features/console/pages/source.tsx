import { sequenceT } from 'fp-ts/Apply';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import { struct } from '../../../codec/struct';
import type { ListedPush } from '../../../contract/answers/pushes';
import { oneText } from '../../../contract/parameters/query-parameters';
import type { Failure } from '../../../problem';
import { askProvisioned, askPush, askPushes, askSource, type Provisioned } from '../asking/source';
import { address, keysAddress, PATHS, sourceAddress } from '../frame/address';
import { page, type Request, type Shown } from '../frame/page';
import type { SourceOfProvider } from '../overview/overview';
import { AskedBy } from '../parts/asked';
import { Facts } from '../parts/facts';
import { counted } from '../parts/counted';
import { Provisioning } from '../sources/provisioning';
import { askChangesByPush, ChangedByPush } from '../sources/changed-by-push';
import { ChangedAccess, Outcome, Pusher, PushLink, Troubles } from '../sources/pushes';
import { SourceHead } from '../sources/source-head';
import { SourceStatus } from '../sources/source-status';
import { PlanForm } from '../pushing/file-forms';
import { Time } from '../parts/time';
import { TroublesOfPush } from '../sources/troubles';
import { PageOf } from '../tables/sorting';
import { Table } from '../tables/table';

const QUERY = struct('the query of a data source', {}, { push: oneText, page: oneText });

const effectOf = ({ nodes, relationships }: ListedPush['put']): string =>
  nodes + relationships === 0
    ? ''
    : `${counted(nodes, 'node')}, ${counted(relationships, 'relationship')}`;

const PushTable = ({
  of,
  source,
}: {
  readonly of: readonly ListedPush[];
  readonly source: string;
}): JSX.Element => (
  <Table
    caption="Pushes, newest first"
    columns={['Push', 'Ended', 'Put', 'Removed', 'Access', 'To look at', 'By']}
  >
    {of.map((push) => (
      <tr key={push.id}>
        <th scope="row">
          <PushLink of={push} source={source} />
        </th>
        <td data-name="Ended">
          <Outcome of={push.outcome} />
        </td>
        <td data-name="Put">{effectOf(push.put)}</td>
        <td data-name="Removed">{effectOf(push.removed)}</td>
        <td data-name="Access">
          <ChangedAccess of={push} />
        </td>
        <td data-name="To look at">
          <Troubles of={push} />
        </td>
        <td data-name="By">
          <Pusher of={push.by} />
        </td>
      </tr>
    ))}
  </Table>
);

/** Policies and imports of the provider; only administrators see them, as in the interface. */
const provisionedFor = (
  { context, reader }: Request<unknown>,
  { provider }: SourceOfProvider,
): TE.TaskEither<Failure, Provisioned | null> =>
  reader.administers ? askProvisioned(context, provider) : TE.right(null);

const showPush = (
  { context }: Request<unknown>,
  of: SourceOfProvider,
  id: string,
): TE.TaskEither<Failure, Shown> =>
  pipe(
    askPush(context, of, id),
    TE.bindTo('found'),
    TE.bind('changes', ({ found }) => askChangesByPush(context, found.answer.value)),
    TE.map(({ found: { answer, shown }, changes }) => ({ push: answer.value, shown, changes })),
    TE.let('isListed', ({ changes }) => changes !== null && typeof changes !== 'string'),
    TE.map(({ push, shown, changes, isListed }): Shown => ({
      title: `Push to ${of.source.name}`,
      body: (
        <>
          <SourceHead of={of} />
          <p>
            <a href={sourceAddress(of.source.id)}>All pushes to this data source</a>
          </p>
          <h2>
            Push <code>{push.id}</code>
          </h2>
          {changes === null ? null : <ChangedByPush of={changes} push={push.id} />}
          <Facts
            of={[
              ['At', <Time key="at" of={push.at} />],
              ['Ended', <Outcome key="outcome" of={push.outcome} />],
              ['Put', effectOf(push.put)],
              ['Removed', effectOf(push.removed)],
              [
                'Access',
                isListed ? null : push.access === null && push.outcome === 'accepted' ? (
                  'Not counted. The service counts this soon after a push, if it keeps history.'
                ) : (
                  <ChangedAccess key="access" of={push} />
                ),
              ],
              ['By', push.by !== null && <Pusher of={push.by} />],
              ['Request', <code key="request">{push.request_id}</code>],
            ]}
          />
          <TroublesOfPush of={push} />
          <AskedBy of={shown} />
        </>
      ),
    })),
  );

/** A data source: how fresh it is, its pushes, and what they warned of. */
export const source = page({
  path: `${PATHS.sources}/:id`,
  summary: 'A data source: its pushes, and the warnings and problems of one of them.',
  readers: 'role',
  query: QUERY,
  show: (request) => {
    const { context, id, query } = request;
    const token = query.page ?? '';
    return pipe(
      askSource(context, id),
      TE.flatMap((of) => {
        if (query.push) return showPush(request, of, query.push);
        return pipe(
          sequenceT(TE.ApplyPar)(askPushes(context, of, token), provisionedFor(request, of)),
          TE.map(([{ answer, shown }, provisioned]): Shown => ({
            title: `${of.provider.name}, ${of.source.name}`,
            body: (
              <>
                <SourceHead of={of} />
                <Facts
                  of={[
                    ['State', <SourceStatus key="state" of={of.source} />],
                    ['Newest push', <Time key="at" of={of.source.last_push_at} />],
                    ['Rows', of.source.rows.toLocaleString('en')],
                    ['Id', <code key="id">{of.source.id}</code>],
                    ['Provider id', <code key="provider">{of.provider.id}</code>],
                  ]}
                />
                {request.reader.administers ? (
                  <p>
                    <a href="#push-a-file">Push a file</a> ·{' '}
                    <a href={keysAddress(of.source.id)}>Keys for connectors that push here</a> ·{' '}
                    <a href={address(PATHS.register, { provider: of.provider.id })}>
                      Another data source of this provider
                    </a>
                  </p>
                ) : null}
                <h2>Pushes</h2>
                {answer.values.length === 0 ? (
                  <p>Nothing was pushed here yet.</p>
                ) : (
                  <PushTable of={answer.values} source={of.source.id} />
                )}
                {answer.has_more || token !== '' ? (
                  <PageOf
                    of={answer}
                    isFirst={token === ''}
                    by={{ path: sourceAddress(id), parameters: {}, sort: '' }}
                  />
                ) : null}
                <AskedBy of={shown} />
                {request.reader.administers ? (
                  <>
                    <h2 id="push-a-file">Push a file</h2>
                    <PlanForm of={of} />
                  </>
                ) : null}
                {provisioned === null ? null : <Provisioning of={provisioned} />}
              </>
            ),
          })),
        );
      }),
    );
  },
});
