const SECOND_MS = 1_000;

/** Calls `ask` at most once a second. Other callers get the last answer, or wait for it. */
export const onceASecond = <A>(
  ask: () => Promise<A>,
  now: () => number = () => performance.now(),
): (() => Promise<A>) => {
  let last: { readonly at: number; readonly answer: Promise<A> } | undefined;
  return () => {
    const at = now();
    if (last === undefined || at - last.at >= SECOND_MS) last = { at, answer: ask() };
    return last.answer;
  };
};
