import type { AccessList } from '../../../contract/answers/questions/access';
import type { AccessChangeList } from '../../../contract/answers/questions/access-changes';
import { PRIVILEGED } from '../../../model/access-narrowing';
import { markInWords } from './marks';
import { typeInWords } from './permission-types';

const LONGEST = 60;

/** A text as a part of the name of a file: small letters, digits and hyphens. */
const slug = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/\p{M}+/gu, '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, LONGEST)
    .replaceAll(/^-|-$/g, '');

/** The name of a file: these parts, the day and the ending. */
export const named = (parts: readonly string[], date: string, ending = 'csv'): string =>
  `${[...parts.map(slug).filter((part) => part !== ''), date].join('-')}.${ending}`;

/** What somebody can, as a list was narrowed. */
const verbOf = ({
  permission = [],
  permission_type = [],
  every_type,
}: AccessList['filter']): string => {
  const types = permission_type.map((type) =>
    type === PRIVILEGED ? 'administer' : typeInWords(type),
  );
  const words = [...types, ...permission];
  return words.length === 0 ? 'reach' : words.join(every_type === true ? ' and ' : ' or ');
};

/** The name of a file that people hand over: what it answers, and of which day. */
export const accessFileName = (answer: AccessList, date: string): string => {
  const { filter } = answer;
  const mark = (filter.mark ?? []).map(markInWords).join(' ');
  const verb = verbOf(filter);
  return 'resource' in answer
    ? named([answer.resource.name, 'who can', verb, mark], date)
    : named([answer.principal.name, 'can', verb, (filter.application ?? []).join(' '), mark], date);
};

/** What a list of access answers, as a sentence. */
export const accessInWords = (answer: AccessList): string =>
  'resource' in answer
    ? `Who can ${verbOf(answer.filter)} ${answer.resource.path ?? answer.resource.name}`
    : `What ${answer.principal.name} can ${verbOf(answer.filter)}`;

/** The name of a file of changes of access: it names the days. */
export const changesFileName = ({ from, to }: Pick<AccessChangeList, 'from' | 'to'>): string =>
  named(['changes', from.slice(0, 10), 'to'], to.slice(0, 10));

/** The name of a file of the ways from somebody to something: a table, or a picture. */
export const whyFileName = (
  who: string,
  what: string,
  date: string,
  ending: 'csv' | 'svg',
): string => named([who, 'why', what], date, ending);

/** The name of a file of the members of a group or a role. */
export const membersFileName = (group: string, directly: boolean, date: string): string =>
  named([group, directly ? 'direct members' : 'members'], date);

/** The name of a file of who would lose what if nobody were in a group, on a resource or anywhere. */
export const lossesFileName = (group: string, resource: string | null, date: string): string =>
  named(resource === null ? [group, 'if nobody were in it'] : [resource, 'without', group], date);

/** The day that the name of a file has: that of an instant, or today. */
export const dayOf = (at: string): string => (at || new Date().toISOString()).slice(0, 10);

/** The same table for programs, with keys. */
export const fileNameWithIds = (name: string): string => name.replace(/\.csv$/, '-with-ids.csv');

/** The file that says what another one answers. */
export const aboutFileName = (name: string): string => name.replace(/\.csv$/, '-about.csv');
