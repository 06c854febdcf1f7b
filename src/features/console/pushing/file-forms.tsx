import type { ComponentChildren, JSX } from 'preact';

import type { AskedConfirmation } from '../../../contract/answers/plan';
import type { FormFile } from '../../../web/bodies/form';
import { PATHS, pushAddress } from '../frame/address';
import { FormToken } from '../frame/form-token';
import type { SourceOfProvider } from '../overview/overview';
import { Name } from '../parts/name';
import { SourceOptions } from '../sources/source-options';

/** The fields of the form that pushes, in addition to the file. */
export interface Planned {
  /** SHA-256 of the file whose plan somebody has seen. */
  readonly planned: string;
  /** The digest of the data source before the plan; empty: nothing was pushed. */
  readonly on: string;
}

/** What the input of a file proposes to choose. */
export const KINDS = '.json,.csv,application/json,text/csv';

/** A form with a file, whose answer shows the plan of its push. */
const FileForm = ({
  action,
  children,
}: {
  readonly action: string;
  readonly children?: ComponentChildren;
}): JSX.Element => (
  <form class="file" method="post" action={action} enctype="multipart/form-data" data-plan>
    <FormToken />
    {children}
    <p>
      <label for="file">A payload as JSON, or a table as CSV</label>
      <input
        id="file"
        type="file"
        name="file"
        accept={KINDS}
        required
        aria-describedby="about-file"
      />
    </p>
    <p class="hint" id="about-file">
      Choose the file, or drop it there. What a push would change follows at once, and nothing is
      written yet. <a href="/manual/connectors">What a file holds</a>
    </p>
    <button>Show the plan</button>
  </form>
);

/** Chooses a file for a data source, and shows the plan of its push. */
export const PlanForm = ({ of }: { readonly of: SourceOfProvider }): JSX.Element => (
  <FileForm action={pushAddress(of.source.id)} />
);

/** A form offers so many data sources. The page of each has one of its own. */
const OFFERED = 200;

/** Chooses a data source and a file, and shows the plan of its push. */
export const ChosenPlanForm = ({
  of,
}: {
  /** By turns of their providers: the form has the first of them. */
  readonly of: readonly SourceOfProvider[];
}): JSX.Element => (
  <FileForm action={PATHS.sources}>
    <p>
      <label for="source">Data source</label>
      <select id="source" name="source" required>
        <option value="">choose one</option>
        <SourceOptions of={of.slice(0, OFFERED)} />
      </select>
    </p>
    {of.length <= OFFERED ? null : (
      <p class="hint">
        These are {OFFERED} of {of.length.toLocaleString('en')}. The page of each data source has
        this form too.
      </p>
    )}
  </FileForm>
);

const Confirm = ({ of }: { readonly of: AskedConfirmation | null }): JSX.Element | null =>
  of === null ? null : (
    <p>
      <label>
        <input type="checkbox" name="confirm" value={of.digest} required /> Remove{' '}
        {of.removed.toLocaleString('en')} of {of.standing.toLocaleString('en')} rows
      </label>
    </p>
  );

/** Chooses the file of a plan again, and pushes it. */
export const PushForm = ({
  of,
  file,
  planned,
  confirmation,
}: {
  readonly of: SourceOfProvider;
  readonly file: FormFile;
  readonly planned: Planned;
  readonly confirmation: AskedConfirmation | null;
}): JSX.Element => (
  <form
    class="file"
    method="post"
    action={pushAddress(of.source.id)}
    enctype="multipart/form-data"
    data-push
  >
    <FormToken />
    <input type="hidden" name="planned" value={planned.planned} />
    <input type="hidden" name="on" value={planned.on} />
    <p>
      <label for="file">
        The same file again: <Name>{file.name}</Name>
      </label>
      <input id="file" type="file" name="file" accept={KINDS} required />
    </p>
    <p data-kept hidden>
      Your browser still has this file, so it is chosen already. It forgets the file when you leave
      the page.
    </p>
    <p class="hint">
      The service stores no payloads. It pushes nothing but the file that you have seen the plan of,
      and only if nobody has pushed here since.
    </p>
    <Confirm of={confirmation} />
    <button>Push it</button>
  </form>
);
