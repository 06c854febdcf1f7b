import { setFlagsFromString } from 'node:v8';

import { Definitions } from '../../check/definitions';
import { Distinct } from '../../check/distinct';
import { Names, Scope } from '../../check/names';
import { Identities } from '../../check/resources';
import { isObject } from '../../codec/codec';
import { ProblemCollector } from '../../codec/problem-collector';
import { DifferenceBuilder, WantedRow } from '../../difference/difference';
import { toDateTime } from '../../graph/connection/values';
import { Edits } from '../../increment/edits';
import { Entities } from '../../increment/working/entities';
import { Entries } from '../../increment/entries';
import { Permissions, WorkingPermission } from '../../increment/working/permissions';
import { Remarks } from '../../increment/working/problems';
import { NOTHING_KNOWN, Standing } from '../../increment/working/current-rows';
import { StatementBinder } from '../../increment/statement-binder';
import { Statements } from '../../increment/statements';
import { Working } from '../../increment/working/working';
import { WorkingStatement } from '../../increment/working/working-statement';
import { Application } from '../../templates/application/applications';
import { Grant } from '../../templates/application/statements';
import { Instant } from '../../model/instant';
import { RowContext } from '../../rows/row/context';
import { Draft } from '../../rows/row/draft';
import { StatementDrafts } from '../../rows/statement';

let kept: readonly object[] = [];

/**
 * Keeps, in the thread that calls it, what V8 has compiled of the code that each push runs again. V8 throws it away with the bytecode that was not run between two
 * collections, and with the last object of a class that it was compiled for: no push leaves any, and the next one would begin with code that is slow (docs/performance.md).
 */
export const keepCompiledCode = (): void => {
  setFlagsFromString('--no-flush-bytecode');
  // What a collection that comes by itself forgets; one that is asked for knows only the objects below.
  setFlagsFromString('--retain-maps-for-n-gc=1000');
  if (kept.length === 0) kept = [...forWholePushes(), ...forIncrements()];
};

// Of some connectors that push by turns.
const MOST_PAYLOADS = 8;
const FEW = 3;
const MOST_FIELDS = 100;
const LISTS_DEEP = 4;
const payloads: unknown[] = [];

/** A few elements of each list, without what their texts say: however large a payload is and however deep it nests, little. */
const fewOf = (value: unknown, listsDeep: number): unknown => {
  if (typeof value === 'string') return '';
  if (Array.isArray(value)) {
    return listsDeep === 0 ? [] : value.slice(0, FEW).map((each) => fewOf(each, listsDeep - 1));
  }
  if (!isObject(value)) return value;
  const fields = Object.entries(value);
  if (fields.length > MOST_FIELDS) return null;
  return Object.fromEntries(fields.map(([name, field]) => [name, fewOf(field, listsDeep)]));
};

/** Likewise for the objects of a payload, which have the shapes that its connector gives them: a few of them are made once more, as they were, and stay. */
export const keepShapesOf = (payload: unknown): void => {
  payloads.push(JSON.parse(JSON.stringify(fewOf(payload, LISTS_DEEP))));
  if (payloads.length > MOST_PAYLOADS) payloads.shift();
};

const forWholePushes = (): readonly object[] => {
  const names = new Names();
  const problems = new ProblemCollector();
  const context = new RowContext(names, Definitions.none);
  const draft = new Draft(Application, '');
  return [
    context,
    draft,
    new Scope(),
    new Distinct('', problems),
    new Identities(),
    new StatementDrafts({}, Definitions.none, context),
    new WantedRow(draft.row({})),
    new DifferenceBuilder(),
    toDateTime(new Instant('2000-01-01T00:00:00Z')),
  ];
};

const forIncrements = (): readonly object[] => {
  const standing = new Standing(NOTHING_KNOWN);
  const remarks = new Remarks();
  const entities = new Entities(standing, [], new Permissions(standing));
  const context = new RowContext(entities, Definitions.none);
  const edits = new Edits(entities, standing, Definitions.none, context, remarks);
  const binder = new StatementBinder(entities, entities, Definitions.none, context, remarks);
  return [
    new Entries(entities, edits, remarks),
    new Statements(standing, binder, entities, context, remarks),
    new Working(Application, '', '', null, null),
    new WorkingStatement(Grant, '', null),
    new WorkingPermission('', []),
  ];
};
