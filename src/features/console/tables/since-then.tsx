import { createContext } from 'preact';
import type { ComponentChildren, JSX } from 'preact';
import { useContext } from 'preact/hooks';

import type { SinceThen } from '../asking/changes';
import { counted } from '../parts/counted';
import { Words } from '../words/can';

/** What changed since the instant of the table that is rendered; `null`: it is about now. */
const Differences = createContext<SinceThen | null>(null);

type Held = Parameters<typeof Words>[0]['of'];

/** Says how a row of a table about an instant differs from now. */
export const NowDiffers = ({
  id,
  held,
}: {
  readonly id: string;
  /** What the row had at the instant, as the table counts it. */
  readonly held: Held;
}): JSX.Element | null => {
  const differs = useContext(Differences)?.rows.get(id);
  if (differs === undefined) return null;
  const gone = new Set(differs.lost.map(({ name }) => name));
  if (held.every(({ name }) => gone.has(name)) && differs.gained.length === 0) {
    return (
      <div>
        <span class="loss">no longer</span>
      </div>
    );
  }
  return (
    <div>
      {differs.lost.length === 0 ? null : (
        <>
          <span class="loss">no longer</span> <Words of={differs.lost} />
        </>
      )}
      {differs.gained.length === 0 ? null : (
        <>
          <span class="gain">now also</span> <Words of={differs.gained} />
        </>
      )}
    </div>
  );
};

/** A table about an instant whose rows say how they differ from now, and what all of it comes to. */
export const ThenAndNow = ({
  of,
  rows,
  changesHref,
  children,
}: {
  readonly of: SinceThen | null;
  /** The ids of the rows that the page shows. */
  readonly rows: readonly string[];
  /** The page of all that was gained and lost since. */
  readonly changesHref: string;
  readonly children: ComponentChildren;
}): JSX.Element => {
  if (of === null) return <>{children}</>;
  const shown = new Set(rows);
  const marked = rows.filter((id) => of.rows.has(id)).length;
  // A human is one row, with all accounts that are theirs.
  const others = new Set(
    [...of.rows.keys()].map((id) => of.humans.get(id)?.id ?? id).filter((id) => !shown.has(id)),
  ).size;
  return (
    <>
      <p class="note">
        {of.rows.size === 0 ? (
          'Nothing of this has changed since then.'
        ) : (
          <>
            {marked === 0
              ? 'No row of this page differs from now.'
              : `${counted(marked, 'row')} of this page ${marked === 1 ? 'differs' : 'differ'} from now, and ${marked === 1 ? 'says' : 'say'} how.`}{' '}
            {others === 0
              ? ''
              : `${of.isAll ? '' : 'At least '}${counted(others, 'other')} changed since, or came later. `}
            <a href={changesHref}>Gained and lost since then</a>
          </>
        )}
      </p>
      <Differences.Provider value={of}>{children}</Differences.Provider>
    </>
  );
};
