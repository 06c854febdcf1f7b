/** Numbers in order, each once. */
export type Ordered = readonly number[];

/** No number. */
export const EMPTY: Ordered = [];

const ascending = (a: number, b: number): number => a - b;

/** Brings numbers into order, each once. */
export const ordered = (numbers: number[]): Ordered => {
  if (numbers.length < 2) return numbers;
  numbers.sort(ascending);
  let last = 0;
  for (let place = 1; place < numbers.length; place += 1) {
    if (numbers[place] === numbers[last]) continue;
    last += 1;
    numbers[last] = numbers[place] as number;
  }
  numbers.length = last + 1;
  return numbers;
};

/** What is in one of two lists, or in both. */
export const either = (one: Ordered, other: Ordered): Ordered => {
  if (one.length === 0 || one === other) return other;
  if (other.length === 0) return one;
  const both: number[] = [];
  let [first, second] = [0, 0];
  while (first < one.length && second < other.length) {
    const [a, b] = [one[first] as number, other[second] as number];
    both.push(a < b ? a : b);
    if (a <= b) first += 1;
    if (b <= a) second += 1;
  }
  for (; first < one.length; first += 1) both.push(one[first] as number);
  for (; second < other.length; second += 1) both.push(other[second] as number);
  return both;
};

/** What is in a list, and not in another one. */
export const without = (one: Ordered, other: Ordered): Ordered => {
  if (one.length === 0 || other.length === 0) return one;
  const left: number[] = [];
  let second = 0;
  for (const number of one) {
    while (second < other.length && (other[second] as number) < number) second += 1;
    if (other[second] !== number) left.push(number);
  }
  return left;
};
