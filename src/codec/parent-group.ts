import { Codec, isObject } from './codec';
import { IdentityReference } from './shared';
import { explainText, requiredText } from './text';

/** Parent groups in the specification's sample shape. Each key names a parent group. */
export interface ParentMarks {
  readonly [parentGroup: string]: 'parent';
}

const hasIdentity = (value: object): boolean =>
  Object.keys(value).some((key) => key.toLowerCase() === 'identity');

const isMarked = (value: unknown): value is ParentMarks => {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  return (
    names.length > 0 && names.every((name) => value[name] === 'parent' && requiredText.is(name))
  );
};

// A value `"parent"` shows that the sender means this shape. Without one, the problems are those of
// the shape `{identity}`.
const isMeantAsMarks = (value: unknown): value is Readonly<Record<string, unknown>> =>
  isObject(value) && !hasIdentity(value) && Object.values(value).includes('parent');

/**
 * Reads a parent group `{identity}`, or parent groups `{<parent>: "parent"}` (docs/rules.md:
 * Identity provider payloads).
 */
export const ParentGroup = new Codec<IdentityReference | ParentMarks>(
  'parent group',
  (value) => IdentityReference.is(value) || (isMarked(value) && !hasIdentity(value)),
  (value, walk) => {
    if (!isMeantAsMarks(value)) {
      IdentityReference.explain(value, walk);
      return;
    }
    for (const name of Object.keys(value)) {
      walk.at(name, () => {
        explainText(name, requiredText.rule, walk);
        if (value[name] !== 'parent') walk.refuse('UNKNOWN_VALUE', () => 'expected "parent"');
      });
    }
  },
  {
    normalize: (value) => (isMeantAsMarks(value) ? value : IdentityReference.normalize(value)),
  },
);
export type ParentGroup = IdentityReference | ParentMarks;
