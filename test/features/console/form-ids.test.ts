import fc from 'fast-check';

import { formIdOf, newFormId } from '../../../src/features/console/registering/form-ids';

const HOUR = 3_600_000;

test('an id of a form counts for an hour, and other texts never', () => {
  fc.assert(
    fc.property(fc.integer({ min: -2 * HOUR, max: 2 * HOUR }), fc.string(), (age, text) => {
      const id = newFormId();
      const made = Date.now();
      expect(formIdOf(id, 'id', made + age)._tag).toBe(
        Math.abs(age) < HOUR - 1000
          ? 'Right'
          : Math.abs(age) > HOUR + 1000
            ? 'Left'
            : expect.anything(),
      );
      expect(formIdOf(text, 'id')._tag).toBe('Left');
    }),
  );
});
