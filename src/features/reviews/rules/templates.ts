import type { Mark } from './words';

/** The names of the usual kinds of reviews. */
export const TEMPLATE_NAMES = [
  'privileged_access',
  'leavers',
  'guests_and_third_parties',
  'accounts_of_nobody',
  'not_people',
] as const;
type TemplateName = (typeof TEMPLATE_NAMES)[number];

/** A usual kind of review: what it is about, and a sentence for people. */
interface ReviewTemplate {
  /** Only items with one of these marks. */
  readonly marks: readonly Mark[];
  readonly about: string;
}

/** The usual kinds of reviews. Marks follow the rules of effective access (docs/rules.md: Access reviews). */
export const TEMPLATES: Readonly<Record<TemplateName, ReviewTemplate>> = {
  privileged_access: {
    marks: ['privileged'],
    about: 'Who can change settings, or holds what is tagged as privileged.',
  },
  leavers: { marks: ['inactive'], about: 'Who is inactive, and has access nevertheless.' },
  guests_and_third_parties: { marks: ['guest'], about: 'What guests of a directory can do.' },
  accounts_of_nobody: {
    marks: ['nobodys'],
    about: 'Accounts and identities that belong to no employee and no user of a directory.',
  },
  not_people: {
    marks: ['not_a_person'],
    about: 'What service accounts, agents, credentials and other things can do.',
  },
};
