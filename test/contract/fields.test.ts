import type { AnyCodec } from '../../src/codec/codec';
import { RegisteredName } from '../../src/contract/registration';
import { PushEnvelope } from '../../src/push/endpoints';
import { entitiesOwned } from '../../src/templates/identity-provider/federated';
import { ParentGroup } from '../../src/codec/parent-group';
import { flag, number } from '../../src/codec/scalars';
import {
  AssumedRoleArns,
  CustomProperties,
  DynamicProperties,
  PropertyTypes,
  Tag,
} from '../../src/codec/shared';
import { description, enumeration, requiredText, text, time } from '../../src/codec/text';
import { explained } from './explained';

const accepted: readonly (readonly [string, AnyCodec, unknown])[] = [
  ['a text of 256 bytes', text, 'a'.repeat(256)],
  ['a text of 128 characters of two bytes', text, 'ä'.repeat(128)],
  ['a text of 64 characters of four bytes', text, '😀'.repeat(64)],
  ['an empty optional text', text, ''],
  ['a required text of one space', requiredText, ' '],
  ['a description of 255 characters of four bytes', description(255), '😀'.repeat(255)],
  ['a time in UTC', time, '2024-02-29T23:59:59Z'],
  ['a time in lower case with a fraction', time, '2024-01-01t00:00:00.123456789123z'],
  ['a time with an offset', time, '2024-01-01T00:00:00+23:59'],
  ['false', flag, false],
  ['zero', number, 0],
  ['the largest number', number, Number.MAX_VALUE],
  ['a tag of any script', Tag, { key: 'Größe_2', value: 'größe 2, a@b.c_-' }],
  ['a tag without a value', Tag, { key: 'a' }],
  ['a tag whose value is null', Tag, { key: 'a', value: null }],
  ['a tag whose value is empty', Tag, { key: 'a', value: '' }],
  ['ARNs as a list', AssumedRoleArns, [{ identity: 'arn:1' }, { identity: 'arn:2' }]],
  ['ARNs as one object', AssumedRoleArns, { identity: ['arn:1', 'arn:2'] }],
  ['no ARNs, as a list', AssumedRoleArns, []],
  ['no ARNs, as an object', AssumedRoleArns, { identity: null }],
  ['owned entities as a list', entitiesOwned.codec, [{ node_type: 't', id: 'i' }]],
  ['one owned entity without its list', entitiesOwned.codec, { node_type: 't', id: 'i' }],
  ['a parent group as a reference', ParentGroup, { identity: 'g' }],
  ['a parent group named "parent"', ParentGroup, { identity: 'parent' }],
  ['parent groups as marks', ParentGroup, { g1: 'parent', constructor: 'parent' }],
  [
    'custom properties of every type',
    CustomProperties,
    { a: 'x', B: 0, c_d: false, é: ['x', ''], email: null, toString: '' },
  ],
  ['a custom property of 4,096 bytes', CustomProperties, { a: 'x'.repeat(4096) }],
  [
    'dynamic properties of every type',
    DynamicProperties,
    { a: '', b: -1.5, c: true, d: [], e: null },
  ],
  ['a null in a definition', PropertyTypes, { a: null }],
  ['a registered name with quotes', RegisteredName, `a "b" 'c' (d): 100%, e=f`],
  [
    'a compressed push with more keys',
    PushEnvelope,
    { id: 'p', data_source_id: 'd', json_data: '', compression_type: 'gZip', priority: 1 },
  ],
];

test.each(accepted)('accepts %s', (_, codec, value) => {
  expect(codec.is(value)).toBe(true);
  expect(explained(codec, value)).toEqual([]);
  expect(codec.normalize(value)).toBe(value);
  expect(codec.decode(value)).toEqual({ _tag: 'Right', right: value });
});

const own = (json: string): unknown => JSON.parse(json);
const color = enumeration('color', ['red', 'toString']);

