/**
 * What statements of one shape have in common. They differ in the names of labels and types, which follow a colon or a
 * bar; the model's own test says that they are plain words.
 */
export const shapeOf = (text: string): string =>
  text
    .replace(/(?<=[:|])[A-Z]\w*|\b[a-z]\w*(?= IF NOT EXISTS)|(?<=\bn\.)\w+/g, 'Name')
    .replace(/'[A-Z]\w*'/g, "'Name'")
    .replace(/\bName(\|Name)+/g, 'Name')
    .replace(/'Name'(, 'Name')+/g, "'Name'")
    .replace(/(, \w+: null)+/g, ', name: null');
