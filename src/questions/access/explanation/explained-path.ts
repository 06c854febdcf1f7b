import type { ExplainedHop, ExplainedPath } from '../../../contract/answers/questions/access';
import type { Hop, Path } from './explanation';

const hop = ({ about: { id, label, name }, ...rest }: Hop): ExplainedHop => ({
  id,
  label,
  name,
  ...rest,
});

/** A path as clients see it. */
export const explainedPath = ({ permission, hops, scope }: Path): ExplainedPath => ({
  permission,
  hops: hops.map(hop),
  scope: scope.map(hop),
});
