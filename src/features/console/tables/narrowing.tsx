import type { JSX } from 'preact';

import { PermissionType } from '../../../templates/application/permissions';
import type { Parameters } from '../frame/address';
import { HiddenInputs } from '../parts/hidden-inputs';

/** Narrows a list of access: by application, permission type and native permission. */
export const Narrowing = ({
  path,
  kept,
  application,
  type,
  permission,
}: {
  readonly path: string;
  /** Parameters that stay as they are. */
  readonly kept: Parameters;
  /** `null`: the list is about one application already. */
  readonly application: string | null;
  readonly type: string;
  readonly permission: string;
}): JSX.Element => (
  <form class="narrow" method="get" action={path} aria-label="Narrow the list">
    <HiddenInputs of={kept} />
    {application === null ? null : (
      <label>
        Application <input name="application" value={application} />
      </label>
    )}
    <label>
      Can{' '}
      <select name="permission_type">
        <option value="">anything</option>
        {PermissionType.values.map((value) => (
          <option key={value} value={value} selected={value === type}>
            {value}
          </option>
        ))}
      </select>
    </label>
    <label>
      Permission <input name="permission" value={permission} />
    </label>
    <button>Narrow</button>
  </form>
);
