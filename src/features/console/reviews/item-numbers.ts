/** Whether a text is the number of an item. */
export const isNumber = (text: string): boolean => /^[1-9]\d{0,6}$/.test(text);

/** The numbers of items in texts; `null` if a text is none, or there are none or more than `most`. */
export const numbersIn = (texts: readonly string[], most: number): readonly number[] | null => {
  const given = [...new Set(texts)];
  const areMeant = given.length > 0 && given.length <= most && given.every(isNumber);
  return areMeant ? given.map(Number) : null;
};
