import type { JSX } from 'preact';

import {
  ERASED_HOLDER,
  type OversightOfReview,
  REMEDIATION_WORDS,
} from '../../../reviews/reading/contract';
import { FormToken } from '../../frame/form-token';
import { counted } from '../../parts/counted';
import { Name } from '../../parts/name';
import { Push, Time } from '../../parts/time';
import { Table } from '../../tables/table';
import { Reason } from '../reason';
import { progressAddress, REMEDIATION } from '../words';

type Of = OversightOfReview;
type Left = Of['left'][number];
type Revoke = NonNullable<Left['remediation']>;

const LeftRow = ({ of, mayAct }: { readonly of: Left; readonly mayAct: boolean }): JSX.Element => {
  const { number, shown, remediation } = of;
  if (remediation === null) return <></>;
  const isLeft = remediation.state !== 'excepted';
  return (
    <tr>
      <th scope="row">
        {mayAct && isLeft ? (
          <>
            <input
              type="checkbox"
              form="except"
              name="items"
              value={number}
              aria-label={`Mark ${shown?.holder.name ?? `item ${number}`}`}
            />{' '}
          </>
        ) : null}
        <Name>{shown?.holder.name ?? ERASED_HOLDER}</Name>
      </th>
      <td data-name="Held">
        <Name>{shown?.holds ?? ''}</Name>
      </td>
      <td data-name="State">
        {REMEDIATION_WORDS[remediation.state]}
        {remediation.is_overdue ? <span class="tag bad">overdue</span> : null}{' '}
        <Time of={remediation.changed_at} />
        {remediation.push === null ? null : <Push id={remediation.push} />}
        <Sent of={remediation.sent} />
      </td>
      <td data-name="Left through">
        {remediation.state === 'excepted' ? (
          <>
            until <Time of={remediation.excepted_until} />, by{' '}
            <Name>{remediation.excepted_by?.name ?? 'nobody'}</Name>:{' '}
            <Name>{remediation.reason ?? ''}</Name>
          </>
        ) : (
          remediation.through.map((way, at) => (
            <span key={way}>
              {at > 0 ? ', ' : ''}
              <Name>{way}</Name>
            </span>
          ))
        )}
      </td>
      <RevokedBy of={of} />
    </tr>
  );
};

/** Who revoked an item, and why. */
const RevokedBy = ({ of: { decided_by, reason } }: { readonly of: Left }): JSX.Element => (
  <td data-name="Revoked by">
    <Name>{decided_by === null ? 'the service' : (decided_by.name ?? decided_by.alias)}</Name>
    {reason === null ? null : (
      <>
        {': '}
        <Name>{reason}</Name>
      </>
    )}
  </td>
);

/** Revokes whose access is gone, and the push that showed it. */
const Confirmed = ({ of }: { readonly of: readonly Left[] }): JSX.Element | null =>
  of.length === 0 ? null : (
    <Table
      caption="Revokes that a push confirmed"
      columns={['Who', 'Held before', 'Confirmed', 'Revoked by']}
    >
      {of.map((each) => (
        <tr key={each.number}>
          <th scope="row">
            <Name>{each.shown?.holder.name ?? ERASED_HOLDER}</Name>
          </th>
          <td data-name="Held before">
            <Name>{each.shown?.holds ?? ''}</Name>
          </td>
          <td data-name="Confirmed">
            <Time of={each.remediation?.changed_at ?? null} />
            {each.remediation?.push == null ? null : <Push id={each.remediation.push} />}
            <Sent of={each.remediation?.sent ?? null} />
          </td>
          <RevokedBy of={each} />
        </tr>
      ))}
    </Table>
  );

/** What was sent to the application, and what it answered. */
const Sent = ({ of }: { readonly of: Revoke['sent'] }): JSX.Element | null =>
  of === null ? null : (
    <p class="hint">
      Sent <Time of={of.at} />
      {of.by === null ? null : (
        <>
          {' by '}
          <Name>{of.by.name ?? of.by.alias}</Name>
        </>
      )}
      : <Name>{of.to}</Name>. {of.answer === null ? 'No answer yet.' : <Name>{of.answer}</Name>}
    </p>
  );

/** Asks what of the marked would be sent. The form of exceptions has the marks. */
const LookButton = (): JSX.Element => (
  <p>
    <button form="except" formNoValidate name="act" value="look" class="quieter">
      See what of the marked would be sent
    </button>{' '}
    <span class="hint">
      The service looks in the applications that it imports over SCIM, and changes nothing.
    </span>
  </p>
);

const ExceptForm = ({ of: { review } }: { readonly of: Of }): JSX.Element => (
  <details>
    <summary>Make an exception of the marked</summary>
    <form id="except" class="ask" method="post" action={progressAddress(review.id)}>
      <FormToken />
      <p>
        <label for="until">Until</label>
        <input id="until" name="until" type="date" required />
      </p>
      <Reason id="except-reason" label="Reason" />
      <p class="hint">
        You make it yourself. Nobody makes an exception of what they have reviewed.
      </p>
      <button name="act" value="except">
        Make an exception
      </button>
    </form>
  </details>
);

/** What became of revokes, and what the reader may do about what is left. */
export const Remediation = ({
  of,
  mayAct,
}: {
  readonly of: Of;
  readonly mayAct: boolean;
}): JSX.Element | null => {
  const { remediation, left, confirmed: gone } = of;
  if (remediation === null) return null;
  const { open, confirmed, excepted, came_back } = remediation;
  if (open + confirmed + excepted + came_back === 0) return null;
  return (
    <section aria-labelledby={REMEDIATION}>
      <h2 id={REMEDIATION}>Remediation</h2>
      <p>
        {counted(open, 'revoke')} ordered and not yet gone, {confirmed.toLocaleString('en')}{' '}
        confirmed by a push, {excepted.toLocaleString('en')} left by an exception,{' '}
        {came_back === 0 ? '0 came back' : <b class="loss">{came_back} came back</b>}.{' '}
        <span class="hint">
          By an exception somebody leaves the access until a day, with a reason.
        </span>
      </p>
      {left.length === 0 ? null : (
        <Table
          caption="Revokes whose access is left, and exceptions"
          columns={['Who', 'Held', 'State', 'Left through', 'Revoked by']}
        >
          {left.map((each) => (
            <LeftRow key={each.number} of={each} mayAct={mayAct} />
          ))}
        </Table>
      )}
      {left.length < open + came_back + excepted ? (
        <p class="hint">These are the first {left.length}. The evidence has all of them.</p>
      ) : null}
      <Confirmed of={gone} />
      {gone.length < confirmed ? (
        <p class="hint">
          These are the first {gone.length} that are confirmed. The evidence has all of them.
        </p>
      ) : null}
      {mayAct && open + came_back > 0 ? (
        <>
          {of.review.state === 'closed' ? <LookButton /> : null}
          <ExceptForm of={of} />
        </>
      ) : null}
    </section>
  );
};
