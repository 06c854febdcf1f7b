import type * as t from 'io-ts';

import { dictionary, list, shapes } from '../codec/collections';
import { requiredText } from '../codec/text';

/** The properties of a person from which each attribute of an account is made. */
export const AttributesRequest = dictionary(
  'attributes',
  requiredText,
  shapes('properties of people', { text: requiredText, list: list(requiredText) }),
);
export type AttributesRequest = t.TypeOf<typeof AttributesRequest>;
