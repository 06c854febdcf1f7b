import type * as TE from 'fp-ts/TaskEither';

import type { AnyCodec, Codec } from '../../../codec/codec';
import type { Fields, Struct } from '../../../codec/struct';
import type { Context } from '../../../context';
import type { KeyAct } from '../../../graph/records/event-record';
import { API_CODE_OF, API_CODES, type Failure } from '../../../problem';
import type { FormFile } from '../../../web/bodies/form';
import type { Page, Reader, Shown } from '../frame/page';

/** What a form gets from a request. */
export interface SentForm<F> {
  readonly context: Context;
  /** The id in the path; empty if the path has none. */
  readonly id: string;
  readonly fields: F;
  /** The file that somebody chose; `null`: nobody chose one. */
  readonly file: FormFile | null;
  /** How many seconds passed between the beginning of the request and the end of its body. */
  readonly readSeconds: number;
  readonly reader: Reader;
  /** The person or key that events and records name as the one who acted. */
  readonly act: KeyAct;
  /** The beginning of the addresses of the service, for lines that a page shows to copy. */
  readonly base: string;
}

/** What a page shows after a form was sent, or where it leads. */
export interface FormOutcome {
  readonly shown: Shown;
  readonly status?: number;
}

/** The status of a page that says why a form did nothing. */
export const statusOf = ({ _tag }: Failure): number => API_CODES[API_CODE_OF[_tag]].status;

/** A form of a page: what happens when somebody sends it. */
export interface PageForm {
  /** As Express spells it; `:id` is the id that the page is about. */
  readonly path: string;
  /** What it does, for the description of the interface. */
  readonly summary: string;
  /** The section of the manual about it. */
  readonly more: string;
  readonly readers: Page['readers'];
  /** Whether it has a file, which may be as large as a push. */
  readonly takesFile?: true;
  readonly fields: AnyCodec & Pick<Struct<Fields, Fields>, 'required' | 'optional'>;
  readonly send: (sent: SentForm<unknown>) => TE.TaskEither<Failure, FormOutcome>;
}

/** Makes a form; the compiler checks that it reads the fields that it declares. */
export const pageForm = <F>(
  declared: Omit<PageForm, 'fields' | 'send'> & {
    readonly fields: Codec<F> & Pick<Struct<Fields, Fields>, 'required' | 'optional'>;
    readonly send: (sent: SentForm<F>) => TE.TaskEither<Failure, FormOutcome>;
  },
): PageForm => declared as unknown as PageForm;
