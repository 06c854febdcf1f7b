import * as E from 'fp-ts/Either';
import fc from 'fast-check';

import { Definitions } from '../../src/check/definitions';
import { decodePayload } from '../../src/contract/decode';
import { Digest } from '../../src/model/digest';
import { payloadRows } from '../../src/rows/payload-rows';
import { rowHash } from '../../src/rows/row/row-hash';
import type { PayloadOf, Template } from '../../src/templates/templates';
import { pushSequence, templates } from '../arbitrary/push-sequence';
import { reordered } from '../arbitrary/respelling';
import { sized } from '../support/test-size';

interface Good {
  readonly template: Template;
  readonly payload: PayloadOf[Template];
  readonly digest: string;
}

/** A payload and the digest of its rows, if it breaks no rule by itself. */
const good = (template: Template, json: unknown): Good | null => {
  const decoded = decodePayload(template, json);
  if (E.isLeft(decoded) || decoded.right._tag === 'Increment') return null;
  const { payload } = decoded.right;
  const { rows, problems } = payloadRows(template, payload, Definitions.none);
  if (problems.total > 0) return null;
  return { template, payload, digest: Digest.empty.with(rows.rows.map(rowHash)).hex };
};

/** All good payloads of random sequences of pushes. */
const goods = fc
  .array(pushSequence, { minLength: 20, maxLength: 20 })
  .map((sequences) =>
    sequences
      .flat()
      .flatMap(({ source, payload }) => good(templates[source] as Template, payload) ?? []),
  );

test('the same content in another order makes equal rows', () => {
  const digests = new Set<string>();
  fc.assert(
    fc.property(goods, fc.nat(), (payloads, seed) => {
      for (const { template, payload, digest } of payloads) {
        const other = good(template, reordered(payload, seed));
        if (other === null) throw new Error('another order broke a rule');
        expect(other.digest).toBe(digest);
        digests.add(digest);
      }
    }),
    { numRuns: sized(2, 6) },
  );
  expect(digests.size).toBeGreaterThan(100);
});
