import * as E from 'fp-ts/Either';
import fc from 'fast-check';

import { Definitions } from '../../src/check/definitions';
import { contentDigest } from '../../src/contract/content';
import { decodePayload } from '../../src/contract/decode';
import type { PayloadOf } from '../../src/templates/templates';
import { Digest } from '../../src/model/digest';
import type { Template } from '../../src/templates/templates';
import { payloadRows, payloadWords } from '../../src/rows/payload-rows';
import { rowHash } from '../../src/rows/row/row-hash';
import type { Rows, Words } from '../../src/rows/row/rows';
import { pushSequence, templates } from '../arbitrary/push-sequence';
import { reordered } from '../arbitrary/respelling';
import { sized } from '../support/test-size';

interface Good {
  readonly template: Template;
  readonly payload: PayloadOf[Template];
  readonly rows: Rows;
}

/** What a payload says, if it breaks no rule by itself. */
const good = (template: Template, json: unknown): Good | null => {
  const decoded = decodePayload(template, json);
  if (E.isLeft(decoded) || decoded.right._tag === 'Increment') return null;
  const { payload } = decoded.right;
  const { rows, problems } = payloadRows(template, payload, Definitions.none);
  return problems.total > 0 ? null : { template, payload, rows };
};

const digestOf = ({ rows }: Rows): string => Digest.empty.with(rows.map(rowHash)).hex;

const told = ({ mentions, remarks }: Words): unknown => ({
  mentions: mentions
    .map(({ subject, where, names, ...rest }) => ({
      ...rest,
      names: [...names],
      subject: subject(),
      where: where(),
    }))
    .toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1)),
  remarks: remarks.toSorted((a, b) => (a.pointer < b.pointer ? -1 : 1)),
});

const wordsOf = ({ template, payload }: Good): Words => payloadWords(template, payload);

/** All good payloads of random sequences of pushes. */
const goods = fc
  .array(pushSequence, { minLength: 20, maxLength: 20 })
  .map((sequences) =>
    sequences
      .flat()
      .flatMap(({ source, payload }) => good(templates[source] as Template, payload) ?? []),
  );

test('equal content makes equal rows, and its words are found without them', () => {
  let words = 0;
  const rowsByContent = new Map<string, string>();
  fc.assert(
    fc.property(goods, fc.nat(), (payloads, seed) => {
      for (const one of payloads) {
        const { template, payload, rows } = one;
        expect(told(wordsOf(one))).toEqual(told(rows));
        words += rows.mentions.length + rows.remarks.length;

        const other = good(template, reordered(payload, seed));
        if (other === null) throw new Error('another order broke a rule');
        const content = contentDigest(template, payload);
        expect(contentDigest(template, other.payload)).toBe(content);
        const digest = digestOf(rows);
        expect(digestOf(other.rows)).toBe(digest);
        expect(rowsByContent.get(`${template} ${content}`) ?? digest).toBe(digest);
        rowsByContent.set(`${template} ${content}`, digest);
      }
    }),
    { numRuns: sized(2, 6) },
  );
  expect(words).toBeGreaterThan(100);
  expect(rowsByContent.size).toBeGreaterThan(100);
});
