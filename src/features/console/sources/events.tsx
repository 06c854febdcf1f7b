import type { JSX } from 'preact';
import * as TE from 'fp-ts/TaskEither';
import { pipe } from 'fp-ts/function';

import type { EventAnswer } from '../../../contract/answers/events';
import type { Context } from '../../../context';
import type { Failure } from '../../../problem';
import { eventAnswersOf, newestPlaceOf } from '../../events/contract';
import { endpoints as events } from '../../events/endpoints';
import type { EventPage } from '../../events/endpoints';
import { type Answered, ask } from '../asking/ask';
import { address, PATHS } from '../frame/address';
import { readProviderNames } from '../overview/overview';
import { AskedBy } from '../parts/asked';
import { From, Name } from '../parts/name';
import { Time } from '../parts/time';

const EVENTS_SHOWN = 20;

/** The newest events, and the place from which a stream goes on. */
export interface NewestEvents {
  readonly listed: Answered<EventPage>;
  /** The names of the providers that they are about. */
  readonly providers: ReadonlyMap<string, string>;
  readonly place: number;
}

/**
 * The names of the providers that some events are about. Connectors choose the names of data sources,
 * so a message alone does not show whose a data source is.
 */
export const askProvidersOf = (
  context: Context,
  events: readonly EventAnswer[],
): TE.TaskEither<Failure, ReadonlyMap<string, string>> => {
  const ids = events.flatMap(({ provider_id }) => (provider_id === '' ? [] : [provider_id]));
  return ids.length === 0 ? TE.right(new Map()) : readProviderNames(context, ids);
};

/**
 * The newest events, as the interface lists them. The place is read first, so that a stream which
 * begins there leaves none out; the page leaves out those that it has twice.
 */
export const askEvents = (context: Context): TE.TaskEither<Failure, NewestEvents> =>
  pipe(
    newestPlaceOf(context)(),
    TE.bindTo('place'),
    TE.bind('listed', () =>
      ask(
        (asking) => eventAnswersOf(context)(asking, null),
        { endpoint: events.list },
        { page_size: EVENTS_SHOWN },
      ),
    ),
    TE.bind('providers', ({ listed }) => askProvidersOf(context, listed.answer.values)),
  );

/** An event in a list: when, how much attention it needs, what happened, to what, and whose that is. */
export const EventItem = ({
  of,
  providers,
}: {
  readonly of: EventAnswer;
  readonly providers: ReadonlyMap<string, string>;
}): JSX.Element => (
  <li id={`event-${of.id}`}>
    <Time of={of.timestamp} />{' '}
    <span class={of.severity === 'INFO' ? 'quiet' : 'loss'}>{of.severity.toLowerCase()}</span>{' '}
    <span class="apart">
      <Name>{of.message}</Name>
      {of.entity_name === '' ? null : (
        <>
          {' '}
          <Name>{of.entity_name}</Name>
        </>
      )}
      <From of={{ provider: providers.get(of.provider_id) ?? null }} />
    </span>
  </li>
);

/** The newest events. With the script of the page new ones appear by themselves. */
export const EventList = ({
  of: { listed, providers, place },
}: {
  readonly of: NewestEvents;
}): JSX.Element => (
  <section aria-labelledby="events">
    <h2 id="events">Newest events</h2>
    <p>
      <span data-live-state="" aria-live="polite"></span>{' '}
      <a href={PATHS.sources}>Load them again</a>
    </p>
    <ul class="found" data-live={address(PATHS.events, { last_event_id: place })}>
      {listed.answer.values.map((event) => (
        <EventItem key={event.id} of={event} providers={providers} />
      ))}
    </ul>
    <AskedBy of={listed.shown} />
  </section>
);
