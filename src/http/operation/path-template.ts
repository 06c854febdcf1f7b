import { API_OPERATIONS } from './api-operations';

/** What stands for every path that is none of the interface's: it may hold anything. */
export const UNKNOWN_PATH = 'unknown';

interface Template {
  readonly text: string;
  readonly steps: readonly string[];
}

const stepsOf = (path: string): readonly string[] => path.replace(/\/$/, '').split('/');

const TEMPLATES: readonly Template[] = [...new Set(API_OPERATIONS.map(({ path }) => path))]
  .map((text) => ({ text, steps: stepsOf(text) }))
  // What is fixed, and verbs, before what takes anything.
  .sort((a, b) => looseness(a) - looseness(b));

function looseness({ steps }: Template): number {
  return steps.reduce(
    (sum, step) => sum + (step.startsWith('{') ? (step.endsWith('}') ? 2 : 1) : 0),
    0,
  );
}

const fits = (template: string, step: string): boolean => {
  const end = template.startsWith('{') ? template.indexOf('}') : -1;
  if (end < 0) return template === step;
  const rest = template.slice(end + 1);
  return step.length > rest.length && step.endsWith(rest);
};

/** A path as the interface describes it: ids become `{id}`, so that no text of a caller stays. */
export const templateOf = (path: string): string => {
  const steps = stepsOf(path);
  return (
    TEMPLATES.find(
      (template) =>
        template.steps.length === steps.length &&
        template.steps.every((step, at) => fits(step, steps[at] ?? '')),
    )?.text ?? UNKNOWN_PATH
  );
};
