import type { JSX } from 'preact';

import { TYPES } from '../frame/permission-types';

const ORDER = Object.keys(TYPES);

const marked = (type: string): JSX.Element | null => {
  const mark = TYPES[type];
  if (mark === undefined) return null;
  const isData = type.startsWith('Data');
  return (
    <span class={isData ? 'mark data' : 'mark'} title={`${type}: ${mark.text}`}>
      <span aria-hidden="true">{mark.letter}</span>
      <span class="unseen">{mark.text}, </span>
    </span>
  );
};

/** The canonical types of permissions, each as a letter that screen readers read as words. */
export const Marks = ({
  of,
}: {
  readonly of: readonly { readonly permission_type: readonly string[] }[];
}): JSX.Element => {
  const held = new Set(of.flatMap(({ permission_type }) => permission_type));
  return <span class="marks">{ORDER.filter((type) => held.has(type)).map(marked)}</span>;
};

/** What the letters mean. */
export const MarksInWords = (): JSX.Element => (
  <p class="legend">
    {Object.entries(TYPES).map(([type, { text }]) => (
      <span key={type}>
        {marked(type)} {text}{' '}
      </span>
    ))}
  </p>
);
