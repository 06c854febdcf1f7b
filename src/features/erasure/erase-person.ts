import * as E from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';

import { counted } from '../../codec/quote';
import { type Candidate, candidateTexts } from '../../codec/hints/candidate-texts';
import type { ErasureAnswer } from './endpoints';
import { type Erasure, ErasureChanged, type Erasures, type TellErased } from './removal/erasure';
import { NothingToDecide } from './person/doubt';
import { UnknownProvider } from './person/claims';
import type { Someone } from './person/people';
import { NobodyFound, SeveralPeople } from './person/person';
import { toFailure } from '../../neo4j/failure';
import { DataSourceBusy, PushUnfinished } from '../../push/graph/contract';
import { badField, type Failure } from '../../problem';
import { serviceEvent } from '../../graph/records/event';
import type { KeyAct } from '../../graph/records/event-record';
import { events } from './events';

/** What the erasing of people depends on. */
export interface ErasureDependencies {
  readonly erasures: Erasures;
  /** How many entities an answer lists. */
  readonly listed: number;
  /** Removes uploads that have ended; the background work does it anyway. */
  readonly wake: () => void;
}

/** A request to erase a person. */
export interface ErasePerson extends KeyAct {
  /** A key, an id, an email or a name. */
  readonly principal: string;
  /** Keys of doubtful things that go too. */
  readonly also: readonly string[];
  /** Keys of certain things that stay. */
  readonly except: readonly string[];
  /** Names of the providers that the erasure believes. */
  readonly trusted: readonly string[];
  /** The token of the plan. Without one, the request is for the plan. */
  readonly confirmation: string | null;
}

/** How many candidates the answer to an ambiguous name lists. */
const CANDIDATES = 5;

const textOf = ({ properties }: Someone, ...names: readonly string[]): string | null => {
  const found = names.map((name) => properties[name]).find((value) => typeof value === 'string');
  return typeof found === 'string' ? found : null;
};

/** Fields that distinguish a person from others of the same name. */
const asCandidate = (one: Someone): Candidate => ({
  title: `${one.label} ${JSON.stringify(textOf(one, 'name') ?? '')}`,
  fields: {
    provider: textOf(one, 'provider'),
    application: textOf(one, 'application'),
    domain: textOf(one, 'domain', 'system'),
    type: textOf(one, 'idp_type', 'application_type', 'hris_type'),
    'full name': textOf(one, 'full_name'),
    email: textOf(one, 'email'),
    id: textOf(one, 'identity', 'unique_id', 'id'),
    key: one.key,
  },
});

const conflict = (message: string): Failure => ({ _tag: 'Conflict', message });

const erasureFailure = (error: unknown): Failure => {
  if (error instanceof NobodyFound) {
    return {
      _tag: 'NotFound',
      message: 'There is no person, and there was none, with this key, id, email or name.',
    };
  }
  if (error instanceof SeveralPeople) {
    const listed = error.candidates.slice(0, CANDIDATES).map(asCandidate);
    const more = error.candidates.length - listed.length;
    const all = [...candidateTexts(listed, ['key']), ...(more > 0 ? [`${more} more`] : [])];
    return badField(
      '/principal',
      'AMBIGUOUS_REFERENCE',
      `means several people: ${all.join(', ')}; name one by its key`,
    );
  }
  if (error instanceof NothingToDecide) {
    const { field, key } = error;
    return badField(
      `/${field}`,
      'UNKNOWN_VALUE',
      field === 'also'
        ? `names ${JSON.stringify(key)}, which the plan does not list as doubtful`
        : `names ${JSON.stringify(key)}, which the plan does not list as something that goes by itself`,
    );
  }
  if (error instanceof UnknownProvider) {
    return badField(
      '/trusted_providers',
      'UNKNOWN_VALUE',
      `names ${JSON.stringify(error.provider)}, which is no provider with data sources`,
    );
  }
  if (error instanceof ErasureChanged) {
    return conflict(
      'What would be erased is not what the token confirms; nothing was erased. Ask for the plan again, without the header Grantgraph-Confirm-Removal.',
    );
  }
  if (error instanceof PushUnfinished) {
    return conflict(
      'A chunked push is not finished, and its payload may name the person. The service resumes it, and a full push replaces it. Try again later.',
    );
  }
  if (error instanceof DataSourceBusy) return conflict('A push is running; try again later.');
  return toFailure(error);
};

/** Makes the event of an erasure. It does not name the person. */
const personErased =
  ({ requestId, by }: KeyAct): TellErased =>
  ({ removed, changed, past, records }, at) =>
    serviceEvent(
      { at: at.utc, requestId, by },
      {
        severity: 'INFO',
        name: 'Person erased',
        event_type: events.PERSON_ERASED,
        message: `A person is erased: ${counted(removed, 'row')} removed, ${counted(changed, 'row')} changed, ${counted(past, 'fact')} of the history and ${counted(records, 'record')} without the person.`,
        metadata: { removed, changed, past_facts: past, records },
      },
    );

const cutAt = <A>(all: readonly A[], most: number) => ({
  total: all.length,
  truncated: all.length > most,
  values: all.slice(0, most),
});

const answerOf = (erasure: Erasure, erased: boolean, most: number): ErasureAnswer => {
  const { person, names, sharedNames, rows, kept, doubtful, counts, token } = erasure;
  return {
    erased,
    confirmation: token,
    person: [...person],
    names: [...names],
    shared_names: [...sharedNames],
    removed: counts.removed,
    changed: counts.changed,
    past_facts: counts.past,
    records: counts.records,
    entities: cutAt(
      rows.map(({ key, label, name, change, loses }) => ({
        id: key,
        label,
        name,
        change,
        loses: [...loses],
      })),
      most,
    ),
    kept: cutAt(
      kept.map(({ key, label, name }) => ({ id: key, label, name })),
      most,
    ),
    doubtful: cutAt(
      doubtful.map(({ key, label, name, reason }) => ({ id: key, label, name, reason })),
      most,
    ),
  };
};

/**
 * Erases a person, or returns what that would erase (docs/rules.md: Erasing a person). Without a
 * confirmation it is a plan.
 */
export const erasePerson =
  ({ erasures, listed, wake }: ErasureDependencies) =>
  ({
    principal,
    also,
    except,
    trusted,
    confirmation,
    ...act
  }: ErasePerson): TE.TaskEither<Failure, ErasureAnswer> =>
    pipe(
      TE.tryCatch(
        async () => {
          const asked = { principal, also, except, trusted };
          if (confirmation === null) return answerOf(await erasures.plan(asked), false, listed);
          const erasure = await erasures.erase(asked, confirmation, personErased(act));
          wake();
          return answerOf(erasure, true, listed);
        },
        (error) => error,
      ),
      TE.orElse((error) => TE.fromEither(E.left(erasureFailure(error)))),
    );
