import type { StoredEntry } from '../stored/snapshot';
import { type StoredItem, textIn, textsIn } from '../stored/store';

/** A line of JSON. */
export const line = (value: object): string => `${JSON.stringify(value)}\n`;

/** An item as the script reads it: everything of which there is a digest. */
export const itemLine = (item: StoredItem): string => {
  const { number, holder, entitlement, marks, digest, state, reviewer, remediation } = item;
  const { properties } = item;
  return line({
    number,
    holder,
    reviewer: textIn(properties, 'first_reviewer'),
    is_carried: properties.is_carried === true,
    effect: textIn(properties, 'effect'),
    entitlement,
    marks,
    texts: textIn(properties, 'texts_digest'),
    digest,
    state,
    last_reviewer: reviewer,
    remediation,
    decided_by: textIn(properties, 'decided_by'),
    fact: textIn(properties, 'fact'),
    shown: textIn(properties, 'shown'),
    seals: textsIn(properties, 'seals'),
  });
};

/** An entry of the chain as the script reads it. */
export const entryLine = (entry: StoredEntry): string => {
  const { seq, previous, act, item, by, at, batch, shown, detail, said, properties } = entry;
  return line({
    seq,
    previous,
    act,
    item,
    by,
    at,
    batch,
    shown,
    detail,
    said,
    salt: textIn(properties, 'salt'),
    reason: textIn(properties, 'reason'),
    key_id: textIn(properties, 'key_id'),
    key_name: textIn(properties, 'key_name'),
    seals: textsIn(properties, 'seals'),
    hash: textIn(properties, 'hash'),
  });
};
