import type { AppAssignment, IdentityProviderPayload } from '../contract/identity-provider';
import { mergeProblems } from '../contract/payload-order';
import type { Step } from '../contract/pointer';
import { ProblemCollector } from '../contract/problem-collector';
import { federatedId } from '../model/entity-id';
import { nfc } from '../model/fold';
import type { Checked } from './checked';
import {
  checkCustomProperties,
  checkDeclarations,
  checkDynamicProperties,
  type DeclaredTypes,
} from './custom-properties';
import type { Definitions } from './definitions';
import { checkOperation, Distinct } from './distinct';

/** What an identity provider payload declares. */
export const declaredByIdentityProvider = ({
  custom_property_definition: definition,
}: Pick<IdentityProviderPayload, 'custom_property_definition'>): readonly DeclaredTypes[] =>
  (['domain', 'user', 'group', 'app', 'app_assignment'] as const).map((kind) => ({
    owner: { kind },
    steps: ['custom_property_definition', `${kind}_properties`],
    types: definition?.[`${kind}_properties`],
  }));

/** A principal's app assignments: ids told apart, and their properties (docs/design.md 3.4). */
export const checkAssignments = (
  assignments: readonly AppAssignment[],
  holder: readonly Step[],
  definitions: Definitions,
  problems: ProblemCollector,
): void => {
  const distinct = new Distinct('app assignment', problems);
  assignments.forEach((assignment, index) => {
    const steps = [...holder, 'app_assignments', index];
    distinct.add(nfc(assignment.id), steps);
    checkCustomProperties(
      assignment.custom_properties,
      { kind: 'app_assignment' },
      definitions,
      steps,
      problems,
    );
  });
};

/** The rules of an identity provider payload that need more than a field, but no references (graph.md 8). */
export const checkIdentityProvider = (
  payload: IdentityProviderPayload,
  remembered: Definitions,
): Checked => {
  const problems = new ProblemCollector();
  const definitions = checkDeclarations(declaredByIdentityProvider(payload), remembered, problems);

  const domains = payload.domains ?? [];
  if (domains.length !== 1) {
    problems.add(
      ['domains'],
      'DOMAIN_COUNT',
      () => `expected exactly one domain, got ${domains.length}`,
    );
  }
  const distinctDomains = new Distinct('domain', problems);
  domains.forEach((domain, index) => {
    const steps = ['domains', index];
    distinctDomains.add(nfc(domain.name), steps);
    checkOperation(domain, steps, problems);
    checkDynamicProperties(domain.dynamic_properties, steps, problems);
    checkCustomProperties(
      domain.custom_properties,
      { kind: 'domain' },
      definitions,
      steps,
      problems,
    );
  });

  for (const kind of ['user', 'group'] as const) {
    const list = `${kind}s` as const;
    const distinct = new Distinct(kind, problems);
    (payload[list] ?? []).forEach((principal, index) => {
      const steps = [list, index];
      distinct.add(federatedId(principal), steps);
      checkOperation(principal, steps, problems);
      checkDynamicProperties(principal.dynamic_properties, steps, problems);
      checkCustomProperties(principal.custom_properties, { kind }, definitions, steps, problems);
      checkAssignments(principal.app_assignments ?? [], steps, definitions, problems);
    });
  }

  const distinctApps = new Distinct('app', problems);
  (payload.apps ?? []).forEach((app, index) => {
    const steps = ['apps', index];
    distinctApps.add(nfc(app.id), steps);
    checkOperation(app, steps, problems);
    checkCustomProperties(app.custom_properties, { kind: 'app' }, definitions, steps, problems);
  });

  return { problems: mergeProblems(payload, [problems.list()]), definitions };
};
