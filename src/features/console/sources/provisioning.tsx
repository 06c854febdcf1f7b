import type { JSX } from 'preact';

import { unescapePart } from '../../../model/key';
import { PEOPLE_NAMED, type Provisioned } from '../asking/source';
import { counted } from '../parts/counted';
import { Facts } from '../parts/facts';
import { Entity, Name } from '../parts/name';
import { Time } from '../parts/time';
import { Table } from '../tables/table';
import { PROVISIONING } from './failures';

const LAST_IMPORT = {
  accepted: 'changed the graph',
  unchanged: 'changed nothing',
  failed: 'failed',
} as const;

const Import = ({ of }: { readonly of: Provisioned['imported'] }): JSX.Element | null =>
  of === null ? null : (
    <>
      <h3>Import of the application</h3>
      <Facts
        of={[
          ['State', of.is_running ? 'runs now' : 'waits'],
          ['Next', <Time key="next" of={of.next_at} />],
          [
            'Failed',
            of.failures > 0 && <span class="loss">{counted(of.failures, 'time')} in a row</span>,
          ],
          [
            'Last',
            of.last !== null && (
              <>
                <Time of={of.last.at} /> {LAST_IMPORT[of.last.outcome]}
                {of.last.problem === null ? null : (
                  <span class="loss">
                    {' '}
                    <code>{of.last.problem.code}</code> <Name>{of.last.problem.message}</Name>
                  </span>
                )}
              </>
            ),
          ],
        ]}
      />
    </>
  );

const Policies = ({
  of: { policies, status },
}: {
  readonly of: Provisioned;
}): JSX.Element | null =>
  policies.length === 0 ? null : (
    <>
      <h3>Policies</h3>
      <Facts
        of={[
          ['Last run', <Time key="run" of={status.run_at} />],
          ['Ended', status.outcome],
          ['Problem', status.problem !== null && <Name>{status.problem}</Name>],
          [
            'Waits for',
            status.confirmation !== null &&
              `a confirmation: ${counted(status.confirmation.people, 'person', 'people')} would lose accounts`,
          ],
          [
            'Drift',
            status.drift > 0 && `${counted(status.drift, 'difference')} in the application`,
          ],
        ]}
      />
      <ul>
        {policies.map(({ id, name, state }) => (
          <li key={id}>
            <Name>{name}</Name> <span class="kind">{state.replace('_', ' ')}</span>
          </li>
        ))}
      </ul>
    </>
  );

/** The people whom an action is about. Who is gone has the id. */
const Whom = ({
  of: { people, account },
  known,
}: {
  readonly of: Provisioned['actions'][number];
  readonly known: Provisioned['people'];
}): JSX.Element => (
  <>
    {people.slice(0, PEOPLE_NAMED).map((key, at) => {
      const person = known.get(key);
      return (
        <span key={key}>
          {at > 0 ? ', ' : ''}
          {person === undefined ? (
            <Name>{unescapePart(key.split('|').at(-1) ?? key)}</Name>
          ) : (
            <Entity of={person} isPlain />
          )}
        </span>
      );
    })}
    {people.length > PEOPLE_NAMED ? ` and ${people.length - PEOPLE_NAMED} more` : ''}
    {account === null ? null : (
      <div class="under">
        account <Name>{account}</Name>
      </div>
    )}
  </>
);

const Actions = ({
  of: { actions, people },
}: {
  readonly of: Pick<Provisioned, 'actions' | 'people'>;
}): JSX.Element | null =>
  actions.length === 0 ? null : (
    <>
      <h3>Actions that are not done</h3>
      <Table
        caption="Actions that are not done"
        columns={['Action', 'Whom', 'State', 'Why', 'Last failure', 'Next try']}
      >
        {actions.map((action) => (
          <tr key={action.id}>
            <td data-name="Action">{action.kind}</td>
            <td data-name="Whom">
              <Whom of={action} known={people} />
            </td>
            <td data-name="State" class={action.status === 'DEAD' ? 'loss' : undefined}>
              {action.status === 'DEAD'
                ? `given up after ${counted(action.attempts, 'try', 'tries')}`
                : action.status.toLowerCase()}
            </td>
            <td data-name="Why">
              <Name>{action.why}</Name>
            </td>
            <td data-name="Last failure">
              {action.problem === null ? null : (
                <>
                  <code>{action.problem.code}</code> <Name>{action.problem.message}</Name>
                </>
              )}
            </td>
            <td data-name="Next try">
              <Time of={action.next_try} />
            </td>
          </tr>
        ))}
      </Table>
    </>
  );

/** What the service does in an application by itself: its import, its policies and their actions. */
export const Provisioning = ({ of }: { readonly of: Provisioned }): JSX.Element | null =>
  of.imported === null && of.policies.length === 0 && of.actions.length === 0 ? null : (
    <section aria-labelledby={PROVISIONING}>
      <h2 id={PROVISIONING}>Imports and policies of the provider</h2>
      <Import of={of.imported} />
      <Policies of={of} />
      <Actions of={of} />
    </section>
  );
