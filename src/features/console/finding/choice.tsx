import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { JSX } from 'preact';

import type { Entity as Found } from '../../../contract/answers/questions/entities';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { type Meant, meantByName } from '../asking/meant';
import { readNamesLike } from '../overview/gone';
import { FoundEntity } from '../parts/found';
import { Name } from '../parts/name';

/** Offers names in place of one that nothing has. */
export const Alike = ({
  of,
  addressWith,
}: {
  readonly of: readonly string[];
  readonly addressWith: (name: string) => string;
}): JSX.Element | null =>
  of.length === 0 ? null : (
    <p>
      Did you mean{' '}
      {of.map((name, at) => (
        <span key={name}>
          {at > 0 ? ' or ' : ''}
          <a href={addressWith(name)}>
            <Name>{name}</Name>
          </a>
        </span>
      ))}
      ?
    </p>
  );

/** Those whom a name may mean, each with the question about it. */
export const Choice = ({
  legend,
  of,
  addressOf,
}: {
  readonly legend: string;
  readonly of: readonly Found[];
  readonly addressOf: (entity: Found) => string;
}): JSX.Element => (
  <section>
    <h2>{legend}</h2>
    <ul class="found">
      {of.map((entity) => (
        <FoundEntity key={entity.id} of={entity} leadsTo={addressOf(entity)} />
      ))}
    </ul>
  </section>
);

/** The question of a choice, which says so if others may be meant too. */
export const choiceOf = (
  question: string,
  { isCut, isExact }: Pick<Meant, 'isCut' | 'isExact'>,
): string => {
  if (!isCut) return question;
  return isExact
    ? `${question} These are called exactly so, and many others have it in their names.`
    : `${question} These have it in their names, and so do others. Write more of it.`;
};

/** Says that a name means nothing, or too many. */
export const Missing = ({
  of: { isCut },
  called,
  none,
  alike,
  addressWith,
  understood = '',
}: {
  readonly of: Meant;
  readonly called: string;
  readonly none: 'Nobody' | 'No resource';
  /** Names that differ little from it. */
  readonly alike: readonly string[];
  /** The address of the same question with another name. */
  readonly addressWith: (name: string) => string;
  /** The question that Find understood. */
  readonly understood?: string;
}): JSX.Element => (
  <>
    <p role="status">
      {understood === '' ? null : `Find understood the question ${understood}. `}
      {isCut ? (
        <>
          Too many names have <Name>{called}</Name> in them. Write more of it.
        </>
      ) : (
        <>
          {none} is called <Name>{called}</Name>.
        </>
      )}
    </p>
    <Alike of={alike} addressWith={addressWith} />
  </>
);

/** Names that differ little from one that means nothing. */
export const likeMissing = (
  context: Context,
  called: string,
  { found, isCut }: Meant,
): TE.TaskEither<Failure, readonly string[]> =>
  found.length === 0 && !isCut ? readNamesLike(context, called) : TE.right([]);

/** A filter whose name means several, or nothing. */
export interface UnclearName {
  readonly field: 'principal' | 'resource';
  readonly name: string;
  readonly meant: Meant;
  /** Names that differ little from one that means nothing. */
  readonly alike: readonly string[];
}

const fieldRefused = (failure: Failure): UnclearName['field'] | null => {
  // Some principals cannot be a human's.
  if (failure._tag === 'NotFound') return 'principal';
  const pointers = failure._tag === 'Invalid' ? failure.problems.map((each) => each.pointer) : [];
  return (['principal', 'resource'] as const).find((each) => pointers.includes(`/${each}`)) ?? null;
};

/** An answer, or which name of its filters the interface refused because it means several, or nothing. */
export const orUnclear = <A,>(
  context: Context,
  filtered: Readonly<Record<UnclearName['field'], string>>,
  asked: TE.TaskEither<Failure, A>,
): TE.TaskEither<Failure, A | UnclearName> =>
  pipe(
    asked,
    TE.orElse((failure): TE.TaskEither<Failure, A | UnclearName> => {
      const field = fieldRefused(failure);
      const name = field === null ? '' : filtered[field];
      if (field === null || name === '' || name.includes('|')) return TE.left(failure);
      return pipe(
        meantByName(context, name, field === 'principal' ? 'people' : 'places'),
        TE.bindTo('meant'),
        TE.bind('alike', ({ meant }) => likeMissing(context, name, meant)),
        TE.flatMap(({ meant, alike }) =>
          meant.found.length === 1 && !meant.isCut
            ? TE.left(failure)
            : TE.right({ field, name, meant, alike }),
        ),
      );
    }),
  );

/** Asks what such a name means; each choice keeps the other filters. */
export const UnclearFilter = ({
  of: { field, name, meant, alike },
  addressWith,
}: {
  readonly of: UnclearName;
  /** The address of the page with another value of the filter. */
  readonly addressWith: (value: string) => string;
}): JSX.Element => {
  const [none, who] =
    field === 'principal'
      ? (['Nobody', 'Who?'] as const)
      : (['No resource', 'Which resource?'] as const);
  return meant.found.length === 0 ? (
    <Missing of={meant} called={name} {...{ none, alike, addressWith }} />
  ) : (
    <Choice
      legend={choiceOf(who, meant)}
      of={meant.found}
      addressOf={({ id }) => addressWith(id)}
    />
  );
};
