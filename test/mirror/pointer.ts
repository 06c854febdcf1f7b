/** A problem of a payload: where and what (docs/rules.md: Problems). */
export interface Problem {
  readonly pointer: string;
  readonly code: string;
}

/** A JSON pointer extended by steps (RFC 6901). */
export function below(pointer: string, ...steps: readonly (string | number)[]): string {
  return [pointer, ...steps.map(escaped)].join('/');
}

/** The steps of a JSON pointer, unescaped. */
export function stepsOf(pointer: string): readonly string[] {
  return pointer
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

function escaped(step: string | number): string {
  return typeof step === 'number' ? String(step) : step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** Each problem once per pointer and code (docs/rules.md: Problems). */
export function distinctProblems(problems: readonly Problem[]): readonly Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** Orders pointers into one JSON value as their targets stand in its text, parents first. */
export function inDocumentOrder(json: unknown, a: string, b: string): number {
  const stepsA = stepsOf(a);
  const stepsB = stepsOf(b);
  let value = json;
  for (let depth = 0; depth < Math.min(stepsA.length, stepsB.length); depth += 1) {
    const names = typeof value === 'object' && value !== null ? Object.keys(value) : [];
    const nameA = stepsA[depth] ?? '';
    const nameB = stepsB[depth] ?? '';
    if (nameA !== nameB) return names.indexOf(nameA) - names.indexOf(nameB);
    value = child(value, nameA);
  }
  return stepsA.length - stepsB.length;
}

/** What a step leads to from a JSON value; undefined when nothing. */
export function child(value: unknown, step: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as Record<string, unknown>)[step];
}
