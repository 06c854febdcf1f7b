import { localKinds } from '../templates/application/local-kinds';
import {
  type ApplicationEntity,
  type ApplicationPayload,
  declaredOwners,
} from '../templates/application/payload';
import { mergeProblems } from '../codec/payload-order';
import type { Step } from '../codec/pointer';
import { ProblemCollector } from '../codec/problem-collector';
import { idOf } from '../model/key';
import { fold, nfc } from '../model/fold';
import type { Checked } from './checked';
import { checkCustomProperties, checkDeclarations, type DeclaredTypes } from './custom-properties';
import type { Definitions } from './definitions';
import { checkOperation, Distinct } from './distinct';
import { checkResources } from './resources';

type Types = Map<string, string | null>;

const enter = (types: Types, name: string, type: string): void => {
  types.set(name, types.has(name) ? null : type);
};

/**
 * Makes a function that finds the application type of the application that a reference names. It
 * tries an exact match first, then one without regard to case (docs/rules.md: References). It
 * returns `null` if nothing or several things match; the step that makes the rows reports those.
 */
const applicationTypes = (
  applications: readonly ApplicationEntity[],
): ((reference: string) => string | null) => {
  const exact: Types = new Map();
  const folded: Types = new Map();
  for (const { name, application_type } of applications) {
    enter(exact, nfc(name), application_type);
    enter(folded, fold(name), application_type);
  }
  return (reference) => {
    const name = nfc(reference);
    return (exact.has(name) ? exact.get(name) : folded.get(fold(reference))) ?? null;
  };
};

/** The custom properties that an application payload declares. */
export const declaredByApplication = ({
  custom_property_definition: definition,
}: Pick<ApplicationPayload, 'custom_property_definition'>): readonly DeclaredTypes[] =>
  (definition?.applications ?? []).flatMap((declaration, index): DeclaredTypes[] => {
    const { application_type, resources } = declaration;
    const steps = ['custom_property_definition', 'applications', index];
    return [
      ...declaredOwners.map((kind) => ({
        owner: { kind, application_type },
        steps: [...steps, `${kind}_properties`],
        types: declaration[`${kind}_properties`],
      })),
      ...(resources ?? []).map(({ resource_type, properties }, at) => ({
        owner: { kind: 'resource' as const, application_type, resource_type },
        steps: [...steps, 'resources', at, 'properties'],
        types: properties,
      })),
    ];
  });

const checkLocals = (
  application: ApplicationEntity,
  holder: readonly Step[],
  definitions: Definitions,
  problems: ProblemCollector,
): void => {
  const { application_type } = application;
  for (const { list, node, definition, word } of localKinds) {
    const distinct = new Distinct(word, problems);
    const entities: readonly Pick<ApplicationEntity, 'custom_properties' | 'operation'>[] =
      application[list] ?? [];
    entities.forEach((entity, index) => {
      const steps = [...holder, list, index];
      distinct.add(idOf(node, entity), steps);
      checkOperation(entity, steps, problems);
      checkCustomProperties(
        entity.custom_properties,
        { kind: definition ?? '', application_type },
        definitions,
        steps,
        problems,
      );
    });
  }
};

const checkApplications = (
  applications: readonly ApplicationEntity[],
  definitions: Definitions,
  problems: ProblemCollector,
): void => {
  if (applications.length === 0) {
    problems.add(['applications'], 'NO_APPLICATION', () => 'expected at least one application');
  }
  const distinct = new Distinct('application', problems);
  applications.forEach((application, index) => {
    const steps = ['applications', index];
    distinct.add(nfc(application.name), steps);
    checkOperation(application, steps, problems);
    checkCustomProperties(
      application.custom_properties,
      { kind: 'application', application_type: application.application_type },
      definitions,
      steps,
      problems,
    );
    checkLocals(application, steps, definitions, problems);
    checkResources(application, steps, definitions, problems);
  });
};

const checkPermissions = (payload: ApplicationPayload, problems: ProblemCollector): void => {
  const distinct = new Distinct('permission', problems);
  (payload.permissions ?? []).forEach((permission, index) => {
    const steps = ['permissions', index];
    distinct.add(nfc(permission.name), steps);
    checkOperation(permission, steps, problems);
  });
};

const checkEntries = (
  payload: ApplicationPayload,
  definitions: Definitions,
  problems: ProblemCollector,
): void => {
  const typeOf = applicationTypes(payload.applications ?? []);
  (payload.identity_to_permissions ?? []).forEach((entry, index) => {
    const steps = ['identity_to_permissions', index];
    checkOperation(entry, steps, problems);
    (entry.application_permissions ?? []).forEach((element, at) => {
      checkOperation(element, [...steps, 'application_permissions', at], problems);
    });
    (entry.role_assignments ?? []).forEach((element, at) => {
      const place = [...steps, 'role_assignments', at];
      checkOperation(element, place, problems);
      const type = element.custom_properties ? typeOf(element.application) : null;
      if (type === null) return;
      checkCustomProperties(
        element.custom_properties,
        { kind: 'role_assignment', application_type: type },
        definitions,
        place,
        problems,
      );
    });
  });
};

const hasIdentity = (payload: ApplicationPayload): boolean =>
  (payload.identity_to_permissions ?? []).some(
    ({ identity_type }) => (identity_type ?? 'idp') === 'idp',
  ) ||
  (payload.applications ?? []).some((application) =>
    localKinds.some(
      ({ list, node }) => node.also.includes('Principal') && (application[list] ?? []).length > 0,
    ),
  );

/**
 * Checks the rules of an application payload that concern more than one field and need no look-up
 * of references (docs/rules.md: Problems).
 */
export const checkApplication = (payload: ApplicationPayload, remembered: Definitions): Checked => {
  const problems = new ProblemCollector();
  const definitions = checkDeclarations(declaredByApplication(payload), remembered, problems);
  checkApplications(payload.applications ?? [], definitions, problems);
  checkPermissions(payload, problems);
  checkEntries(payload, definitions, problems);
  if (!hasIdentity(payload)) {
    problems.add(
      [],
      'NO_IDENTITY',
      () => 'expected a local user, group, role, agent or credential, or an entry of type idp',
    );
  }
  return { problems: mergeProblems(payload, [problems.list()]), definitions };
};
