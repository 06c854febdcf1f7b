import type { PushWarnings } from '../../graph/records/push-warnings';

/** The answer to a push or a plan as JSON: its warnings, which are JSON already, then the rest (docs/rules.md: Multipart uploads). Of no other buffer a part. */
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
