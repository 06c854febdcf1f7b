import { createHash } from 'node:crypto';

import type { KnownAccount } from '../connections/connection-records';
import type { Attributes, AttributeValue } from '../client/attribute';
import type { WantedAccount } from '../client/ensure-account';

/** Ids that the application ever gave the account of a person, the newest first. */
export const idsOf = ({
  account,
  former,
}: Pick<KnownAccount, 'account' | 'former'>): readonly string[] =>
  account === null ? former : [account, ...former.filter((id) => id !== account)];

/** The digest of an attribute with its value. */
const valueDigest = (path: string, value: AttributeValue | undefined): string =>
  createHash('sha256')
    .update(JSON.stringify([path, value ?? null]))
    .digest('hex')
    .slice(0, 16);

/** Digests, each of an attribute that the application did not store together with its value. */
export const ignoredValuesOf = (
  ignored: readonly string[],
  attributes: Attributes,
): readonly string[] => ignored.map((path) => valueDigest(path, attributes.get(path)));

/** What is known of an account, for code that brings it to the wanted state. */
export const knownOf = (
  record: KnownAccount,
): Required<Pick<WantedAccount, 'known' | 'isUnseen' | 'isUnfinished' | 'isIgnored'>> => ({
  known: idsOf(record),
  isUnseen: record.isCreating && record.account !== null,
  isUnfinished: record.isCreating,
  isIgnored: (path, value) =>
    value === null
      ? record.ignored.includes(path)
      : record.ignoredValues.includes(valueDigest(path, value)),
});
