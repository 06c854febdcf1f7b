import fc from 'fast-check';

import { Instant } from '../../src/model/instant';
import { type Row, statedBy } from '../../src/rows/row/row';
import { incrementSequence } from '../arbitrary/increment-sequence';
import { pushSequence, templates } from '../arbitrary/push-sequence';
import { wholePayload } from '../arbitrary/whole-payload';
import type { Values } from '../mirror/graph';
import { type Held, receive } from '../mirror/reception';
import { type DataSource, rowsOf } from '../mirror/rows';
import { sized } from '../support/test-size';
import { MemorySource } from './memory';

const runs = Number(process.env.INCREMENT_RUNS ?? sized(40, 300));
/** Others in each run; `PROPERTY_SEED=…` repeats those of a run that failed. */
const seed = Number(process.env.PROPERTY_SEED ?? Date.now() % 1_000_000_000);
/** Shrinking a counterexample takes many times as long as finding it: `PROPERTY_SHRINK=1` asks for it. */
const SHRINKS = process.env.PROPERTY_SHRINK !== undefined;

const valueText = (value: unknown): string =>
  value instanceof Instant
    ? value.utc
    : typeof value === 'object' && value !== null && 'instant' in value
      ? String(value.instant)
      : JSON.stringify(value);

const propertiesText = (properties: Values | Row['properties']): string =>
  Object.entries(properties)
    .filter(([name]) => !['key', 'data_source', 'provider'].includes(name))
    .map(([name, value]) => `${name}=${valueText(value)}`)
    .sort()
    .join(' ');

const ours = (rows: Iterable<Row>): readonly string[] =>
  [...rows]
    .map((row) => {
      const links = statedBy(row)
        .map(({ kind, other, properties }) => `${kind.type} ${other} ${propertiesText(properties)}`)
        .sort();
      return `${row.key} {${propertiesText(row.properties)}} ${links.join(', ')}`;
    })
    .sort();

const mirrors = ({ whole, source }: Held): readonly string[] =>
  rowsOf(whole, source)
    .map(({ node, relationships }) => {
      const local = (key: string): string =>
        key === source.id
          ? ''
          : key.startsWith(`${source.id}|`)
            ? key.slice(source.id.length + 1)
            : key;
      const links = relationships
        .map(({ type, from, to, properties }) => {
          const other = from.key === node.key ? to.key : from.key;
          return `${type} ${local(other)} ${propertiesText(properties)}`;
        })
        .sort();
      return `${local(node.key)} {${propertiesText(node.properties)}} ${links.join(', ')}`;
    })
    .sort();

beforeAll(() => process.stderr.write(`Random pushes in memory: PROPERTY_SEED=${seed}\n`));

test.each([
  ['increments', incrementSequence, runs],
  ['full pushes', pushSequence, Math.ceil(runs * 0.7)],
] as const)(
  '%s lead to the rows that the mirror expects, and to those of the full push of the whole',
  (_what, sequences, numRuns) => {
    let pushes = 0;
    let wholes = 0;
    fc.assert(
      fc.property(sequences, (sequence) => {
        const held = new Map<number, Held>();
        const memory = new Map<number, MemorySource>();
        for (const { source: at, text, payload, shapeProblems } of sequence) {
          const template = templates[at] ?? 'application';
          const source: DataSource = { id: `D${at}`, provider: '', template };
          const mine = memory.get(at) ?? new MemorySource(template);
          memory.set(at, mine);
          const problems = mine.push(text);
          const before = held.get(at) ?? null;
          const expected = payload === null ? null : receive(before, source, payload);
          const expectedProblems = expected === null ? shapeProblems : expected.problems;
          expect([...problems].sort()).toEqual(
            expectedProblems.map(({ pointer, code }) => `${pointer} ${code}`).sort(),
          );
          pushes += 1;
          if (expected === null || expectedProblems.length > 0) continue;
          held.set(at, expected.held);
          expect(ours(mine.rows.values())).toEqual(mirrors(expected.held));
          const whole = wholePayload(expected.held);
          if (!whole.isExact) continue;
          const fresh = new MemorySource(template);
          // An application that changed its type may hold values that no full push could bring.
          if (fresh.push(JSON.stringify(whole.payload)).length > 0) continue;
          wholes += 1;
          const lookups = ({ rows }: MemorySource): unknown =>
            Object.fromEntries([...rows].map(([key, row]) => [key, row.lookups]));
          expect(lookups(mine)).toEqual(lookups(fresh));
        }
      }),
      { numRuns, seed, endOnFailure: !SHRINKS },
    );
    expect(pushes).toBeGreaterThan(numRuns);
    expect(wholes).toBeGreaterThan(numRuns);
  },
  3 * 60 * 60_000,
);
