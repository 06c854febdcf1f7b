import { nodeKinds } from '../../../templates/graph/nodes';

/** The labels of principals. */
export const PEOPLE: readonly string[] = nodeKinds
  .filter(({ also }) => also.includes('Principal'))
  .map(({ label }) => label);

/** The labels of what can be reached. */
export const PLACES: readonly string[] = ['Application', 'Resource'];

/** What a kind is called. */
interface Kind {
  readonly label: string;
  readonly one: string;
  readonly many: string;
}

const kind = (label: string, one: string, many = `${one}s`): Kind => ({ label, one, many });

/** What each kind of node is called, in the order of results: people first, what has no page last. */
export const KINDS: readonly Kind[] = [
  kind('Employee', 'Employee'),
  kind('IdpUser', 'Directory user'),
  kind('LocalUser', 'Account'),
  kind('IdpGroup', 'Directory group'),
  kind('LocalGroup', 'Group'),
  kind('LocalRole', 'Role'),
  kind('Application', 'Application'),
  kind('Resource', 'Resource'),
  kind('LocalAgent', 'AI agent'),
  kind('AccessCredential', 'Credential'),
  kind('Identity', 'Identity', 'Identities'),
  kind('IdpApp', 'Directory app'),
  kind('CloudRole', 'Cloud role'),
  kind('LocalModel', 'AI model'),
  kind('IdpDomain', 'Domain'),
  kind('HrisGroup', 'HR group'),
  kind('HrisSystem', 'HR system'),
  kind('Permission', 'Permission'),
  kind('Grant', 'Grant'),
  kind('RoleAssignment', 'Role assignment'),
  kind('ExternalEntity', 'External entity', 'External entities'),
  kind('Tag', 'Tag'),
];

const byLabel: ReadonlyMap<string, Kind> = new Map(KINDS.map((each) => [each.label, each]));

/** What a label means to people. */
export const kindOf = (label: string): string => byLabel.get(label)?.one ?? label;

/** What several of a label are called. */
export const kindsOf = (label: string): string => byLabel.get(label)?.many ?? label;

/** What a label means to people, within a sentence: without a capital. */
export const kindInSentence = (label: string): string =>
  kindOf(label).replace(/^[A-Z](?=[a-z])/, (letter) => letter.toLowerCase());

const ORDER: ReadonlyMap<string, number> = new Map(KINDS.map(({ label }, at) => [label, at]));

interface Labelled {
  readonly label: string;
}

/** Compares by kind: people first, what has no page last. */
export const byKind = (one: Labelled, other: Labelled): number =>
  (ORDER.get(one.label) ?? KINDS.length) - (ORDER.get(other.label) ?? KINDS.length);

/** Whether others are in nodes of a label, or have them as a role. */
export const hasMembers = (label: string): boolean => /(?:Group|Role)$/.test(label);
