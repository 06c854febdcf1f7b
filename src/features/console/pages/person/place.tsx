import type { JSX } from 'preact';

import { address, type Parameters } from '../../frame/address';
import type { Moment } from '../../frame/page';

/** Where the page of a person is: its path and what its address says besides the view. */
export interface PersonPlace {
  readonly path: string;
  /** The instant as the reader wrote it; of changes, that at which they end. */
  readonly written: string;
  /** `true`: only this node, and not the human to whom it belongs. */
  readonly only: string;
}

/** The links between the views of a person. */
export const Views = ({
  view,
  place: { path, written, only },
}: {
  readonly view: 'access' | 'changes';
  readonly place: PersonPlace;
}): JSX.Element => (
  <nav class="views" aria-label="Views">
    <a
      href={address(path, { at: written, only })}
      aria-current={view === 'access' ? 'page' : undefined}
    >
      Access
    </a>
    <a
      href={address(path, { view: 'changes', only, until: written })}
      aria-current={view === 'changes' ? 'page' : undefined}
    >
      Gained and lost
    </a>
  </nav>
);

/** The instant of a page about a person. */
export const momentOf = (
  { path, written }: PersonPlace,
  at: string,
  parameters: Parameters,
): Moment => ({ written, at, path, parameters });
