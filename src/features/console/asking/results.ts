import type { Entity } from '../../../contract/answers/questions/entities';

const TITLES: readonly (readonly [label: string, title: string])[] = [
  ['Employee', 'Employees'],
  ['IdpUser', 'Directory users'],
  ['LocalUser', 'Accounts'],
  ['IdpGroup', 'Directory groups'],
  ['LocalGroup', 'Groups'],
  ['LocalRole', 'Roles'],
  ['Application', 'Applications'],
  ['Resource', 'Resources'],
  ['LocalAgent', 'AI agents'],
  ['AccessCredential', 'Credentials'],
  ['Identity', 'Identities'],
];

/** Results of one kind. */
export interface ResultsOfKind {
  readonly title: string;
  readonly label: string;
  readonly entities: readonly Entity[];
}

/** Results by kind: people first, what has no page last. */
export const resultsOf = (found: readonly Entity[]): readonly ResultsOfKind[] => {
  const known = TITLES.map(([label, title]) => ({
    ...{ title, label },
    entities: found.filter((entity) => entity.label === label),
  }));
  const labels = new Set(TITLES.map(([label]) => label));
  const others = [...new Set(found.map(({ label }) => label))].filter(
    (label) => !labels.has(label),
  );
  return [
    ...known,
    ...others.map((label) => ({
      ...{ title: label, label },
      entities: found.filter((entity) => entity.label === label),
    })),
  ].filter(({ entities }) => entities.length > 0);
};
