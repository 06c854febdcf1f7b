import type { JSX } from 'preact';

import { Name } from './name';

const SHOWN = 6;

/** Native names of permissions; many are cut, and the title has them all. */
export const Permissions = ({
  of,
}: {
  readonly of: readonly { readonly name: string }[];
}): JSX.Element => {
  const rest = of.slice(SHOWN);
  return (
    <span class="permissions">
      {of.slice(0, SHOWN).map(({ name }, at) => (
        <span key={name}>
          {at > 0 ? ', ' : ''}
          <Name>{name}</Name>
        </span>
      ))}
      {rest.length === 0 ? null : (
        <details>
          <summary>and {rest.length} more</summary>
          {rest.map(({ name }, at) => (
            <span key={name}>
              {at > 0 ? ', ' : ''}
              <Name>{name}</Name>
            </span>
          ))}
        </details>
      )}
    </span>
  );
};
