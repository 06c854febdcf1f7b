import { open, seal } from '../../secrets/seal';

/**
 * Seals a place of the live stream for a reader with a limited key. Places count the events of
 * everybody. So two bare places would show how many events others had in between. Sealed places
 * show nothing, not even whether two are the same.
 */
export const sealPlace = (place: number, secret: string): string =>
  // All numbers have the same length, so the length of the sealed text shows nothing.
  seal(String(place).padStart(16, '0'), secret);

/** Opens a sealed place; `null` if the text was not sealed with this secret. */
export const openPlace = (text: string, secret: string): number | null => {
  const opened = open(text, secret);
  return opened !== null && /^\d{16}$/.test(opened) ? Number(opened) : null;
};
