import type { ComponentChildren, JSX } from 'preact';

import { PRIVILEGED } from '../../../model/access-narrowing';
import type { UnknownName } from '../asking/unknown-names';
import type { Parameters } from '../frame/address';
import { TYPES, typeInWords } from '../words/permission-types';
import { hintOfMark, markInWords } from '../words/marks';
import { HiddenInputs } from '../parts/hidden-inputs';
import { Name } from '../parts/name';

/** Narrows a list of access: by application, permission type and native permission. */
export const Narrowing = ({
  path,
  kept,
  application,
  types,
  permission,
  isOfOneType = false,
}: {
  readonly path: string;
  /** Parameters that stay as they are. */
  readonly kept: Parameters;
  /** `null`: the list is about one application already. */
  readonly application: string | null;
  readonly types: readonly string[];
  readonly permission: string;
  /** Whether the page is about one canonical type at most: _privileged_ means several. */
  readonly isOfOneType?: boolean;
}): JSX.Element => (
  <details class="further" open={permission !== ''}>
    <summary>More filters</summary>
    <form class="narrow" method="get" action={path} aria-label="Narrow the list">
      <HiddenInputs of={types.length > 1 ? { ...kept, permission_type: types } : kept} />
      {application === null ? null : (
        <label>
          Application <input name="application" value={application} />
        </label>
      )}
      {types.length > 1 ? null : (
        <label>
          Can{' '}
          <select name="permission_type">
            <option value="">anything</option>
            {[...Object.keys(TYPES), ...(isOfOneType ? [] : [PRIVILEGED])].map((value) => (
              <option key={value} value={value} selected={types.includes(value)}>
                {typeInWords(value)}
              </option>
            ))}
          </select>
        </label>
      )}
      <label>
        Permission <input name="permission" value={permission} />
      </label>
      <button>Narrow</button>
    </form>
  </details>
);

/** What a table is narrowed to. */
export interface Filter {
  /** What readers call it; `null`: its values say it. */
  readonly name: string | null;
  /** Empty, or only empty texts: it is not set. */
  readonly values: readonly string[];
  /** What readers call a value; unset: values are names. */
  readonly inWords?: (value: string) => string;
  /** What a reader must know if nothing has a value. */
  readonly hintOf?: (value: string) => string | undefined;
}

/** All filters of a table. */
export type Filters = readonly Filter[];

/** Whether any filter is set. */
export const isNarrowed = (filters: Filters): boolean =>
  filters.some(({ values }) => values.some((value) => value !== ''));

/** A filter by canonical types. */
export const byTypes = (values: readonly string[], name = 'type'): Filter => ({
  name,
  values,
  inWords: typeInWords,
});

/** A filter by canonical types, of which any may fit. */
export const byAnyType = (types: readonly string[]): Filter =>
  byTypes(types, types.length > 1 ? 'one of the types' : 'type');

/** A filter by marks. */
export const byMarks = (values: readonly string[]): Filter => ({
  name: null,
  values,
  inWords: markInWords,
  hintOf: hintOfMark,
});

/** The filters that are set, each by its name. */
const InWords = ({ of }: { readonly of: Filters }): JSX.Element => (
  <>
    {of
      .flatMap(({ values, ...filter }) =>
        values
          .filter((value) => value !== '')
          .map((value, at) => ({ ...filter, value, isFirst: at === 0 })),
      )
      .map(({ name, value, inWords, isFirst }, at) => (
        <span key={`${name} ${value}`}>
          {at > 0 ? ', ' : ''}
          {isFirst && name !== null ? `${name} ` : ''}
          {inWords === undefined ? <Name>{value}</Name> : inWords(value)}
        </span>
      ))}
  </>
);

/** Says what a count or a table is narrowed to, for readers who see no form, as on paper. */
export const OnlyWhere = ({ filters }: { readonly filters: Filters }): JSX.Element | null =>
  isNarrowed(filters) ? (
    <>
      {' '}
      Only this counts here: <InWords of={filters} />.
    </>
  ) : null;

/** Says that the answer of a page counts also what its filter leaves out. */
export const COUNTS_ALL =
  'This and the tabs count all. Below them, only what fits the filter counts.';

/** What to offer for an empty table: names that exist, and where each leads. */
export interface Offer {
  readonly unknown: readonly UnknownName[];
  /** The address of the same table with another name in a filter. */
  readonly addressWith: (field: UnknownName['field'], name: string) => string;
}

/** Says that nothing has a name in a filter, and offers names that exist. */
const Unknown = ({
  of: { field, name, known, isCut },
  addressWith,
}: {
  readonly of: UnknownName;
  readonly addressWith: Offer['addressWith'];
}): JSX.Element => (
  <p>
    There is no {field} called <Name>{name}</Name> here.
    {known.length === 0 ? null : (
      <>
        {isCut ? ' Among others there are: ' : ' There are: '}
        {known.map((each, at) => (
          <span key={each}>
            {at > 0 ? ', ' : ''}
            <a href={addressWith(field, each)}>
              <Name>{each}</Name>
            </a>
          </span>
        ))}
        .
      </>
    )}
  </p>
);

/** Says that a narrowed table is empty because of its filters, and leads to the table without. */
export const NothingMatches = ({
  filters,
  allAddress,
  offer,
}: {
  readonly filters: Filters;
  readonly allAddress: string;
  readonly offer: Offer;
}): JSX.Element => (
  <>
    <p role="status">
      Nothing matches this filter: <InWords of={filters} />.{' '}
      <a href={allAddress}>Show it without the filter</a>
    </p>
    {filters
      .flatMap(({ values, hintOf }) => values.flatMap((value) => hintOf?.(value) ?? []))
      .map((hint) => (
        <p key={hint} class="hint">
          {hint}
        </p>
      ))}
    {offer.unknown.map((each) => (
      <Unknown key={each.field} of={each} addressWith={offer.addressWith} />
    ))}
  </>
);

/** How much a table has, and what it is narrowed to; or, if it is empty, what nothing matches. */
export const CountOf = ({
  total,
  filters,
  allAddress,
  offer,
  children,
}: {
  readonly total: number;
  readonly filters: Filters;
  readonly allAddress: string;
  readonly offer: Offer;
  readonly children: ComponentChildren;
}): JSX.Element =>
  total === 0 && isNarrowed(filters) ? (
    <NothingMatches {...{ filters, allAddress, offer }} />
  ) : (
    <p role="status">
      {children}
      <OnlyWhere filters={filters} />
    </p>
  );
