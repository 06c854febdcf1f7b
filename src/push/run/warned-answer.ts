import type { PushWarnings } from '../../graph/records/push-warnings';

/**
 * Returns the answer to a push or a dry run as JSON: first its warnings, which are JSON already,
 * then the rest (docs/rules.md: Multipart uploads). The answer has a buffer of its own.
 */
export const warnedAnswer = (
  { json }: Pick<PushWarnings, 'json'>,
  rest: object,
): Uint8Array<ArrayBuffer> => {
  const encoder = new TextEncoder();
  const before = encoder.encode('{"warnings":');
  const after = encoder.encode(`,${JSON.stringify(rest).slice(1)}`);
  const answer = new Uint8Array(before.length + json.length + after.length);
  answer.set(before);
  answer.set(json, before.length);
  answer.set(after, before.length + json.length);
  return answer;
};
