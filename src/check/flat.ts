import type { Step } from '../codec/pointer';
import { ProblemCollector } from '../codec/problem-collector';
import { mergeProblems } from '../codec/payload-order';
import { idOf } from '../model/key';
import { nfc } from '../model/fold';
import { entitiesOf, type FlatPayload } from '../templates/flat-payload';
import type { FlatTemplate } from '../templates/flat-template';
import { type AppAssignment, ASSIGNMENT } from '../templates/identity-provider/federated';
import type { Checked } from './checked';
import {
  checkCustomProperties,
  checkDeclarations,
  checkDynamicProperties,
  type DeclaredTypes,
} from './custom-properties';
import type { Definitions } from './definitions';
import { checkOperation, Distinct } from './distinct';

/** The custom properties that a flat template's payload declares. */
export const declaredByFlat = (
  { owners }: FlatTemplate,
  payload: object,
): readonly DeclaredTypes[] => {
  const { custom_property_definition: definition } = payload as FlatPayload;
  return owners.map((kind) => ({
    owner: { kind },
    steps: ['custom_property_definition', `${kind}_properties`],
    types: definition?.[`${kind}_properties`] as DeclaredTypes['types'],
  }));
};

/**
 * Checks the app assignments of a principal: their ids are distinct, their custom properties
 * declared (docs/rules.md: Identity provider payloads).
 */
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
      { kind: ASSIGNMENT },
      definitions,
      steps,
      problems,
    );
  });
};

const checkRoot = (
  { root, rootCount }: FlatTemplate,
  payload: object,
  problems: ProblemCollector,
): void => {
  const count = entitiesOf(payload, root).length;
  if (count === 1) return;
  problems.add([root.list], rootCount, () => `expected exactly one ${root.word}, got ${count}`);
};

/**
 * Checks the rules of a flat template's payload that concern more than one field and need no
 * look-up of references (docs/rules.md: Problems).
 */
export const checkFlat = (
  template: FlatTemplate,
  payload: object,
  remembered: Definitions,
): Checked => {
  const problems = new ProblemCollector();
  const definitions = checkDeclarations(declaredByFlat(template, payload), remembered, problems);
  checkRoot(template, payload, problems);
  for (const kind of template.kinds) {
    const distinct = new Distinct(kind.word, problems);
    for (const [entity, steps] of entitiesOf(payload, kind)) {
      distinct.add(idOf(kind.node, entity), steps);
      checkOperation(entity, steps, problems);
      checkDynamicProperties(entity.dynamic_properties as never, steps, problems);
      checkCustomProperties(
        entity.custom_properties as never,
        { kind: kind.definition ?? '' },
        definitions,
        steps,
        problems,
      );
      const assignments = entity.app_assignments as readonly AppAssignment[] | null | undefined;
      if (assignments) checkAssignments(assignments, steps, definitions, problems);
    }
  }
  return { problems: mergeProblems(payload, [problems.list()]), definitions };
};
