import type { JSX } from 'preact';

import { dateMeant } from '../words/date-words';

/** A field for a date: browsers offer a calendar. What is no date, such as a push, stays a text. */
export const DateField = ({
  name,
  value,
}: {
  readonly name: string;
  readonly value: string;
}): JSX.Element => {
  const date = value === '' ? '' : dateMeant(value, Date.now());
  return date === null ? (
    <input name={name} value={value} autocomplete="off" />
  ) : (
    <input type="date" name={name} value={date} />
  );
};
