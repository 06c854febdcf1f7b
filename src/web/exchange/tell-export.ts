import type { Application, Response } from 'express';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Failure } from '../../problem';

/** An export that a caller requested. */
export interface Exported {
  /** What was exported: `access`, the path of a list, or a query. */
  readonly what: string;
  /** What was exported, as the beginning of a sentence. */
  readonly inWords: string;
  /** `csv`, `ndjson` or `svg`. */
  readonly format: string;
  /** What narrowed it. It holds no text of the request, which may name people. */
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Writes the event of a file that leaves the service, with the caller of the request. */
export type TellExport = (res: Response, exported: Exported) => TaskEither<Failure, void>;

interface Locals {
  tellExport?: TellExport;
}

/** Says how the event of a file is written. */
export const setTellExport = (app: Application, tellExport: TellExport): void => {
  (app.locals as Locals).tellExport = tellExport;
};

/** Writes the event of a file, before its first row leaves (docs/security.md: Keys, scopes and limits to providers). */
export const tellExport: TellExport = (res, exported) => {
  const tell = (res.app.locals as Locals).tellExport;
  if (tell === undefined) throw new Error('nobody writes the event of an export');
  return tell(res, exported);
};
