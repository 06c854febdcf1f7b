import { createHash } from 'node:crypto';

import type {
  ExplainedHop,
  ExplanationAnswer,
  HeldPermission,
} from '../../../contract/answers/questions/access';
import { sourceOfKey } from '../frame/address';

/** A node on a way. */
export interface Stop {
  readonly id: string;
  readonly label: string;
  readonly name: string;
  /** The provider that a page says: its own, unless what is reached is of that one too. */
  readonly provider?: string | null;
}

/** A step of a way. A grant or an assignment is part of the step that it makes, and no stop. */
export interface Step {
  readonly from: Stop;
  readonly to: Stop;
  /** What the first stop is to the second, in words. */
  readonly words: string;
  /** Since when the complete step exists, and what brought its newest part. */
  readonly since: string | null;
  readonly source: string | null;
  readonly push: string | null;
  /** The same for all steps between these two stops. A page names a step by it. */
  readonly cut: string;
}

/** One way from a principal to a resource. */
export interface Way {
  /** Its number, from 1, in the order of the interface. */
  readonly number: number;
  readonly permission: HeldPermission;
  readonly start: Stop;
  readonly steps: readonly Step[];
  /** Since when all of its steps exist. */
  readonly since: string | null;
  /** The push that brought the newest of them. */
  readonly push: string | null;
}

const WORDS: Readonly<Record<string, string>> = {
  MEMBER_OF: 'is a member of',
  KNOWN_AS: 'is known as',
  IDENTITY_OF: 'is the identity of',
  SOURCE_IDENTITY_OF: 'is the source identity of',
  HAS_ACCOUNT: 'has the account',
  HAS_CREDENTIAL: 'has the credential',
  ASSIGNED_TO: 'is assigned to',
  ASSUMES_ROLE: 'assumes the role',
  ACTS_AS: 'acts as',
  INCLUDES: 'includes',
  ALLOWS: 'allows',
  ON: 'holds on',
  CONTAINS: 'contains',
  CONNECTS_TO: 'connects to',
  RESOLVES_TO: 'is',
};

const isEntitlement = ({ label }: ExplainedHop): boolean =>
  label === 'Grant' || label === 'RoleAssignment';

/** A short name for the steps between two stops of the map. The address of a page has it. */
export const cutOf = (from: string, to: string): string =>
  createHash('sha256')
    .update(JSON.stringify([from, to]))
    .digest('base64url')
    .slice(0, 12);

const stopOf = ({ id, label, name }: ExplainedHop): Stop => ({ id, label, name });

/** The later of two; what has no time counts as the earliest. */
const newest = (parts: readonly ExplainedHop[]): ExplainedHop | undefined =>
  parts.reduce<ExplainedHop | undefined>(
    (last, each) => (last === undefined || isLater(each.since, last.since) ? each : last),
    undefined,
  );

const comparable = (time: string): string => time.replace('Z', '');

/** Whether an instant is later than another one. */
export const isLater = (one: string | null, other: string | null): boolean =>
  one !== null && (other === null || comparable(one) > comparable(other));

const wordsOf = (parts: readonly ExplainedHop[], to: ExplainedHop): string => {
  const [first] = parts;
  if (first !== undefined && isEntitlement(first)) {
    return to.label === 'LocalRole' ? 'is assigned the role' : 'is granted';
  }
  return WORDS[to.relationship ?? ''] ?? (to.relationship ?? '').toLowerCase().replaceAll('_', ' ');
};

const stepOf = (from: Stop, parts: readonly ExplainedHop[], to: ExplainedHop): Step => {
  const last = newest(parts);
  return {
    from,
    to: stopOf(to),
    words: wordsOf(parts, to),
    since: last?.since ?? null,
    source: last?.data_source ?? null,
    push: last?.push ?? null,
    cut: cutOf(from.id, to.id),
  };
};

/** The steps along some hops. Each begins at the stop before, whatever lies between. */
const stepsOf = (start: Stop, hops: readonly ExplainedHop[]): readonly Step[] => {
  const steps: Step[] = [];
  let from = start;
  let parts: ExplainedHop[] = [];
  for (const hop of hops) {
    parts.push(hop);
    if (isEntitlement(hop)) continue;
    steps.push(stepOf(from, parts, hop));
    from = stopOf(hop);
    parts = [];
  }
  return steps;
};

/** The ways of an explanation, as its page shows them. */
export const waysOf = ({ paths }: ExplanationAnswer): readonly Way[] =>
  paths.flatMap(({ permission, hops: [first, ...hops], scope }, at): Way[] => {
    if (first === undefined) return [];
    const start = stopOf(first);
    const steps = stepsOf(start, [...hops, ...scope]);
    const last = steps.reduce<Step | undefined>(
      (found, each) => (found === undefined || isLater(each.since, found.since) ? each : found),
      undefined,
    );
    const { since = null, push = null } = last ?? {};
    return [{ number: at + 1, permission, start, steps, since, push }];
  });

/** The data sources of the stops of some ways. */
export const sourcesOfStops = (ways: readonly Way[]): readonly string[] => [
  ...new Set(
    ways
      .flatMap(({ start, steps }) => [start, ...steps.map(({ to }) => to)])
      .map(({ id }) => sourceOfKey(id)),
  ),
];

/**
 * Ways whose stops say their provider, by the names of providers of data sources. So nobody's group
 * passes for that of what is reached, whatever others call theirs.
 */
export const withProviders = (
  ways: readonly Way[],
  providerOf: (source: string) => string | undefined,
): readonly Way[] =>
  ways.map((way) => {
    const ofReached = sourceOfKey((way.steps.at(-1)?.to ?? way.start).id);
    const stop = (each: Stop): Stop => {
      const source = sourceOfKey(each.id);
      const provider = providerOf(source);
      return source === ofReached || provider === undefined || provider === providerOf(ofReached)
        ? each
        : { ...each, provider };
    };
    return {
      ...way,
      start: stop(way.start),
      steps: way.steps.map((step) => ({ ...step, from: stop(step.from), to: stop(step.to) })),
    };
  });

/** Whether a way has none of the steps that are cut. */
export const remains = ({ steps }: Way, cut: ReadonlySet<string>): boolean =>
  !steps.some((step) => cut.has(step.cut));
