import { inexactNumbers } from '../../src/rows/inexact-numbers';

const warned = (text: string): readonly string[] =>
  inexactNumbers(JSON.parse(text)).map(({ pointer, message }) => `${pointer} ${message}`);

test('integers that may have lost digits are named, wherever a payload has properties', () => {
  const text = `{"users": [{"name": "ann", "custom_properties": {"serial": 9007199254740993, "n": 9007199254740991}}],
    "applications": [{"resources": [{"sub_resources": [{"dynamic_properties": {"a/b": -1e25}}]}]}]}`;
  expect(warned(text)).toEqual([
    '/users/0/custom_properties/serial The number is stored as 9007199254740992, since only numbers below 2^53 are exact; declare an id as STRING (property "serial")',
    '/applications/0/resources/0/sub_resources/0/dynamic_properties/a~1b The number is stored as -1e+25, since only numbers below 2^53 are exact; declare an id as STRING (property "a/b")',
  ]);
});

test('fractions, texts and what is no property say nothing', () => {
  expect(warned('{"users": [{"custom_properties": {"a": 0.1, "b": "9007199254740993"}}]}')).toEqual(
    [],
  );
  expect(warned('{"rows": 9007199254740993, "custom_properties": null}')).toEqual([]);
});
