import { Permission } from '../../templates/application/permissions';
import { GAIN } from '../../graph/statements/access-rules';
import type { Step } from './instant-statements';

/*
 * Walks of a question about changes of access (docs/rules.md: Changes of access). Each runs at both
 * instants of the period.
 */

const GAINED = GAIN.split('|');
/** What leads from a grant or an assignment to its permissions. */
const GIVING = ['OF', 'INCLUDES', 'ALLOWS'];

/**
 * The walk to the principals that lead to a node (`who`, `connected`), and to the resources behind it
 * (`targets`).
 */
export const REACH: readonly Step[] = [
  { from: 'inside', types: ['CONTAINS'], towards: 'start', into: 'around', repeats: true },
  { from: 'around', types: ['ON'], towards: 'start', into: 'near' },
  { from: 'near', types: [...GAINED, 'ALLOWS'], towards: 'start', into: 'who', repeats: true },
  { from: 'who', types: ['RESOLVES_TO'], towards: 'start', into: 'resolved' },
  { from: 'resolved', types: ['CONNECTS_TO'], towards: 'start', into: 'connected' },
  { from: 'external', types: ['RESOLVES_TO'], towards: 'end', into: 'given' },
  { from: 'given', types: GAINED, towards: 'end', into: 'held', repeats: true },
  { from: 'carried', types: GIVING, towards: 'start', into: 'carrying', repeats: true },
  ...['held', 'carrying'].map((from): Step => {
    return { from, types: ['ON'], towards: 'end', into: 'scopes' };
  }),
  { from: 'scopes', types: ['CONTAINS'], towards: 'end', into: 'targets', repeats: true },
];

/**
 * The walk from what changed to the principals whose access it can change (`who`, `connected`), and
 * to the resources (`targets`). It finds everything that contains these resources (`places`).
 */
export const AFFECTED: readonly Step[] = [
  ...REACH,
  { from: 'targets', types: ['CONTAINS'], towards: 'start', into: 'places', repeats: true },
];

/** Into which sets of that walk the ends of a relationship go that began or ended. */
export const affectedBy = (
  type: string,
): { readonly start: readonly string[]; readonly end: readonly string[] } => {
  switch (type) {
    case 'CONTAINS':
      return { start: ['inside'], end: ['scopes'] };
    case 'ON':
      return { start: ['near'], end: ['scopes'] };
    case 'CONNECTS_TO':
      return { start: ['connected'], end: ['external'] };
    case 'RESOLVES_TO':
      return { start: ['resolved'], end: ['given'] };
    default:
      return { start: GIVING.includes(type) ? ['near', 'carried'] : ['near'], end: ['given'] };
  }
};

/** The sets into which a node goes whose own properties decide about access. */
export const affectedByNode = (label: string): readonly string[] =>
  label === Permission.label ? ['near', 'carried'] : ['inside', 'scopes'];

/**
 * The walk from principals (`principal`) to what they hold on `places`, with everything that
 * decides what the permissions hold on. `holding` gets the grants and assignments that count.
 */
export const CHANGING: readonly Step[] = [
  { from: 'principal', types: ['CONNECTS_TO'], towards: 'end', into: 'connected' },
  { from: 'connected', types: ['RESOLVES_TO'], towards: 'end', into: 'acting' },
  ...['principal', 'acting'].map((from): Step => {
    return { from, types: GAINED, towards: 'end', into: 'gained', repeats: true };
  }),
  { from: 'gained', types: ['ON'], towards: 'end', into: 'holding', within: 'places' },
  { from: 'holding', types: ['OF'], towards: 'end', into: 'given' },
  {
    ...{ from: 'given', types: ['INCLUDES', 'ALLOWS'], towards: 'end' },
    ...{ into: 'permitted', repeats: true },
  },
  { from: 'places', types: ['CONTAINS'], towards: 'start', into: 'below', within: 'places' },
];
