import type { VNode } from 'preact';
import type * as TE from 'fp-ts/TaskEither';

import type { AnyCodec, Codec } from '../../../codec/codec';
import type { Fields, Struct } from '../../../codec/struct';
import type { Context } from '../../../context';
import type { Role } from '../../../contract/team-key';
import type { Failure } from '../../../problem';
import type { Parameters } from './address';
import type { OwnHandles } from '../parts/own-handles';

/** What a page shows, or where it leads. */
export type Shown =
  | {
      readonly title: string;
      readonly body: VNode;
      /** The instant that the page is about; `null` means now. */
      readonly moment?: Moment;
      /** The status of its answer, if that is not 200. */
      readonly status?: 404;
    }
  | { readonly leadsTo: string };

/**
 * The instant that a page is about, and the one with which it compares: as a reader wrote them, or as
 * they are meant. Empty: now.
 */
export type Instants = Readonly<Record<'at' | 'against', string>>;

/** The instant of a page, and the same page about another one. */
export interface Moment {
  /** As the reader wrote it: a date, an instant or the id of a push. Empty: now. */
  readonly written: string;
  /** The instant; empty: now. */
  readonly at: string;
  /** The path of the page, and its parameters other than the instants. */
  readonly path: string;
  readonly parameters: Parameters;
  /** The instant with which the page compares, also as it was written; unset: it cannot compare. */
  readonly against?: { readonly written: string; readonly at: string };
}

/** Who asks for a page. */
export interface Reader {
  /** The key of the person as whom the reader has signed in; `null` if it is nobody's. */
  readonly person: string | null;
  /** `null`: the reader sees only their own access. */
  readonly role: Role | null;
  /** Whether the reader has a role, and so may see the access of everybody. */
  readonly seesAll: boolean;
  /** Whether the reader is an administrator, and so may see what only these may. */
  readonly administers: boolean;
  /** Whether the reader may see events. */
  readonly seesEvents: boolean;
  /** The time zone of the reader, as their browser says it. */
  readonly zone: string;
  /** What each form of the page must hold. */
  readonly formToken: string;
  /** How addresses of the reader's pages name what is in the graph. */
  readonly handles: OwnHandles;
}

/** What a page gets from a request. */
export interface Request<Q> {
  readonly context: Context;
  /** The id in the path; empty if the path has none. */
  readonly id: string;
  readonly query: Q;
  readonly reader: Reader;
}

/** A page of the console: one file, and a line in the `pages` of its feature. */
export interface Page {
  /** As Express spells it; `:id` is the id of an entity. */
  readonly path: string;
  /** What it shows, for the description of the interface. */
  readonly summary: string;
  /** Its name in the navigation, and the key that opens it after `g`; without them it is not there. */
  readonly link?: { readonly name: string; readonly key: string };
  /** `everybody`: who has signed in. `role`: who also has a role. */
  readonly readers: 'everybody' | 'role' | 'administrators';
  readonly query: AnyCodec & Pick<Struct<Fields, Fields>, 'required' | 'optional'>;
  readonly show: (request: Request<unknown>) => TE.TaskEither<Failure, Shown>;
}

/** Makes a page; the compiler checks that it reads the parameters that it declares. */
export const page = <Q>(
  declared: Omit<Page, 'query' | 'show'> & {
    readonly query: Codec<Q> & Pick<Struct<Fields, Fields>, 'required' | 'optional'>;
    readonly show: (request: Request<Q>) => TE.TaskEither<Failure, Shown>;
  },
): Page => declared as unknown as Page;
