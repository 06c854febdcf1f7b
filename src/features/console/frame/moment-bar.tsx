import type { JSX } from 'preact';

import { visible } from '../../../visible-text';
import { HiddenInputs } from '../parts/hidden-inputs';
import { Time } from '../parts/time';
import { address } from './address';
import type { Instants, Moment } from './page';

/** The instants of a page that compares. */
export const momentOf = (
  written: Instants,
  meant: Instants,
  place: Pick<Moment, 'path' | 'parameters'>,
): Moment => ({
  ...place,
  written: written.at,
  at: meant.at,
  against: { written: written.against, at: meant.against },
});

const asWritten = (written: string, at: string): string =>
  written === at ? '' : ` (${visible(written)})`;

/** The instant with which a page compares, if its reader has named one. */
const ComparedWith = ({
  of: { path, parameters, written, against },
  zone,
}: {
  readonly of: Moment;
  readonly zone: string;
}) =>
  against === undefined || against.at === '' ? null : (
    <>
      , compared with{' '}
      <strong>
        <Time of={against.at} zone={zone} isToSecond />
      </strong>
      {asWritten(against.written, against.at)}{' '}
      <a href={address(path, { ...parameters, at: against.written, against: written })}>
        the other way round
      </a>
      {' · '}
      <a href={address(path, { ...parameters, at: written })}>
        {written === '' ? 'without the comparison' : 'compare with now'}
      </a>
      {written === '' ? null : ' · '}
    </>
  );

/** An instant that a field offers: what somebody would write, and what it is. */
export interface OfferedInstant {
  readonly value: string;
  readonly label: string;
}

const OFFERED = 'instants';

/** Fields of instants that the form of a page has. */
const InstantField = ({
  name,
  value,
  placeholder,
}: Readonly<Record<'name' | 'value' | 'placeholder', string>>): JSX.Element => (
  <input
    {...{ name, value, placeholder }}
    list={OFFERED}
    size={26}
    autocomplete="off"
    spellcheck={false}
  />
);

/**
 * Says about which instant a page is and with which it compares, leads back to now, and shows the
 * page about others.
 */
export const MomentBar = ({
  of,
  of: { written, at, path, parameters, against },
  offered,
  zone,
}: {
  readonly of: Moment;
  readonly offered: readonly OfferedInstant[];
  /** The time zone of the reader; the bar is not in the content of the page, which has it. */
  readonly zone: string;
}): JSX.Element => (
  <div
    class={at === '' && !against?.at ? 'moment' : 'moment past'}
    role="region"
    aria-label="Instant"
  >
    {at === '' ? (
      <span>
        As of now
        <span class="on-paper">: {new Date().toISOString()}</span>
        <ComparedWith {...{ of, zone }} />
      </span>
    ) : (
      <span>
        <strong>
          As of <Time of={at} zone={zone} isToSecond />
        </strong>
        {asWritten(written, at)}
        <ComparedWith {...{ of, zone }} /> <a href={address(path, parameters)}>back to now</a>
      </span>
    )}
    <form method="get" action={path}>
      <HiddenInputs of={parameters} />
      <label>
        Show it as of <InstantField name="at" value={written} placeholder="a date, time or push" />
      </label>{' '}
      {against === undefined ? null : (
        <label>
          compared with <InstantField name="against" value={against.written} placeholder="now" />
        </label>
      )}{' '}
      <datalist id={OFFERED}>
        {offered.map(({ value, label }) => (
          <option key={value} {...{ value, label }} />
        ))}
      </datalist>
      <button>Show</button>
    </form>
  </div>
);
