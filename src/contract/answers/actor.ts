import type * as t from 'io-ts';

import { exact, has } from '../../codec/exact';
import { anyText } from '../../codec/text';
import { textOrNull } from './values';

/** The key that did something, and the address from which it did so. */
export const ActingKey = exact('acting key', {
  key_id: has(textOrNull, 'The id of the team key; null of a key of the settings.'),
  name: has(anyText, 'The name of the team key, or of the setting.'),
  address: has(textOrNull, 'The address from which the request came.'),
});
export type ActingKey = t.TypeOf<typeof ActingKey>;
