import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';
import { keyOf } from '../../web/admission/turns';
import type { ImportDependencies } from './dependencies';
import { findImport, removeImport, setImport } from './import-settings';
import { type ImportRequest, type ImportResult, runImport } from './run-import';

/** Imports of applications over SCIM (docs/provisioning.md: Importing an application). */
export const scimImports = (dependencies: ImportDependencies) => {
  const run = runImport(dependencies);
  return {
    set: setImport(dependencies),
    find: findImport(dependencies),
    remove: removeImport(dependencies),
    /** Runs an import. The timetable bounds its own; others wait for turns. */
    run: (request: ImportRequest): TaskEither<Failure, ImportResult> =>
      request.by === undefined
        ? run(request)
        : dependencies.turns.run({ key: keyOf(request.by) }, run(request)),
    /** Providers whose imports are due. */
    due: (most: number) => dependencies.imports.due(most),
  };
};
export type ScimImportCases = ReturnType<typeof scimImports>;
