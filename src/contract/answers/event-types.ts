/** What a limited key sees of an event, other than what each event has. */
interface SeenInPart {
  /** The fields of `metadata` that it sees. */
  readonly metadata: readonly string[];
  /** Whether it sees the `error`. */
  readonly error: boolean;
}

/**
 * What a key that is limited to providers sees of an event about one of them. `nothing`: the event
 * reports what others push, or something of the service. Of another event it always sees the message,
 * and callers may filter by it. So the message must report only things that belong to the provider
 * (docs/security.md: What a key that is limited to providers can infer).
 */
type LimitedView = 'nothing' | SeenInPart;

/** A limited key sees these fields of `metadata`. */
export const shown = (...metadata: readonly string[]): LimitedView => ({ metadata, error: false });

/** A limited key sees the error too. */
export const withError = (...metadata: readonly string[]): LimitedView => ({
  metadata,
  error: true,
});

/** A type of events, as the feature that writes them declares it in its `events.ts`. */
export interface EventType {
  /** `event_type` in answers and filters. */
  readonly name: string;
  readonly limitedView: LimitedView;
}

/** Declares types of events, each with what a limited key sees of it (docs/rules.md: Events). */
export const eventTypes = <Name extends string>(
  views: Readonly<Record<Name, LimitedView>>,
): Readonly<Record<Name, EventType>> =>
  Object.fromEntries(
    Object.entries<LimitedView>(views).map(([name, limitedView]) => [name, { name, limitedView }]),
  ) as Record<Name, EventType>;

/** What limited keys see, by the names of types. They see no event of a type that is missing here. */
export type LimitedViews = ReadonlyMap<string, SeenInPart>;

/** The types of which a limited key sees a part. */
export const limitedViews = (types: readonly EventType[]): LimitedViews =>
  new Map(
    types.flatMap(({ name, limitedView }) =>
      limitedView === 'nothing' ? [] : [[name, limitedView] as const],
    ),
  );
