import type { PushAnswer } from '../../contract/answers/pushes';
import { warnedAnswer } from '../../push/run/contract';
import type { ImportResult } from './run-import';

const pushJson = (push: NonNullable<ImportResult['push']>): Uint8Array => {
  const { push: push_id, at, outcome, put, removed, digest, warnings } = push;
  const rest: Omit<PushAnswer, 'warnings'> = {
    ...{ push_id, at, unchanged: outcome === 'unchanged', put, removed, digest },
  };
  return warnedAnswer(warnings, rest);
};

/** The answer to an import, as JSON. Its lists of warnings and changes are JSON already. */
export const importAnswer = ({ answer, push, plan }: ImportResult): Uint8Array<ArrayBuffer> => {
  const inner =
    push === null
      ? plan === null
        ? null
        : { name: 'plan', json: plan.json }
      : { name: 'push', json: pushJson(push) };
  const outer = JSON.stringify(answer);
  if (inner === null) return new TextEncoder().encode(outer);
  const before = Buffer.from(`${outer.slice(0, -1)},"${inner.name}":`);
  const whole = new Uint8Array(before.length + inner.json.length + 1);
  whole.set(before);
  whole.set(inner.json, before.length);
  whole.set(Buffer.from('}'), before.length + inner.json.length);
  return whole;
};
