import fc from 'fast-check';

import type { ExportedAccess, Summary } from '../../src/contract/answers/questions/access';
import {
  addLine,
  exportedLines,
  frameOf,
  partTexts,
} from '../../src/contract/tables/exported-access';

/** Texts that need quotes, apostrophes or nothing, and empty ones. */
const texts = fc.oneof(
  fc.constantFrom('', 'a', '=1+1', 'a;=1', '"', 'a"b', 'a,b', 'a\r\nb', ' -x', '\t@', 'true', '0'),
  fc.string(),
);

const summaries: fc.Arbitrary<Summary> = fc.record({
  id: texts,
  label: texts,
  name: texts,
  path: fc.option(texts),
  resource_type: fc.option(texts),
  application: fc.option(texts),
  domain: fc.option(texts),
  provider: fc.option(texts),
  inactive: fc.boolean(),
});

const rows = fc.record({
  principal: summaries,
  human: fc.option(summaries),
  resource: summaries,
  permissions: fc.array(
    fc.record({ name: texts, permission_type: fc.array(texts, { maxLength: 2 }) }),
    { minLength: 1, maxLength: 3 },
  ),
  as_of: fc.option(fc.record({ push: texts, at: texts })),
  cursor: texts,
});

test('a line of an export that is put together from parts is the line of a table', () => {
  fc.assert(
    fc.property(rows, (row) => {
      const { principal, human, resource, permissions, as_of } = row;
      const lines: string[] = [];
      for (const [at, held] of permissions.entries()) {
        const cursor = at === permissions.length - 1 ? row.cursor : undefined;
        const frame = frameOf({
          principal: partTexts('principal', principal),
          human: partTexts('human', human),
          end: partTexts('end', { as_of, cursor }),
        });
        addLine(lines, frame, {
          resource: partTexts('resource', resource),
          held: partTexts('held', held),
        });
      }
      expect(lines.join('')).toBe(exportedLines([row as ExportedAccess]));
    }),
  );
});
