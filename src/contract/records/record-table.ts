import { type Field, type Fields, usualInWords } from './field';

const rowsOf = (fields: Fields, within = ''): readonly string[] =>
  Object.entries(fields).flatMap(([name, field]) => rowOf(`${within}${name}`, field));

const rowOf = (name: string, field: Field): readonly string[] => {
  if (field.source === 'service') return [];
  const usual = usualInWords(field);
  const cells = [`\`${name}\``, usual === null ? 'required' : `\`${usual}\``, field.doc];
  return [`| ${cells.join(' | ')} |`, ...rowsOf(field.parts, `${name}.`)];
};

/** The fields of a record's requests, as a table for the docs. */
export const recordTable = ({ fields }: { readonly fields: Fields }): string =>
  ['| field | if unset | meaning |', '| --- | --- | --- |', ...rowsOf(fields)].join('\n');
