import { LAST_STEPS_OF_WAY, type WayOfRow } from '../../../contract/answers/questions/access';
import { counted } from '../parts/counted';

/** What people do not name of a way: it only carries names, or is part of the step before it. */
const SILENT = new Set(['Identity', 'Grant', 'RoleAssignment', 'Permission', 'ExternalEntity']);
const ACCOUNTS = new Set(['Employee', 'IdpUser', 'LocalUser']);

type Step = WayOfRow['steps'][number];

/** The steps by which people know a way: its groups and roles, or else the account that has it. */
export const toldSteps = ({ steps }: WayOfRow): readonly Step[] => {
  const told = steps.slice(1).filter(({ label }) => !SILENT.has(label));
  const others = told.filter(({ label }) => !ACCOUNTS.has(label));
  return others.some(({ label }) => !label.endsWith('Role'))
    ? others
    : [...told.filter(({ label }) => label === 'LocalUser'), ...others];
};

/** These steps, and how many a long way leaves out between them, in words. */
export const toldParts = (way: WayOfRow): readonly (Step | string)[] => {
  const steps = toldSteps(way);
  const leftOut = way.more_steps ?? 0;
  if (leftOut === 0) return steps;
  const last = way.steps.slice(-LAST_STEPS_OF_WAY);
  const gap = steps.filter((step) => !last.includes(step)).length;
  return [...steps.slice(0, gap), counted(leftOut, 'more step'), ...steps.slice(gap)];
};

/**
 * The provider that a step says: its own, if what is reached is of another one. So a name without a
 * provider is of the provider of what is reached, whatever others call theirs.
 */
export const providerToSay = (step: Step, ofReached: string | null): string | null =>
  step.provider === ofReached ? null : step.provider;

/** The provider of all sources of something; `null` if there are several. */
export const onlyProvider = (
  sources: readonly { readonly provider_name: string }[],
): string | null => (sources.length === 1 ? (sources[0]?.provider_name ?? null) : null);

/** Whether a permission is granted along a way, and not given by a role. */
export const isGranted = ({ steps }: WayOfRow): boolean =>
  steps.some(({ label }) => label === 'Grant');

/** How many other ways there are, in words; empty: none, or nobody counted them. */
export const othersInWords = ({ others, has_more }: WayOfRow): string =>
  others === null || others === 0
    ? ''
    : `+${others}${has_more ? ' or more' : ''} ${others === 1 ? 'way' : 'ways'}`;

/**
 * A way as a text, as its page says it. `moreSteps` is how many steps follow those that the way lists.
 */
export const wayInWords = (way: WayOfRow, ofReached: string | null, moreSteps = 0): string => {
  const parts = toldParts(way).map((part) => {
    if (typeof part === 'string') return part;
    const provider = providerToSay(part, ofReached);
    return provider === null ? part.name : `${part.name} (from ${provider})`;
  });
  const granted = isGranted(way) ? [parts.length === 0 ? 'granted directly' : 'granted'] : [];
  return [
    [...parts, ...(moreSteps === 0 ? [] : [counted(moreSteps, 'more step')]), ...granted].join(
      ' → ',
    ),
    ...(way.on === null ? [] : [`on ${way.on.name}`]),
    othersInWords(way),
  ]
    .filter((text) => text !== '')
    .join(' ');
};
