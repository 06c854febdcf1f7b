import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Declaration, Definitions } from '../../src/check/definitions';
import { decodePayload } from '../../src/contract/decode';
import type { Template } from '../../src/templates/templates';
import { parseJson } from '../../src/contract/json';
import { PROBLEM_CODES, type Problem, type ProblemCode } from '../../src/problem';
import { payloadRows } from '../../src/rows/payload-rows';
import { MemorySource } from '../increment/memory';

interface Refused {
  readonly template: Template;
  /** The payload, or its text where that is the point. */
  readonly payload?: unknown;
  readonly text?: string;
  readonly remembered?: readonly Declaration[];
  /** What the data source holds already; `null`: it has had no push, and the payload is an increment. */
  readonly before?: object | null;
  readonly problems: readonly Pick<Problem, 'pointer' | 'code'>[];
}

const FOLDER = join(__dirname, '../fixtures/refused');
const FILES = readdirSync(FOLDER);

const read = (file: string): Refused =>
  JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Refused;

const problemsOf = ({
  template,
  payload,
  text,
  remembered = [],
  before,
}: Refused): readonly string[] => {
  if (before !== undefined) {
    const source = new MemorySource(template);
    if (before !== null) expect(source.push(JSON.stringify(before))).toEqual([]);
    return source.push(JSON.stringify(payload));
  }
  return problemsOfWhole(template, text ?? JSON.stringify(payload), remembered).map(coded);
};

const problemsOfWhole = (
  template: Template,
  text: string,
  remembered: readonly Declaration[],
): readonly Problem[] => {
  const json = parseJson(text);
  if (json._tag === 'Left') return json.left.problems;
  const earlier = new Definitions(remembered);
  const decoded = decodePayload(template, json.right);
  if (decoded._tag === 'Left') return decoded.left.problems;
  return payloadRows(template, decoded.right.payload as never, earlier).problems.problems;
};

const coded = ({ pointer, code }: Pick<Problem, 'pointer' | 'code'>): string =>
  `${pointer} ${code}`;

test.each(FILES)('refuses %s for exactly its reasons, in payload order', (file) => {
  const refused = read(file);
  expect(problemsOf(refused)).toEqual(refused.problems.map(coded));
});

test('each problem code of payloads is shown by a fixture', () => {
  const ofRequests: readonly ProblemCode[] = [
    'ID_MISMATCH',
    'NAME_TAKEN',
    'BAD_COMPRESSION',
    'BAD_BASE64',
    'NOT_CSV',
    'BAD_FILTER',
    'BAD_CYPHER',
    'NOT_READING',
    'BAD_PAGE_TOKEN',
    'OUT_OF_RANGE',
    'UNKNOWN_UPLOAD',
    'MISSING_PART',
    'REPEATED_PART',
    'BAD_PARAMETER',
    'WIDENS_KEY',
    'PAST_TIME',
    'TOO_SHORT',
    'BAD_ADDRESS',
    // Of requests over SCIM.
    'BAD_PATH',
    'NO_TARGET',
    'READ_ONLY',
    'POLICIES_DISAGREE',
    // It depends on the graph: test/http/property-names.test.ts.
    'TOO_MANY_PROPERTY_NAMES',
    // Told of what the service may make of a payload, and of pushes that had begun.
    'EXPANDS_TOO_FAR',
    'NOT_FINISHED',
  ] as const;
  const shown = new Set(FILES.flatMap((file) => read(file).problems.map(({ code }) => code)));
  const missing = (Object.keys(PROBLEM_CODES) as ProblemCode[]).filter(
    (code) => !shown.has(code) && !ofRequests.includes(code),
  );
  expect(missing).toEqual([]);
});
