/** A canonical type of permissions as people know it. */
interface TypeInWords {
  /** The letter of tables. */
  readonly letter: string;
  readonly text: string;
}

/** The canonical types, in the order of tables. */
export const TYPES: Readonly<Record<string, TypeInWords>> = {
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

/** What a canonical type means to people. */
export const typeInWords = (type: string): string => TYPES[type]?.text ?? type;
