import type { JSX } from 'preact';

import { CustomTemplate } from '../../../contract/registration';
import type { Provider } from '../../../contract/records/provider';
import type { Failure } from '../../../problem';
import { PATHS } from '../frame/address';
import { FormToken } from '../frame/form-token';
import { Name } from '../parts/name';
import { newFormId } from './form-ids';
import { Refused } from './key-views';

/** What somebody wrote into the form. */
export interface WrittenSystem {
  readonly name: string;
  readonly template: string;
  readonly source: string;
}

const TEMPLATES: Readonly<Record<CustomTemplate, string>> = {
  identity_provider: 'Identity provider: users and groups, such as a directory',
  application: 'Application: accounts, roles, resources, and who may do what',
  hris: 'HR system: employees, managers and departments',
};

/** The providers to which a data source can be added, so that a page does not list all there are. */
const OFFERED = 200;

const NewProvider = ({ of }: { readonly of: WrittenSystem }): JSX.Element => (
  <>
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
    <p class="hint">
      A provider stands for a system. Its data source receives what the system says about people and
      access. Then you get a key that pushes there, and lines to paste.
    </p>
    <form class="ask" method="post" action={PATHS.register} data-once>
      <FormToken />
      <input type="hidden" name="source_id" value={newFormId()} />
      {provider === null ? (
        <>
          <input type="hidden" name="provider_id" value={newFormId()} />
          <NewProvider of={written} />
        </>
      ) : (
        <input type="hidden" name="provider" value={provider.id} />
      )}
      <p>
        <label for="source">
          Name of the data source
          {provider === null ? ' (empty: as the system; one system may have several)' : ''}
        </label>
        <input
          id="source"
          name="source"
          value={written.source}
          required={provider !== null}
          autocomplete="off"
        />
      </p>
      <button>Register it, and go on to its key</button>
    </form>
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
