import type { JSX } from 'preact';

import type { Reviewer } from '../../../contract/answers/questions/access';
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
    </span>
  </li>
);

/** Who should review access, and why. */
export const Reviewers = ({
  of,
  keeping,
}: {
  readonly of: readonly Reviewer[];
  readonly keeping: Parameters;
}): JSX.Element => (
  <>
    <ul>
      {of.slice(0, SHOWN).map((each) => (
        <One key={each.id} of={each} keeping={keeping} />
      ))}
    </ul>
    {of.length <= SHOWN ? null : (
      <details>
        <summary>and {of.length - SHOWN} more</summary>
        <ul>
          {of.slice(SHOWN).map((each) => (
            <One key={each.id} of={each} keeping={keeping} />
          ))}
        </ul>
      </details>
    )}
  </>
);
