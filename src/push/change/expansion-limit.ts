import type { DecodedPush } from '../../contract/decode';
import type { Template } from '../../templates/templates';
import { oneProblem } from '../../problem';
import { expansionOf, mayExpandTo } from '../../rows/row/expansion';
import { ruleBroken, tooMuchHere } from './push-refusal';
import type { ElementLimits } from './push-dependencies';

/**
 * Counts the nodes, relationships and list entries of a payload before the service makes any of
 * them. Throws if the payload expands beyond the limit (docs/security.md).
 */
export const limitExpansion = (
  decoded: DecodedPush<Template>,
  template: Template,
  characters: number,
  { most, here }: ElementLimits,
): void => {
  const expansion = expansionOf(template, decoded.payload);
  const limit = mayExpandTo(characters, most);
  if (expansion.elements > limit) {
    throw ruleBroken(
      decoded,
      oneProblem(
        expansion.most,
        'EXPANDS_TOO_FAR',
        `adds most to the ${expansion.elements} nodes, relationships and list entries that the payload comes to; at this length it may come to ${limit}: repeat less, or push less at once`,
      ),
    );
  }
  if (expansion.elements > here) throw tooMuchHere();
};
