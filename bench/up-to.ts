/** The numbers from 0 up to one less than `count`. */
export const upTo = (count: number): readonly number[] =>
  Array.from({ length: count }, (_, at) => at);
