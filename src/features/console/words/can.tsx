import type { JSX } from 'preact';

import { inWords, isRowPrivileged } from './permission-types';
import { Name } from '../parts/name';

type Held = Parameters<typeof inWords>[0];

/** How many names of permissions are shown unfolded. */
const SHOWN = 6;

const Names = ({ of }: { readonly of: Held }): JSX.Element => (
  <>
    {of.map(({ name }, at) => (
      <span key={name}>
        {at > 0 ? ', ' : ''}
        <Name>{name}</Name>
      </span>
    ))}
  </>
);

/** What permissions let somebody do, in words. One without a word shows its own name. */
export const Words = ({ of }: { readonly of: Held }): JSX.Element => {
  const { words, wordless } = inWords(of);
  const isMore = wordless.length > SHOWN;
  return (
    <span class="words">
      {words.map(({ word, weight }) => (
        <span key={word}>
          <span class={`can ${weight}`}>{word}</span>{' '}
        </span>
      ))}
      {wordless.slice(0, SHOWN).map(({ name }) => (
        <span key={name}>
          <span class="can other">
            <Name>{name}</Name>
          </span>{' '}
        </span>
      ))}
      {isMore ? (
        <details>
          <summary>and {wordless.length - SHOWN} more</summary>
          <Names of={wordless.slice(SHOWN)} />
        </details>
      ) : null}
    </span>
  );
};

/** The same, with the names of the permissions behind the words; nothing of no permission. */
export const Can = ({ of }: { readonly of: Held }): JSX.Element | null => {
  if (of.length === 0) return null;
  const wordless = new Set(inWords(of).wordless);
  const named = of.filter((held) => !wordless.has(held));
  return (
    <>
      <Words of={of} />
      {named.length === 0 ? null : (
        <span class="permissions">
          <Names of={named.slice(0, SHOWN)} />
          {named.length <= SHOWN ? null : (
            <details>
              <summary>and {named.length - SHOWN} more</summary>
              <Names of={named.slice(SHOWN)} />
            </details>
          )}
        </span>
      )}
    </>
  );
};

/**
 * Says that a row has a privileged permission (docs/rules.md: Privileged permissions), also one that its
 * table leaves out.
 */
export const Privileged = ({
  of: { permissions, privileged },
}: {
  readonly of: { readonly permissions: Held; readonly privileged?: boolean | null };
}): JSX.Element | null =>
  isRowPrivileged(permissions, privileged) ? <span class="tag">privileged</span> : null;
