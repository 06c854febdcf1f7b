import type { Policy } from './policy';

/** Where two policies of a provider disagree. */
export interface Disagreement {
  /** Of the policy that is set. */
  readonly pointer: string;
  readonly message: string;
}

const escaped = (path: string): string => path.replaceAll('~', '~0').replaceAll('/', '~1');

/**
 * Where a policy disagrees with another one: on the property of an attribute, or on leavers. One
 * account has one value of an attribute, and leaves in one way (docs/provisioning.md: Policies).
 */
export const disagreementOf = (
  policy: Pick<Policy, 'name' | 'attributes' | 'leavers'>,
  other: Pick<Policy, 'name' | 'attributes' | 'leavers'>,
): Disagreement | null => {
  const both = `${JSON.stringify(policy.name)} and ${JSON.stringify(other.name)}`;
  const theirs = new Map(
    Object.entries(other.attributes).map(([path, names]) => [path.toLowerCase(), names]),
  );
  for (const [path, names] of Object.entries(policy.attributes)) {
    const their = theirs.get(path.toLowerCase());
    if (their === undefined || JSON.stringify(their) === JSON.stringify(names)) continue;
    return {
      pointer: `/attributes/${escaped(path)}`,
      message: `policies ${both} take ${path} from different properties`,
    };
  }
  const [ours, others] = [policy.leavers, other.leavers];
  if (ours.action === others.action && ours.after_days === others.after_days) return null;
  return { pointer: '/leavers', message: `policies ${both} treat leavers differently` };
};
