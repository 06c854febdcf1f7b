import { type AnyCodec, Walk } from '../../src/codec/codec';
import { ProblemCollector } from '../../src/codec/problem-collector';

/** What a codec's explanation says of a value, one `pointer CODE` each. */
export const explained = (codec: AnyCodec, value: unknown): readonly string[] => {
  const collector = new ProblemCollector();
  codec.explain(value, new Walk(collector));
  return collector.list().problems.map(({ pointer, code }) => `${pointer} ${code}`);
};
