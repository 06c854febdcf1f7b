import { counted } from '../../../codec/quote';
import { visible } from '../../../visible-text';
import type { Review } from '../records';
import type { Numbers } from '../rules/decide';
import type { RemediationNumbers } from '../seal';
import type { Head } from './heads';

/** How many reviews a list of a mail has. */
const MOST_LISTED = 20;
const LONGEST_NAME = 100;

/** A review of which a person has pending items. */
export interface Reviewing {
  readonly review: Review;
  readonly head: Head;
  readonly pending: number;
  readonly isPast: boolean;
}

/** A review that a person owns, and that is not finished. */
export interface Owning {
  readonly review: Review;
  readonly head: Head;
  readonly numbers: Numbers;
  readonly remediation: RemediationNumbers;
  readonly isPast: boolean;
}

/** What waits for a person. */
export interface Digest {
  readonly reviewing: readonly Reviewing[];
  readonly owning: readonly Owning[];
}

/** What a mail says. */
export interface Letter {
  readonly subject: string;
  readonly text: string;
}

/** A name on one line, in quotes, without what a mail server or a reader would obey. */
const named = ({ name }: Review): string => {
  const letters = [...name];
  const short =
    letters.length > LONGEST_NAME ? `${letters.slice(0, LONGEST_NAME).join('')}…` : name;
  return visible(JSON.stringify(short));
};

const whenDue = ({ due }: Review, isPast: boolean): string =>
  isPast ? `overdue since ${due}` : `until ${due}`;

/** A review, with lines below its name that are short enough for every mail server. */
const bullet = (review: Review, lines: readonly string[]): string =>
  [`- ${named(review)}`, ...lines.map((line) => `  ${line}`)].join('\n');

const reviewingLine = ({ review, pending, isPast }: Reviewing): string =>
  bullet(review, [`${counted(pending, 'item')}, ${whenDue(review, isPast)}`]);

const owningLine = ({ review, numbers, remediation, isPast }: Owning): string => {
  const { open, came_back } = remediation;
  const pending = `${numbers.pending} of ${counted(numbers.items, 'item')} pending`;
  return bullet(review, [
    review.state === 'open' ? `${pending}, ${whenDue(review, isPast)}` : 'closed',
    `${counted(open, 'revoke')} not confirmed yet`,
    ...(came_back > 0 ? [`${counted(came_back, 'revoked fact')} came back`] : []),
  ]);
};

const listed = <A>(title: string, all: readonly A[], line: (each: A) => string): string[] => {
  if (all.length === 0) return [];
  const more = all.length - MOST_LISTED;
  return [
    title,
    ...all.slice(0, MOST_LISTED).map(line),
    ...(more > 0 ? [`- and ${counted(more, 'other review')}`] : []),
    '',
  ];
};

/** The heads of the reviews that a mail lists, each once. */
export const headsOf = ({ reviewing, owning }: Digest): readonly Head[] => {
  const shown = [...reviewing.slice(0, MOST_LISTED), ...owning.slice(0, MOST_LISTED)];
  return [...new Map(shown.map(({ head }) => [head.review, head])).values()];
};

const subjectOf = ({ reviewing, owning }: Digest): string => {
  const pending = reviewing.reduce((sum, each) => sum + each.pending, 0);
  return pending > 0
    ? `Access reviews: ${counted(pending, 'pending item')}`
    : `Access reviews: you own ${counted(owning.length, 'unfinished review')}`;
};

/** The mail of a person. It names reviews, and neither people nor items. `signed`: its heads. */
export const letterOf = (digest: Digest, address: string, signed: string): Letter => ({
  subject: subjectOf(digest),
  text: [
    'Grantgraph sends you at most one such mail a day.',
    '',
    ...listed('You review:', digest.reviewing, reviewingLine),
    ...listed('You own:', digest.owning, owningLine),
    `My reviews: ${address}`,
    '',
    'Please archive this mail. With what follows an auditor can find out',
    'whether somebody changed the decisions later.',
    '',
    signed,
    '',
  ].join('\n'),
});