const refused: readonly (readonly [string, AnyCodec, unknown, readonly string[]])[] = [
  ['a number for a text', text, 1, [' WRONG_TYPE']],
  ['a text of 257 bytes', text, 'a'.repeat(257), [' TOO_LONG']],
  ['a text of 129 characters of two bytes', text, 'ä'.repeat(129), [' TOO_LONG']],
  ['a lone surrogate', text, 'a\ud83d', [' ILL_FORMED_TEXT']],
  [
    'a long text with a lone surrogate',
    text,
    '\udc00'.repeat(100),
    [' ILL_FORMED_TEXT', ' TOO_LONG'],
  ],
  ['an empty required text', requiredText, '', [' EMPTY']],
  ['a description of 256 characters', description(255), '😀'.repeat(256), [' TOO_LONG']],
  ['a time without offset', time, '2024-01-01T00:00:00', [' BAD_TIME']],
  ['a time with a space', time, '2024-01-01 00:00:00Z', [' BAD_TIME']],
  ['a date that does not exist', time, '2023-02-29T00:00:00Z', [' BAD_TIME']],
  ['the thirteenth month', time, '2023-13-01T00:00:00Z', [' BAD_TIME']],
  ['hour 24', time, '2023-01-01T24:00:00Z', [' BAD_TIME']],
  ['second 60', time, '2016-12-31T23:59:60Z', [' BAD_TIME']],
  ['a time beyond the year 9999 in UTC', time, '9999-12-31T23:59:59-00:01', [' BAD_TIME']],
  ['a number for a time', time, 1704067200, [' WRONG_TYPE']],
  ['a text for a boolean', flag, 'true', [' WRONG_TYPE']],
  ['a text for a number', number, '1', [' WRONG_TYPE']],
  ['an infinite number', number, own('1e400'), [' NOT_FINITE']],
  ['a value in other case', color, 'Red', [' UNKNOWN_VALUE']],
  ['a value named as a property of all objects', color, 'valueOf', [' UNKNOWN_VALUE']],
  ['a list for an enumeration', color, ['red'], [' WRONG_TYPE']],
  ['a tag key with a space', Tag, { key: 'a b' }, ['/key BAD_NAME']],
  ['a tag value with a semicolon', Tag, { key: 'a', value: 'b;c' }, ['/value BAD_NAME']],
  ['a tag value with a line break', Tag, { key: 'a', value: 'b\n' }, ['/value CONTROL_CHARACTER']],
  ['a tag without a key', Tag, { value: 'b' }, ['/key MISSING_FIELD']],
  ['a tag as a text', Tag, 'a', [' WRONG_TYPE']],
  [
    'a tag that is an own __proto__',
    Tag,
    own('{"key":"a","__proto__":{}}'),
    ['/__proto__ UNKNOWN_FIELD'],
  ],
  ['one ARN as a text', AssumedRoleArns, 'arn', [' WRONG_TYPE']],
  ['ARNs as a list of texts', AssumedRoleArns, ['arn'], ['/0 WRONG_TYPE']],
  ['one ARN in an object', AssumedRoleArns, { identity: 'arn' }, ['/identity WRONG_TYPE']],
  ['an empty ARN', AssumedRoleArns, { identity: ['arn', ''] }, ['/identity/1 EMPTY']],
  [
    'an owned entity without a type',
    entitiesOwned.codec,
    { id: 'i' },
    ['/node_type MISSING_FIELD'],
  ],
  [
    'a parent group of neither shape',
    ParentGroup,
    { g: 1 },
    ['/g UNKNOWN_FIELD', '/identity MISSING_FIELD'],
  ],
  ['an empty parent group', ParentGroup, {}, ['/identity MISSING_FIELD']],
  ['a mark with another word', ParentGroup, { a: 'parent', b: 'child' }, ['/b UNKNOWN_VALUE']],
  ['a mark without a name', ParentGroup, { '': 'parent' }, ['/ EMPTY']],
  ['a reference with a mark', ParentGroup, { identity: 'a', b: 'parent' }, ['/b UNKNOWN_FIELD']],
  ['a property name that begins with a digit', CustomProperties, { '1a': 'x' }, ['/1a BAD_NAME']],
  ['a property without a name', CustomProperties, { '': 'x' }, ['/ BAD_NAME']],
  ['a property that is an object', CustomProperties, { a: {} }, ['/a WRONG_TYPE']],
  ['a property list with a null', CustomProperties, { a: ['x', null] }, ['/a/1 WRONG_TYPE']],
  ['a property of 4,097 bytes', CustomProperties, { a: 'x'.repeat(4097) }, ['/a TOO_LONG']],
  ['a dynamic property of 257 bytes', DynamicProperties, { a: 'x'.repeat(257) }, ['/a TOO_LONG']],
  ['properties as a list', CustomProperties, [], [' WRONG_TYPE']],
  ['a type in lower case', PropertyTypes, { a: 'string' }, ['/a UNKNOWN_VALUE']],
  ['a registered name with a slash', RegisteredName, 'a/b', [' BAD_NAME']],
  ['an empty registered name', RegisteredName, '', [' EMPTY']],
  [
    'a push with an unknown compression and no data',
    PushEnvelope,
    { id: '', data_source_id: 'd', compression_type: 'brotli' },
    ['/id EMPTY', '/compression_type UNKNOWN_VALUE', '/json_data MISSING_FIELD'],
  ],
];

test.each(refused)('refuses %s', (_, codec, value, problems) => {
  expect(codec.is(value)).toBe(false);
  expect(explained(codec, value)).toEqual(problems);
  expect(codec.decode(value)._tag).toBe('Left');
});

test('accepts a property name with digits behind its first character', () => {
  expect(CustomProperties.is({ address2: 'x', _1: 'x' })).toBe(true);
});
