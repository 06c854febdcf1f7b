import type * as TE from 'fp-ts/TaskEither';

import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import type { Reader } from '../frame/page';

/** An application of the graph. */
export interface ApplicationOf {
  readonly id: string;
  readonly name: string;
  readonly provider: string | null;
}

/** A name in a finding, and the provider to say; `null`: that of the application, or none. */
interface FoundName {
  readonly name: string;
  readonly provider: string | null;
  /** Its page; `null`: it has none. */
  readonly href: string | null;
}

/** Something that somebody should look at, and where its list is. */
export interface Finding {
  /** The smaller, the more it weighs. */
  readonly rank: number;
  readonly count: number;
  readonly words: string;
  /** The first of those that it is about. */
  readonly names: readonly FoundName[];
  /** How many more there are than those of the names, unless each has a name of its own. */
  readonly more?: number;
  /** The application; `null`: what is found is in no single one. */
  readonly application: ApplicationOf | null;
  /** Where it is found, if that is no application. */
  readonly place?: { readonly name: string; readonly href: string };
  readonly href: string;
}

/** Finds what a reader of the overview should look at (`Feature.findings`). */
export type FindFindings = (
  context: Context,
  reader: Reader,
) => TE.TaskEither<Failure, readonly Finding[]>;
