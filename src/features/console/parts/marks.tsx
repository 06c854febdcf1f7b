import type { JSX } from 'preact';

interface Mark {
  readonly letter: string;
  readonly text: string;
}

const MARKS: Readonly<Record<string, Mark>> = {
  DataRead: { letter: 'R', text: 'read data' },
  DataWrite: { letter: 'W', text: 'write data' },
  DataCreate: { letter: 'C', text: 'create data' },
  DataDelete: { letter: 'D', text: 'delete data' },
  MetadataRead: { letter: 'r', text: 'read settings' },
  MetadataWrite: { letter: 'w', text: 'write settings' },
  MetadataCreate: { letter: 'c', text: 'create settings' },
  MetadataDelete: { letter: 'd', text: 'delete settings' },
  NonData: { letter: 'N', text: 'something other than data' },
  Uncategorized: { letter: '?', text: 'something that nobody categorized' },
};

const ORDER = Object.keys(MARKS);

const marked = (type: string): JSX.Element | null => {
  const mark = MARKS[type];
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
    {Object.entries(MARKS).map(([type, { text }]) => (
      <span key={type}>
        {marked(type)} {text}{' '}
      </span>
    ))}
  </p>
);
