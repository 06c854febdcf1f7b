import type { ImportDependencies } from './dependencies';
import { findImport, removeImport, setImport } from './import-settings';
import { runImport } from './run-import';

/** Imports of applications over SCIM (docs/provisioning.md: Importing an application). */
export const scimImports = (dependencies: ImportDependencies) => ({
  set: setImport(dependencies),
  find: findImport(dependencies),
  remove: removeImport(dependencies),
  run: runImport(dependencies),
  /** Providers whose imports are due. */
  due: (most: number) => dependencies.imports.due(most),
});
export type ScimImportCases = ReturnType<typeof scimImports>;
