import { randomUUID } from 'node:crypto';

import * as E from 'fp-ts/Either';
import * as TE from 'fp-ts/TaskEither';

import type { Provider } from '../../contract/records/provider';
import type { Policy, PolicyRequest, WantedPolicy } from './records';
import { FailedStep, toFailure } from '../../neo4j/failure';
import { NO_PROVIDER } from '../../graph/records/of-provider';
import { fold } from '../../model/fold';
import { badField, type Failure } from '../../problem';
import { textOf } from '../client/json';
import { listResources } from '../client/paging';
import { idOf } from '../client/resource-path';
import { ScimFault } from '../client/scim-fault';
import type { KeyAct } from '../../graph/records/event-record';
import type { LifecycleDependencies } from './dependencies';
import { disagreementOf } from './planning/disagreement';
import { placedSelectors, policyOf } from './policy-request';
import { openForRun } from './running/prepare';
import { resolvedSelectors } from './resolved-selectors';
import { policySetEvent } from './policy-events';

/** A policy that is set, and what may not work as it says. */
export interface SetPolicy {
  readonly value: Policy;
  readonly warnings: readonly string[];
}

const refuse = (...problem: Parameters<typeof badField>): never => {
  throw new FailedStep(badField(...problem));
};

/** Tells of filters and departments that find nobody. */
const warnOfNobody = async (
  { people }: Pick<LifecycleDependencies, 'people'>,
  policy: WantedPolicy,
): Promise<readonly string[]> => {
  const warnings: string[] = [];
  for (const [, selector] of placedSelectors(policy)) {
    const { department, filter } = selector;
    if (department === undefined && filter === undefined) continue;
    if ((await people.count(selector)) > 0) continue;
    warnings.push(
      department === undefined
        ? `The filter ${JSON.stringify(filter)} finds nobody now.`
        : `Nobody is in the department ${JSON.stringify(department)} now.`,
    );
  }
  return warnings;
};

/** How many active people a policy finds. This many may have accounts without a confirmation. */
const activeCount = async (
  { people }: Pick<LifecycleDependencies, 'people'>,
  { who }: WantedPolicy,
): Promise<number> => {
  const found = await people.find(who);
  if (!('people' in found)) return 0;
  return found.people.filter(({ properties }) => properties.is_active !== false).length;
};

/**
 * Looks whether the application has the groups. Returns a warning if the application does not
 * answer.
 */
const checkGroups = async (
  dependencies: Pick<LifecycleDependencies, 'provisioning'>,
  provider: Provider,
  { groups }: WantedPolicy,
): Promise<readonly string[]> => {
  if (groups.length === 0) return [];
  const known = new Set<string>();
  try {
    const { begin } = await openForRun(dependencies, provider, true);
    const { exchange, can } = await begin();
    const listing = { endpoint: '/Groups', without: 'members' };
    for await (const resource of listResources(exchange, can, listing)) {
      known.add(idOf(resource));
      known.add(fold(textOf(resource, 'displayName') ?? ''));
    }
  } catch (error) {
    const isConnection = error instanceof FailedStep && error.failure._tag !== 'Unavailable';
    if (!(error instanceof ScimFault) && !isConnection) throw error;
    const why = error instanceof ScimFault ? error.message : error.failure.message;
    return [`The groups could not be looked for in the application: ${why}`];
  }
  for (const [index, { name, who }] of groups.entries()) {
    if (known.has(name) || known.has(fold(name))) continue;
    const message = `the application has no group ${JSON.stringify(name)}`;
    const pointer = `/groups/${index}${who === null ? '' : '/name'}`;
    refuse(pointer, 'UNKNOWN_REFERENCE', message);
  }
  return [];
};

const judge =
  (policy: Omit<Policy, 'since' | 'changed'>) =>
  (others: readonly Policy[]): void => {
    if (others.some(({ name }) => fold(name) === fold(policy.name))) {
      refuse('/name', 'NAME_TAKEN', 'is the name of another policy of the provider');
    }
    for (const other of others) {
      const found = disagreementOf(policy, other);
      if (found !== null) refuse(found.pointer, 'POLICIES_DISAGREE', found.message);
    }
  };

/** Sets a policy: a new one, or the one of an id (docs/provisioning.md: Policies). */
export const setPolicy =
  (dependencies: LifecycleDependencies) =>
  (
    provider: Provider,
    id: string | null,
    request: PolicyRequest,
    act: KeyAct,
  ): TE.TaskEither<Failure, SetPolicy> =>
    TE.tryCatch(async () => {
      const { policies, provisioning } = dependencies;
      const wanted = policyOf(request);
      if (E.isLeft(wanted)) throw new FailedStep(wanted.left);
      const { policy: resolved, warnings: chosen } = await resolvedSelectors(
        dependencies,
        wanted.right,
      );
      const warnings = [
        ...chosen,
        ...(await warnOfNobody(dependencies, resolved)),
        ...(await checkGroups(dependencies, provider, resolved)),
      ];
      const found = await activeCount(dependencies, resolved);
      const policy = { ...resolved, found, id: id ?? randomUUID() };
      const at = new Date(provisioning.clock.now()).toISOString();
      const event = policySetEvent(provider, { at, ...act }, policy);
      const value = await policies.set(provider.id, policy, judge(policy), event);
      if (value === null) throw new FailedStep(NO_PROVIDER);
      return { value, warnings };
    }, toFailure);
