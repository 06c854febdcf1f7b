import type * as t from 'io-ts';

import { exact, has } from '../../../codec/exact';
import { anyText } from '../../../codec/text';
import { teamKeyRecord } from '../../records/team-key';
import { countedPageOf, valueOf } from '../page';

/** A new team key with its access key. The service never shows the access key again. */
export const CreatedTeamKey = exact('created team key', {
  ...teamKeyRecord.answer.fields,
  access_key: has(anyText, 'The key itself, which is shown only here.'),
});
export type CreatedTeamKey = t.TypeOf<typeof CreatedTeamKey>;

export const TeamKeyPage = countedPageOf('page of team keys', teamKeyRecord.answer);
export const TeamKeyValue = valueOf('one team key', teamKeyRecord.answer);
export const CreatedTeamKeyValue = valueOf('one created team key', CreatedTeamKey);
