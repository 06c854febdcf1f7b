import type * as t from 'io-ts';

import { exact, has, may } from './codec/exact';
import { anyText, enumeration } from './codec/text';

/** The codes of warnings about an accepted push, each with its meaning (docs/connectors.md: Warnings). */
export const WARNING_CODES = {
  UNKNOWN_IDENTITY:
    'No identity provider has the logins, emails or names that the entity mentions.',
  UNKNOWN_IAM_ROLE: 'No local role has the ARNs that the entity mentions.',
  EMPTY_ROLE: 'The role has neither permissions nor nested roles.',
  NOTHING_TO_REMOVE: 'The entry deletes or removes something that does not exist.',
  UNKNOWN_CONTEXT: 'The entry has no operation, and what it names does not exist.',
  ERASED_PERSON: 'The entity has the name, email or id of a person who was erased.',
  DOUBTFUL_ACCOUNT:
    'The id of the employee is that of a user in a directory, but no name is the same: they are not joined.',
  UNTRUSTED_CLAIM:
    'An administrator decides who may claim the address or login, and the provider may not: it joins nobody.',
  LOOK_ALIKE:
    'A name of the user, group or employee looks like that of another one in the data source, and is another.',
  INEXACT_NUMBER: 'The number is an integer beyond 2^53, so it may have lost digits.',
  MISSING_OPERATION: 'The entry has fields but no operation, so its fields are ignored.',
} as const;

export type WarningCode = keyof typeof WARNING_CODES;

/** What a warning is about. */
export const Subject = exact('subject', {
  kind: has(anyText, 'The kind of entity, in words: `local user`.'),
  name: has(anyText, 'Its name.'),
  application: may(anyText, 'The application that it is in, if it is in one.'),
});
export type Subject = t.TypeOf<typeof Subject>;

const message = has(anyText, 'What to look at, in a sentence.');
const warningCode = enumeration(
  'warning code',
  Object.keys(WARNING_CODES) as [WarningCode, ...WarningCode[]],
);
const CODE = 'Which warning it is.';
const POINTER = 'A JSON pointer (RFC 6901) in the spelling of the sender.';
const SUBJECT = 'What it is about.';

/** Something about an accepted push that its sender should look at. */
export const Warning = exact('warning', {
  message,
  code: has(warningCode, CODE),
  pointer: has(anyText, POINTER),
  subject: has(Subject, SUBJECT),
});
export type Warning = t.TypeOf<typeof Warning>;

/** Makes a subject. An empty `application` means that none holds it. */
export const subjectOf = (kind: string, name: string, application = ''): Subject =>
  application === '' ? { kind, name } : { kind, name, application };

/** The subject as sentences name it, such as `local user "ann" of application "crm"`. */
export const titleOf = ({ kind, name, application }: Subject): string =>
  application === undefined
    ? `${kind} ${JSON.stringify(name)}`
    : `${kind} ${JSON.stringify(name)} of application ${JSON.stringify(application)}`;
