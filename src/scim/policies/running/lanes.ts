import { grouped } from '../../../model/grouped';

/**
 * Works on items, a limited number at once. Items of one lane come one after the other, in their
 * order. After a failure nothing more begins, and the first failure is thrown.
 */
export const inLanes = async <A>(
  items: readonly A[],
  atOnce: number,
  laneOf: (item: A) => string,
  work: (item: A) => Promise<void>,
): Promise<void> => {
  const waiting = grouped(items, laneOf).values();
  let failure: { readonly error: unknown } | null = null;
  const worker = async (): Promise<void> => {
    for (const lane of waiting) {
      for (const item of lane) {
        if (failure !== null) return;
        try {
          await work(item);
        } catch (error) {
          failure ??= { error };
        }
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  const failed = failure as { readonly error: unknown } | null;
  if (failed !== null) throw failed.error;
};
