import { readdirSync } from 'node:fs';
import { join } from 'node:path';

import type { EventType } from '../../src/contract/answers/event-types';
import { eventTypesOf } from '../../src/feature';
import { features } from '../../src/features';

const sources = join(__dirname, '../../src');
const listed = eventTypesOf(features);

/** The types that each `events.ts` declares. */
const declared = readdirSync(sources, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('/events.ts') && !file.startsWith('contract/'))
  .map(
    (file) =>
      [
        file,
        // eslint-disable-next-line @typescript-eslint/no-require-imports
        (require(join(sources, file)) as { events: Readonly<Record<string, EventType>> }).events,
      ] as const,
  );

test('every type of events is listed by one feature, so that limited keys and programs know it', () => {
  expect(declared.length).toBeGreaterThan(10);
  const types = declared.flatMap(([, events]) => Object.values(events));
  expect(new Set(listed)).toEqual(new Set(types));
  expect(listed).toHaveLength(types.length);
});

test('no two types of events have one name', () => {
  const names = listed.map(({ name }) => name);
  expect(names.filter((name, place) => names.indexOf(name) !== place)).toEqual([]);
});

test.each(declared)('%s names each type as events spell it', (_file, events) => {
  for (const [name, type] of Object.entries(events)) {
    expect(type.name).toBe(name);
    expect(name).toMatch(/^[A-Z]+(_[A-Z]+)+$/);
  }
});
