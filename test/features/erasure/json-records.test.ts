import type { AnyCodec } from '../../../src/codec/codec';
import { list } from '../../../src/codec/collections';
import { mapOf } from '../../../src/codec/exact';
import { anyText } from '../../../src/codec/text';
import { RecordedProblem } from '../../../src/contract/answers/error';
import { EventAnswer, EventError } from '../../../src/contract/answers/events';
import { AccessFactors } from '../../../src/contract/answers/pushes';
import { anyJson } from '../../../src/contract/answers/values';
import { SchemaWriter } from '../../../src/contract/json-schema';
import { records } from '../../../src/features';
import { ItemShown } from '../../../src/features/reviews/endpoints';
import { reviewRecord } from '../../../src/features/reviews/records';
import { ImportSettingsAnswer } from '../../../src/scim/connections/endpoints';
import { policyRecord } from '../../../src/scim/policies/records';
import { Warning } from '../../../src/warning';

/** What the JSON of each property holds that may name people. */
const HOLDS: Readonly<Record<string, AnyCodec>> = {
  'Push.access_factors': AccessFactors,
  'Push.warning_details': list(Warning),
  'Push.problems': list(RecordedProblem),
  'Event.metadata': EventAnswer.fields.metadata.codec,
  'Event.error': EventError,
  'Review.scope': reviewRecord.fields.scope.codec,
  'Review.sources': reviewRecord.fields.sources.codec,
  'Review.settings': mapOf('settings', anyJson),
  'ReviewItem.fact': list(anyText),
  'ReviewItem.shown': ItemShown,
  'ReviewRemediation.through': list(anyText),
  'LifecyclePolicy.who': policyRecord.fields.who.codec,
  'LifecyclePolicy.groups': policyRecord.fields.groups.codec,
  'LifecyclePolicy.attributes': policyRecord.fields.attributes.codec,
  'ScimImport.last': ImportSettingsAnswer.fields.last.codec,
};

/** What the keys are where no codec names each of them. None is the name of a person. */
const FREE_KEYS: Readonly<Record<string, string>> = {
  'Event.metadata': 'words of the code that writes the event',
  'Event.error': 'words of the code that writes the event',
  'Review.settings': 'settings of a review, and aliases',
  'LifecyclePolicy.attributes': 'attributes of accounts, which an administrator names',
};

const hasFreeKeys = (codec: AnyCodec): boolean => {
  const writer = new SchemaWriter();
  const schema = writer.of(codec);
  return /"additionalProperties":\{|"object"\]/.test(JSON.stringify([schema, writer.definitions]));
};

// An erasure leaves each key that looks like a word, so it would leave a login there.
test('no record has names of people as keys of JSON', () => {
  const declared = records.flatMap(({ label, properties }) =>
    Object.entries(properties).flatMap(([name, { names, doc }]) =>
      names === 'mention' && doc.includes('JSON') ? [`${label}.${name}`] : [],
    ),
  );
  expect(declared.toSorted()).toEqual(Object.keys(HOLDS).toSorted());
  const free = Object.entries(HOLDS).flatMap(([name, codec]) => (hasFreeKeys(codec) ? [name] : []));
  expect(free.toSorted()).toEqual(Object.keys(FREE_KEYS).toSorted());
});
