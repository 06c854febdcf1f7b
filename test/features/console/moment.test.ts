import * as E from 'fp-ts/Either';

import { instantWritten } from '../../../src/features/console/asking/moment';

test.each(['2020-11-27 10:54', '2020-11-27T10:54', '2020-11-27T10:54Z', '2020-11-27 10:54 UTC'])(
  'a minute means its end in UTC: %s',
  (text) => {
    expect(instantWritten(text, 'at')).toEqual(E.right('2020-11-27T10:54:59.999999999Z'));
  },
);

test('a minute or a day that is not over means now', () => {
  jest.useFakeTimers({ now: Date.parse('2020-11-27T10:54:30Z') });
  try {
    expect(instantWritten('2020-11-27 10:54', 'at')).toEqual(E.right(''));
    expect(instantWritten('2020-11-27', 'at')).toEqual(E.right(''));
    expect(instantWritten('2020-11-27 10:53', 'at')).toEqual(
      E.right('2020-11-27T10:53:59.999999999Z'),
    );
  } finally {
    jest.useRealTimers();
  }
});

test('a time keeps its offset, and what does not exist is refused', () => {
  expect(instantWritten('2020-11-27T10:54:01 01:00', 'at')).toEqual(
    E.right('2020-11-27T09:54:01Z'),
  );
  expect(instantWritten('2020-11-31 10:54', 'at')).toMatchObject({ _tag: 'Left' });
  expect(instantWritten('2020-11-27 24:54', 'at')).toMatchObject({ _tag: 'Left' });
  expect(instantWritten('yesterday', 'at')).toBeNull();
});
