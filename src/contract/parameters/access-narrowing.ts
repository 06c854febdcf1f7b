import { list } from '../../codec/collections';
import { may } from '../../codec/exact';
import { anyText } from '../../codec/text';
import { MARKS, PRIVILEGED } from '../../model/access-narrowing';
import { PermissionType } from '../../templates/application/permissions';
import { yes } from '../answers/values';
import { choices, flagText, oneText, texts } from './query-parameters';

/** Canonical types of permissions, and _privileged_, which means several. */
export const canonicalTypes = choices('permission types', [...PermissionType.values, PRIVILEGED]);

/** What narrows a list of access: the parameter, and how the answer repeats it. */
const NARROWING = {
  permission: {
    asked: texts,
    repeated: may(list(anyText), 'Native names of permissions, any of them.'),
  },
  permission_type: {
    asked: canonicalTypes,
    repeated: may(list(anyText), 'Canonical types as the question names them, any of them.'),
  },
  every_type: {
    asked: flagText,
    repeated: may(yes, 'Rows have a permission of each type; `privileged` counts as one type.'),
  },
  application: {
    asked: texts,
    repeated: may(list(anyText), 'Names of applications, any of them.'),
  },
  label: {
    asked: oneText,
    repeated: may(anyText, 'The label that rows have.'),
  },
  person: {
    asked: flagText,
    repeated: may(yes, 'One row for each human, or the answer is for a human.'),
  },
  entities: {
    asked: flagText,
    repeated: may(yes, 'One row for each entity.'),
  },
  contents: {
    asked: flagText,
    repeated: may(yes, 'What the resource contains counts too.'),
  },
  mark: {
    asked: choices('marks', MARKS),
    repeated: may(list(anyText), 'The marks that rows have, all of them.'),
  },
} as const;

const partsOf = <Part extends 'asked' | 'repeated'>(part: Part) =>
  Object.fromEntries(Object.entries(NARROWING).map(([name, each]) => [name, each[part]])) as {
    readonly [Name in keyof typeof NARROWING]: (typeof NARROWING)[Name][Part];
  };

/** The parameters that narrow a list of access. */
export const narrowingParameters = partsOf('asked');

/** What answers repeat of them. */
export const repeatedNarrowing = partsOf('repeated');
