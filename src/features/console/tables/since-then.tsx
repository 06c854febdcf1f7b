import { createContext } from 'preact';
import type { ComponentChildren, JSX } from 'preact';
import { useContext } from 'preact/hooks';

import type { Differences, RowDiffers, WaysDiffer } from '../asking/differences';
import { counted } from '../parts/counted';
import { Time } from '../parts/time';
import { Words } from '../words/can';

/** How the table that is rendered differs from the other instant; `null`: it is compared with none. */
const Compared = createContext<Differences | null>(null);

type Held = Parameters<typeof Words>[0]['of'];

/** What is said of what is on the page only, and of what is at the other instant only. */
const wordsOf = ({
  against,
  between: { isOfEnd },
}: Pick<Differences, 'against' | 'between'>): readonly [here: string, there: string] => {
  if (against === '') return ['no longer', 'now also'];
  return isOfEnd ? ['not before', 'before also'] : ['no longer', 'later also'];
};

/** The other instant, in a sentence. */
const Other = ({ of }: { readonly of: string }): JSX.Element =>
  of === '' ? <>now</> : <Time of={of} />;

const on = (count: number | undefined): string =>
  count === undefined ? '' : ` on ${counted(count, 'resource')}`;

const isAllGone = ({ here, there, on }: RowDiffers, held: Held): boolean => {
  const gone = new Set(here.map(({ name }) => name));
  // If the page is about many resources, a permission may be gone on one of them and remain on
  // others.
  return on === null && there.length === 0 && held.every(({ name }) => gone.has(name));
};

/** Says how a row of a table about an instant differs from now, or from a second instant. */
export const RowDiffering = ({
  id,
  held,
}: {
  readonly id: string;
  /** What the row had at the instant, as the table counts it. */
  readonly held: Held;
}): JSX.Element | null => {
  const compared = useContext(Compared);
  const differs = compared?.rows?.get(id);
  if (compared === null || differs === undefined) return null;
  const [here, there] = wordsOf(compared);
  const [isGone, isNew] = compared.between.isOfEnd ? ['gain', 'loss'] : ['loss', 'gain'];
  if (isAllGone(differs, held)) {
    return (
      <div>
        <span class={isGone}>{here}</span>
      </div>
    );
  }
  return (
    <div>
      {differs.here.length === 0 ? null : (
        <>
          <span class={isGone}>{here}</span> <Words of={differs.here} />
          {on(differs.on?.here)}
        </>
      )}
      {differs.there.length === 0 ? null : (
        <>
          {' '}
          <span class={isNew}>{there}</span> <Words of={differs.there} />
          {on(differs.on?.there)}
        </>
      )}
    </div>
  );
};

/** What all rows of a table come to. A human is one row, with all accounts that are theirs. */
const RowsInWords = ({
  of: { against, humans },
  changed,
  rows,
}: {
  readonly of: Differences;
  readonly changed: ReadonlyMap<string, RowDiffers>;
  readonly rows: readonly string[];
}): JSX.Element => {
  if (changed.size === 0) {
    return against === '' ? (
      <>Nothing of this has changed since then.</>
    ) : (
      <>
        Nothing of this differs from <Other of={against} />.
      </>
    );
  }
  const shown = new Set(rows);
  const marked = rows.filter((id) => changed.has(id)).length;
  const others = new Set(
    [...changed.keys()].map((id) => humans.get(id)?.id ?? id).filter((id) => !shown.has(id)),
  ).size;
  return (
    <>
      {marked === 0 ? (
        'No row of this page differs from '
      ) : (
        <>{`${counted(marked, 'row')} of this page ${marked === 1 ? 'differs' : 'differ'} from `}</>
      )}
      <Other of={against} />
      {marked === 0 ? '.' : `, and ${marked === 1 ? 'says' : 'say'} how.`}{' '}
      {others === 0
        ? ''
        : against === ''
          ? `${counted(others, 'other')} changed since, or came later. `
          : `${counted(others, 'other')} changed in between, or ${others === 1 ? 'is' : 'are'} only there. `}
    </>
  );
};

/** A table whose rows say how they differ from the other instant, and what all of it comes to. */
export const ThenAndNow = ({
  of,
  rows,
  changesHref,
  children,
}: {
  readonly of: Differences | null;
  /** The ids of the rows that the page shows. */
  readonly rows: readonly string[];
  /** The page of all that was gained and lost in a time. */
  readonly changesHref: (time: { readonly since: string; readonly until: string }) => string;
  readonly children: ComponentChildren;
}): JSX.Element => {
  if (of === null) return <>{children}</>;
  const { since, until } = of.between;
  const isSame = of.rows?.size === 0;
  return (
    <>
      <p class="note">
        {of.rows === null ? (
          'Too much changed for this page to say in each row how it differs. '
        ) : (
          <RowsInWords {...{ of, rows }} changed={of.rows} />
        )}
        {isSame ? null : (
          <a href={changesHref({ since, until })}>
            {until === '' ? 'Gained and lost since then' : 'Gained and lost in between'}
          </a>
        )}
      </p>
      <Compared.Provider value={of}>{children}</Compared.Provider>
    </>
  );
};

/** Says that a way is on the page, and not at the other instant. */
export const WayDiffering = ({ of }: { readonly of: WaysDiffer }): JSX.Element => (
  <div>
    <span class={of.between.isOfEnd ? 'gain' : 'loss'}>{wordsOf(of)[0]}</span>
  </div>
);

/** How many ways differ from those of the other instant, and where these are. */
export const WaysThenAndNow = ({
  of,
  otherHref,
}: {
  readonly of: WaysDiffer | null;
  /** The same page about the other instant; `null` if it would show nothing. */
  readonly otherHref: string | null;
}): JSX.Element | null => {
  if (of === null) return null;
  const { here, there, against } = of;
  return (
    <p class="note">
      {here === null ? (
        'There are too many ways to compare. '
      ) : here.size + there === 0 ? (
        <>
          The ways are those of <Other of={against} />.
        </>
      ) : (
        <>
          {here.size === 0
            ? 'All of these ways exist '
            : `${counted(here.size, 'way')} of these ${here.size === 1 ? 'does' : 'do'} not exist `}
          {against === '' ? null : 'at '}
          <Other of={against} />
          {there === 0 ? '. ' : `, and ${counted(there, 'other')} ${there === 1 ? 'does' : 'do'}. `}
        </>
      )}
      {otherHref === null || (here !== null && here.size + there === 0) ? null : (
        <a href={otherHref}>Show the ways of that time</a>
      )}
    </p>
  );
};
