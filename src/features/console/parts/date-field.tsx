import type { JSX } from 'preact';
import { useContext } from 'preact/hooks';

import { Reading } from '../frame/reading';
import { dateMeant } from '../words/date-words';

/** A field for a date: browsers offer a calendar. What is no date, such as a push, stays a text. */
export const DateField = ({
  name,
  value,
}: {
  readonly name: string;
  readonly value: string;
}): JSX.Element => {
  const date = value === '' ? '' : dateMeant(value, Date.now(), useContext(Reading).zone);
  return date === null ? (
    <input name={name} value={value} autocomplete="off" />
  ) : (
    <input type="date" name={name} value={date} />
  );
};
