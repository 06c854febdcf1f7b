import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import type { Cypher } from '../../../contract/answers/questions/cypher';
import { pathOf } from '../../../contract/parameters/path-of';
import type { Failure } from '../../../problem';
import type { Asking } from '../../../web/lists/listed';
import type { Endpoint } from '../../../web/routing/route';
import { address, CSV_IN_WORDS, type Parameters } from '../frame/address';

/** A request to the interface, as a page shows it. */
export interface Shown {
  /** Path and query. */
  readonly address: string;
  /** The same as CSV with all rows, if the interface has it. */
  readonly csv: string | null;
  /** The address at which a browser downloads that CSV. */
  readonly download: string | null;
  /** The address of the same in words and without ids, if there is one. */
  readonly inWords: string | null;
  readonly cypher: Cypher | null;
}

/** An answer of the interface, and the request that gives it. */
export interface Answered<A> {
  readonly answer: A;
  readonly shown: Shown;
}

/** A flag of a request: `true`, or nothing. */
export const flag = (is: boolean): string => (is ? 'true' : '');

/** A question of the interface, for the parameters of a request. */
export type Question<A> = (asking: Asking) => TE.TaskEither<Failure, A>;

/** What a page needs to know of a question besides its parameters. */
export interface AskedAs {
  readonly endpoint: Pick<Endpoint, 'path'>;
  readonly params?: Readonly<Record<string, string>>;
  /** Whether the answer has its query with `cypher=true`. */
  readonly hasCypher?: boolean;
  /** The address at which a browser downloads the answer as CSV, if the interface has it so. */
  readonly csvAt?: string;
  /** What that address names in addition to the parameters of the request. */
  readonly csvNames?: Parameters;
}

const texts = (parameters: Parameters): Asking['query'] =>
  Object.fromEntries(
    Object.entries(parameters).flatMap(([name, value]) => {
      const given = [value].flat().filter((each) => each !== null && each !== undefined);
      const words = given.map(String).filter((each) => each !== '');
      return words.length === 0 ? [] : [[name, words.length === 1 ? words[0] : words]];
    }),
  );

/**
 * Asks what the interface answers to these parameters. So a page and the interface give the same
 * answer, and the page can name its request.
 */
export const ask = <A extends object>(
  question: Question<A>,
  { endpoint, params = {}, hasCypher = false, csvAt, csvNames = {} }: AskedAs,
  parameters: Parameters,
): TE.TaskEither<Failure, Answered<A>> => {
  const path = pathOf(endpoint, params);
  // No single query reads the graph at an instant.
  const withCypher = hasCypher && !parameters.at;
  // A table has all rows, and no pages.
  const all = { ...parameters, details: '', counts: '', page_size: '', page_token: '' };
  return pipe(
    question({
      query: texts(withCypher ? { ...parameters, cypher: 'true' } : parameters),
      params: { ...params },
    }),
    TE.map((answer) => ({
      answer,
      shown: {
        address: address(path, parameters),
        csv: csvAt === undefined ? null : address(path, { ...all, format: 'csv' }),
        download: csvAt === undefined ? null : address(csvAt, { ...csvNames, ...all }),
        inWords:
          csvAt !== undefined && CSV_IN_WORDS.includes(csvAt)
            ? address(csvAt, { ...csvNames, ...all, details: parameters.details, words: 'true' })
            : null,
        cypher: 'cypher' in answer ? (answer.cypher as Cypher) : null,
      },
    })),
  );
};
