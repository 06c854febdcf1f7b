import * as E from 'fp-ts/Either';
import fc from 'fast-check';

import { bounded } from '../../src/access/memory';
import { atOnce } from '../../src/access/pieces';
import type { ExportedAccess, Summary } from '../../src/contract/answers/questions/access';
import {
  addLine,
  exportedLines,
  frameOf,
  partTexts,
} from '../../src/contract/tables/exported-access';
import type { Graph } from '../../src/neo4j/driver';
import { placeIn } from '../../src/questions/export/export-place';
import { exportedPieces } from '../../src/questions/export/exported-rows';
import { filled, histories } from '../access/random-history';
import { sized } from '../support/test-size';

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

const BYTES = 100_000_000;

/** The rows of an export behind a cursor. */
const exportedBehind = async (
  [history, order]: readonly [Parameters<typeof filled>[0], number],
  cursor: string,
  cursorEvery: number,
): Promise<readonly ExportedAccess[]> => {
  const after = placeIn(cursor, 'secret');
  if (E.isLeft(after)) throw new Error('no cursor');
  const pieces = exportedPieces({} as Graph, {
    after: after.right,
    only: null,
    isExplained: false,
    isCsv: false,
    secret: 'secret',
    cursorEvery,
    memoryBytes: BYTES,
    graph: atOnce(filled(history, order).copy(bounded(BYTES))),
    asOf: null,
  });
  let text = '';
  for await (const piece of pieces) {
    if (E.isLeft(piece)) throw new Error(piece.left._tag);
    text += Buffer.from(piece.right).toString('utf8');
  }
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line) as ExportedAccess);
};

const pairsOf = (some: readonly ExportedAccess[]): readonly (readonly string[])[] =>
  some.map(({ principal, resource }) => [principal.id, resource.id]);

test('an export goes on behind the cursor of any of its rows with the rows that follow', async () => {
  let compared = 0;
  await fc.assert(
    fc.asyncProperty(histories, fc.nat(), async (history, order) => {
      const all = await exportedBehind([history, order], '', 1);
      expect(pairsOf(await exportedBehind([history, order], '', 7))).toEqual(pairsOf(all));
      const at = order % Math.max(1, all.length);
      const cursor = all[at]?.cursor;
      if (cursor === undefined) return;
      const rest = await exportedBehind([history, order], cursor, 3);
      expect(pairsOf(rest)).toEqual(pairsOf(all.slice(at + 1)));
      compared += rest.length;
    }),
    { numRuns: sized(40, 1_000), endOnFailure: true },
  );
  expect(compared).toBeGreaterThan(0);
});
