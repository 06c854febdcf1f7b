import type { JSX } from 'preact';

import { CustomTemplate } from '../../../contract/registration';
import type { Provider } from '../../../contract/records/provider';
import type { Failure } from '../../../problem';
import { address, PATHS } from '../frame/address';
import { FormToken } from '../frame/form-token';
import { Name } from '../parts/name';
import { newFormId } from './form-ids';
import { KINDS } from '../pushing/file-forms';
import { Refused } from './key-views';

/** What somebody wrote into the form. */
export interface WrittenSystem {
  readonly name: string;
  readonly template: string;
  readonly source: string;
}

/** A form in which nobody wrote anything yet. */
export const NOTHING: WrittenSystem = { name: '', template: '', source: '' };

const TEMPLATES: Readonly<Record<CustomTemplate, string>> = {
  identity_provider: 'Identity provider: users and groups, such as a directory',
  application: 'Application: accounts, roles, resources, and who may do what',
  hris: 'HR system: employees, managers and departments',
};

/** The providers to which a data source can be added, so that a page does not list all there are. */
const OFFERED = 200;

const NewProvider = ({ of }: { readonly of: WrittenSystem }): JSX.Element => (
  <>
    <input type="hidden" name="provider_id" value={newFormId()} />
    <input type="hidden" name="key_id" value={newFormId()} />
    <p>
      <label for="name">Name of the system</label>
      <input id="name" name="name" value={of.name} required autocomplete="off" />
    </p>
    <fieldset>
      <legend>What kind of system is it?</legend>
      {CustomTemplate.values.map((template) => (
        <label key={template}>
          <input
            type="radio"
            name="template"
            value={template}
            checked={of.template === template}
            required
          />{' '}
          {TEMPLATES[template]}
        </label>
      ))}
    </fieldset>
  </>
);

const SourceName = ({
  of,
  isNeeded,
  children,
}: {
  readonly of: WrittenSystem;
  readonly isNeeded: boolean;
  readonly children: string;
}): JSX.Element => (
  <p>
    <label for="source-name">{children}</label>
    <input
      id="source-name"
      name="source"
      value={of.source}
      required={isNeeded}
      autocomplete="off"
    />
  </p>
);

/** The form that registers a provider with its first data source and a key. */
export const RegisterForm = ({ written }: { readonly written: WrittenSystem }): JSX.Element => (
  <form
    class="ask file"
    method="post"
    action={PATHS.register}
    enctype="multipart/form-data"
    data-plan
  >
    <FormToken />
    <input type="hidden" name="source_id" value={newFormId()} />
    <NewProvider of={written} />
    <details class="further" open={written.source !== ''}>
      <summary>Another name for its data source</summary>
      <SourceName of={written} isNeeded={false}>
        Name of the data source (empty: as the system)
      </SourceName>
    </details>
    <p>
      <label for="first-file">A first file, JSON or CSV, if you have one</label>
      <input
        id="first-file"
        type="file"
        name="file"
        accept={KINDS}
        aria-describedby="about-first-file"
      />
    </p>
    <p class="hint" id="about-first-file">
      With a file the system is registered as soon as you choose it. You get a key that pushes
      there, lines to paste, and the plan of the file. Of the file nothing is written yet.
    </p>
    <button>Register it, and show its key</button>
  </form>
);

/** The form that registers another data source of a provider. Its keys push there too. */
const FurtherForm = ({
  of,
  written,
}: {
  readonly of: Provider;
  readonly written: WrittenSystem;
}): JSX.Element => (
  <form class="ask" method="post" action={PATHS.register} enctype="multipart/form-data" data-once>
    <FormToken />
    <input type="hidden" name="source_id" value={newFormId()} />
    <input type="hidden" name="provider" value={of.id} />
    <SourceName of={written} isNeeded>
      Name of the data source
    </SourceName>
    <button>Register it, and go on to its keys</button>
  </form>
);

/** Leads to the form that goes on where a registration ended half way. */
const Continue = ({ of }: { readonly of: Provider | undefined }): JSX.Element | null =>
  of === undefined ? null : (
    <p>
      <Name>{of.name}</Name> is registered already:{' '}
      <a href={address(PATHS.register, { provider: of.id })}>register a data source of it</a>
    </p>
  );

/** The form that registers a system, or another data source of one that is registered. */
export const RegisterView = ({
  provider,
  others,
  written,
  refused = null,
}: {
  /** The provider that gets another data source; `null`: a new one is registered. */
  readonly provider: Provider | null;
  /** The providers that are registered. */
  readonly others: readonly Provider[];
  readonly written: WrittenSystem;
  readonly refused?: Failure | null;
}): JSX.Element => (
  <>
    <h1>
      {provider === null ? (
        'Register a system'
      ) : (
        <>
          Another data source of <Name>{provider.name}</Name>
        </>
      )}
    </h1>
    {refused === null ? null : <Refused of={refused} />}
    {refused === null || provider !== null ? null : (
      <Continue of={others.find(({ name }) => name === written.name.trim())} />
    )}
    <p class="hint">
      A provider stands for a system. Its data source receives what the system says about people and
      access.
    </p>
    {provider === null ? (
      <RegisterForm written={written} />
    ) : (
      <FurtherForm of={provider} written={written} />
    )}
    {provider !== null ? (
      <p>
        <a href={PATHS.register}>Register another system</a>
      </p>
    ) : others.length === 0 ? null : (
      <form class="narrow" method="get" action={PATHS.register}>
        <label>
          Or add a data source to a system that is registered
          <select name="provider" required>
            {others.slice(0, OFFERED).map(({ id, name }) => (
              <option key={id} value={id}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button>Go on</button>
      </form>
    )}
    {others.length > OFFERED ? (
      <p class="hint">
        The page offers {OFFERED} of {others.length}. The page of a data source leads here too.
      </p>
    ) : null}
  </>
);
