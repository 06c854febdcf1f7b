import fc from 'fast-check';

import { sorted } from '../../src/model/digest';

test('texts are sorted by code units, however many there are', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 30 }), (texts) => {
      const expected = [...texts].sort();
      expect(sorted([...texts])).toEqual(expected);
    }),
  );
});
