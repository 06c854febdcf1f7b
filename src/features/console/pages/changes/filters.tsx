import type { JSX } from 'preact';

import { visible } from '../../../../visible-text';
import type { Filtered } from '../../asking/changes';
import { changesAddress, PATHS } from '../../frame/address';
import type { SourceOfProvider } from '../../overview/overview';
import { DateField } from '../../parts/date-field';
import { SourceOptions } from '../../sources/source-options';

/** The most data sources of which the filter lists the names. */
export const SOURCES_OFFERED = 300;

/** A filter of data sources by their names; if there are too many, also by an id that it does not offer. */
const SourceFilter = ({
  of,
  sources,
}: {
  readonly of: string;
  readonly sources: readonly SourceOfProvider[];
}): JSX.Element =>
  sources.length > SOURCES_OFFERED ? (
    <label>
      Source <input name="data_source" value={of} placeholder="id" list="offered-sources" />
      <datalist id="offered-sources">
        <SourceOptions of={sources.slice(0, SOURCES_OFFERED)} />
      </datalist>
    </label>
  ) : (
    <label>
      Source{' '}
      <select name="data_source">
        <option value="">any</option>
        {of === '' || sources.some(({ source }) => source.id === of) ? null : (
          <option value={of} selected>
            {visible(of)}
          </option>
        )}
        <SourceOptions of={sources} chosen={of} />
      </select>
    </label>
  );

/** Whether the changes are narrowed by more than their time. */
const isMore = ({ since: _since, until: _until, ...others }: Filtered): boolean =>
  Object.values(others).some((value) => value !== '');

/** The form that narrows the changes. */
export const Filters = ({
  of,
  sources,
}: {
  readonly of: Filtered;
  /** By turns of their providers: a list that has no room for all has the first of them. */
  readonly sources: readonly SourceOfProvider[];
}): JSX.Element => (
  <form class="narrow" method="get" action={PATHS.changes} aria-label="Narrow the changes">
    <label>
      From <DateField name="since" value={of.since} />
    </label>
    <label>
      To <DateField name="until" value={of.until} />
    </label>
    <button>Narrow</button>
    <details class="further" open={isMore(of)}>
      <summary>More filters</summary>
      <div class="narrow">
        <label>
          Push <input name="push" value={of.push} placeholder="id" size={10} autocomplete="off" />
        </label>
        <label>
          Who <input name="principal" value={of.principal} placeholder="name or key" />
        </label>
        <label>
          Resource <input name="resource" value={of.resource} placeholder="name, path or key" />
        </label>
        <label>
          and what is in it{' '}
          <input type="checkbox" name="contents" value="true" checked={of.contents !== ''} />
        </label>
        <label>
          Application <input name="application" value={of.application} size={14} />
        </label>
        <SourceFilter of={of.dataSource} sources={sources} />
        <label>
          Only{' '}
          <select name="change">
            <option value="">gained and lost</option>
            <option value="gained" selected={of.change === 'gained'}>
              gained
            </option>
            <option value="lost" selected={of.change === 'lost'}>
              lost
            </option>
          </select>
        </label>
      </div>
    </details>
    <p class="hint">
      From the beginning of a day to the end of a day.{' '}
      <a href={changesAddress({ since: 'today' })}>Today</a>,{' '}
      <a href={changesAddress({ since: 'yesterday', until: 'yesterday' })}>yesterday</a>,{' '}
      <a href={PATHS.changes}>the last seven days</a>
    </p>
  </form>
);
