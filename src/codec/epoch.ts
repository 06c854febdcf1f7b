// As seconds it is in the year 5138, as milliseconds in 1973.
const LEAST_MILLISECONDS = 1e11;

/** How to write a time that was given as a number of seconds, or milliseconds by its size, since 1970. */
export const timeInstead = (number: number): string => {
  const at = new Date(Math.abs(number) < LEAST_MILLISECONDS ? number * 1000 : number);
  const year = at.getUTCFullYear();
  const written =
    year >= 0 && year <= 9999 ? `; ${number} is "${at.toISOString().replace('.000Z', 'Z')}"` : '';
  return `write a time like "2024-01-31T09:30:00Z"${written}`;
};
