// This number of seconds after 1970 is in the year 5138. As milliseconds it is in 1973.
const LEAST_MILLISECONDS = 1e11;

/**
 * Says how to write a time that the sender gave as a number since 1970. The size of the number
 * decides whether it counts seconds or milliseconds.
 */
export const timeInstead = (number: number): string => {
  const at = new Date(Math.abs(number) < LEAST_MILLISECONDS ? number * 1000 : number);
  const year = at.getUTCFullYear();
  const written =
    year >= 0 && year <= 9999 ? `; ${number} is "${at.toISOString().replace('.000Z', 'Z')}"` : '';
  return `write a time like "2024-01-31T09:30:00Z"${written}`;
};
