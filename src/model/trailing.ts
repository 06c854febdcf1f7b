/** The text without the letters at its end that equal `letter`. */
export const withoutTrailing = (text: string, letter: string): string => {
  let end = text.length;
  while (end > 0 && text[end - 1] === letter) end -= 1;
  return text.slice(0, end);
};

/** The text before the first place where `mark` occurs; the complete text if it does not. */
export const before = (text: string, mark: string): string => {
  const at = text.indexOf(mark);
  return at === -1 ? text : text.slice(0, at);
};
