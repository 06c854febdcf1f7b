import type { JSX } from 'preact';

import { Text } from '../../../codec/text';
import { MOST_OF_REASON } from '../../reviews/reading/contract';

/** The reason in a form. What the form is for says whether it needs one. */
export const REASON = new Text('reason', {
  most: MOST_OF_REASON,
  measure: 'characters',
  mayBeEmpty: true,
});

/** The box in which somebody writes a reason. */
export const Reason = ({
  id,
  label,
  value,
  isNeeded = true,
  isFirst = false,
}: {
  readonly id: string;
  readonly label: string;
  readonly value?: string;
  readonly isNeeded?: boolean;
  /** Whether somebody writes here first. */
  readonly isFirst?: boolean;
}): JSX.Element => (
  <p>
    <label for={id}>{label}</label>
    <input
      {...{ id, value }}
      name="reason"
      maxLength={MOST_OF_REASON}
      required={isNeeded}
      autofocus={isFirst}
      autocomplete="off"
    />
  </p>
);
