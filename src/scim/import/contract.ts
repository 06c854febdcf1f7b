import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { oncePerContext } from '../../context';
import { providersOf } from '../../graph/records/registry';
import { graphScimImports } from './import-records';
import { graphImportedAccounts } from '../reading/imported-accounts';
import type { Counter } from '../../metrics';
import { pushLineOf } from '../../push/contract';
import { scimImports } from './scim-imports';
import type { ImportRequest } from './run-import';
import { Timetable } from '../timetable';
import { timedImports } from './timed-imports';
import { reachingOf, readingTurnsOf } from '../connections/contract';

/** What is counted of imports. */
export const IMPORTS: Counter<'reading' | 'outcome'> = {
  name: 'grantgraph_scim_imports_total',
  help: 'Imports of applications over SCIM by how they read and ended.',
  labels: ['reading', 'outcome'],
};

/** Imports of applications. */
export const importsOf = oncePerContext((context) => {
  const { take, plan, sizes } = pushLineOf(context);
  const imports = scimImports({
    imports: graphScimImports(context.graph),
    existing: (dataSource, application) =>
      graphImportedAccounts(context.graph, dataSource, application),
    registry: providersOf(context),
    provisioning: reachingOf(context),
    payloadBytes: sizes.jsonBytes,
    turns: readingTurnsOf(context),
    takePush: take,
    takePlan: plan,
  });
  const { metrics } = context;
  return {
    ...imports,
    /** Runs an import, and counts it. */
    run: (request: ImportRequest): ReturnType<typeof imports.run> =>
      pipe(
        imports.run(request),
        TE.tapIO(({ answer, push }) => () => {
          const outcome = answer.problem === null ? (push?.outcome ?? 'unchanged') : 'failed';
          if (!answer.dry_run) metrics.count(IMPORTS, { reading: answer.reading, outcome });
        }),
        TE.tapError(() =>
          TE.fromIO(() => metrics.count(IMPORTS, { reading: 'none', outcome: 'failed' })),
        ),
      ),
  };
});

/** Runs the imports that are due. */
export const importTimetableOf = oncePerContext((context) => {
  const findProvider = (id: string) => providersOf(context).findProvider(id);
  const { log } = context;
  const timetable = new Timetable(timedImports({ imports: importsOf(context), findProvider, log }));
  context.onStop(timetable.stop);
  return timetable;
});
