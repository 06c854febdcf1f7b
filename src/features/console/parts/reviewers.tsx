import type { JSX } from 'preact';

import type { Reviewer, ReviewerList } from '../../../contract/answers/questions/access';
import { reasonInWords } from '../../../questions/contract';
import type { Parameters } from '../frame/address';
import { kindInSentence } from '../frame/kinds';
import { Entity, From, Name } from './name';

const SHOWN = 5;

const One = ({
  of,
  keeping,
}: {
  readonly of: Reviewer;
  readonly keeping: Parameters;
}): JSX.Element => (
  <li>
    <Entity of={of} keeping={keeping} isPlain />
    <From of={of} />
    <span class="kind">
      {of.reasons.map((reason) => (
        <span key={reason.text}>
          {', '}
          <Name>{reasonInWords(reason, kindInSentence(reason.of.label))}</Name>
          <From of={reason.of} />
        </span>
      ))}
      {of.reasons_total === undefined
        ? null
        : ` and ${of.reasons_total - of.reasons.length} more reasons`}
    </span>
  </li>
);

/** Who should review access, and why. */
export const Reviewers = ({
  of: { values, total },
  keeping,
}: {
  readonly of: ReviewerList;
  readonly keeping: Parameters;
}): JSX.Element => (
  <>
    <ul>
      {values.slice(0, SHOWN).map((each) => (
        <One key={each.id} of={each} keeping={keeping} />
      ))}
    </ul>
    {values.length <= SHOWN ? null : (
      <details>
        <summary>and {total - SHOWN} more</summary>
        <ul>
          {values.slice(SHOWN).map((each) => (
            <One key={each.id} of={each} keeping={keeping} />
          ))}
        </ul>
        {total > values.length ? <p>and {total - values.length} that are not listed</p> : null}
      </details>
    )}
  </>
);
