import { readApplication } from './application';
import { declarationOf, type Declaration } from './definitions';
import { nothing, type Entity, type Whole } from './entity';
import { readFlat } from './flat-reading';
import { flatTemplate } from './flat-templates';
import { readIncrement } from './increment';
import type { ApplicationPayload, FlatPayload } from './payload';
import { distinctProblems, type Problem } from './pointer';
import type { Reading } from './reading';
import type { DataSource } from './rows';
import { knownSpelling, pointerAsSent } from './spelling';
import { inexact, type Mention } from './warnings';

/** What one data source holds and remembers. */
export interface Held {
  readonly source: DataSource;
  readonly whole: Whole;
  readonly declarations: readonly Declaration[];
}

/** What a payload makes of what a data source holds; nothing when there are problems. */
export interface Reception {
  readonly problems: readonly Problem[];
  readonly held: Held;
  readonly mentions: readonly Mention[];
}

/** Receives a push, full or incremental, by a data source that holds something or had no push yet (docs/rules.md: Full pushes, Increments). */
export function receive(before: Held | null, source: DataSource, payload: unknown): Reception {
  const { whole, declarations } = before ?? { whole: nothing, declarations: [] };
  const known = knownSpelling(payload) as FlatPayload & ApplicationPayload;
  const flat = flatTemplate(source.template);
  const isIncrement = known.incremental_change === true;
  const reading: Reading =
    isIncrement && before === null
      ? refusedFirst
      : isIncrement
        ? readIncrement(known, source, whole, declarations)
        : flat !== null
          ? readFlat(flat, known, source.id, declarations)
          : readApplication(known, source.id, declarations);
  const problems = reading.problems.map(({ pointer, code }) => ({
    pointer: pointerAsSent(pointer, payload),
    code,
  }));
  return {
    problems: distinctProblems(problems),
    held: {
      source,
      whole: isIncrement ? reading.whole : withEarlierTags(reading.whole, whole),
      declarations: isIncrement
        ? remembered(declarations, reading.declarations)
        : remembered([], reading.declarations),
    },
    mentions: [...reading.mentions, ...inexact(known)],
  };
}

/** The first push of a data source cannot be an increment (docs/rules.md: Increments). */
const refusedFirst: Reading = {
  whole: nothing,
  problems: [{ pointer: '/incremental_change', code: 'INCREMENTAL_FIRST_PUSH' }],
  mentions: [],
  declarations: [],
};

/** Tags accumulate: one set earlier stays until its entity is gone (docs/rules.md: Tags). */
function withEarlierTags(whole: Whole, before: Whole): Whole {
  const earlier = (entity: Entity) =>
    before.entities.find(({ key }) => key === entity.key)?.tags ?? [];
  return {
    ...whole,
    entities: whole.entities.map((entity) => ({
      ...entity,
      tags: [...earlier(entity), ...entity.tags],
    })),
  };
}

/** A declared type stands until a full push no longer declares it (docs/rules.md: Custom properties). */
function remembered(
  before: readonly Declaration[],
  now: readonly Declaration[],
): readonly Declaration[] {
  const added = now.filter((one) => declarationOf(before, one.scope, one.name) === undefined);
  return [...before, ...added];
}
