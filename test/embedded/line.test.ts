import type { Java } from '../../src/embedded/java';
import { chooseLine, type LineConditions } from '../../src/embedded/line';

const java = (release: number): Java => ({
  release,
  home: `/jvm/${release}`,
  executable: `/jvm/${release}/bin/java`,
});

const choose = (conditions: Partial<LineConditions>): string => {
  const all = { javas: [], stores: [], wanted: undefined, dataFolder: '/data', ...conditions };
  const choice = chooseLine(all);
  return `${choice.line.name} on ${choice.java.release}`;
};

test.each<[string, Partial<LineConditions>, string]>([
  ['Java 17 alone runs 5.26', { javas: [java(17)] }, '5.26 on 17'],
  ['Java 21 runs the newest line', { javas: [java(21)] }, 'calendar on 21'],
  ['any Java found decides, not the first', { javas: [java(17), java(25)] }, 'calendar on 25'],
  ['of several that fit, the preferred one', { javas: [java(25), java(21)] }, 'calendar on 25'],
  ['the caller chooses where both fit', { javas: [java(21)], wanted: '5.26' }, '5.26 on 21'],
  ['a store fixes its line', { javas: [java(25), java(17)], stores: ['5.26'] }, '5.26 on 17'],
  [
    'with stores of both, the caller chooses',
    { javas: [java(21)], stores: ['calendar', '5.26'], wanted: '5.26' },
    '5.26 on 21',
  ],
])('%s', (_sentence, conditions, expected) => {
  expect(choose(conditions)).toBe(expected);
});

test('no Java at all says what to install', () => {
  expect(() => choose({})).toThrowErrorMatchingInlineSnapshot(`
   "Neo4j 2026.09.0 needs Java 21 or 25; Neo4j 5.26.30 needs Java 17 or 21. No Java was found (in JAVA_HOME, on the PATH, in the usual folders).
   Install one (Debian: apt-get install default-jre-headless; macOS: brew install openjdk@21), point JAVA_HOME at one, or set NEO4J_URI to a Neo4j that runs elsewhere."
  `);
});

test('a Java that no line runs on is named', () => {
  expect(() => choose({ javas: [java(11), java(11), java(8)] })).toThrow('Found here: Java 8, 11.');
});

test('a store whose line no Java runs is not passed over', () => {
  expect(() => choose({ javas: [java(17)], stores: ['calendar'] }))
    .toThrowErrorMatchingInlineSnapshot(`
   "Neo4j 2026.09.0 needs Java 21 or 25. Found here: Java 17.
   The store in /data can be opened by that line only.
   Install one (Debian: apt-get install openjdk-21-jre-headless; macOS: brew install openjdk@21), point JAVA_HOME at one, or set NEO4J_URI to a Neo4j that runs elsewhere."
  `);
});

test('a line that cannot open the store is refused', () => {
  const conditions = { javas: [java(21)], stores: ['calendar'], wanted: '5.26' } as const;
  expect(() => choose(conditions)).toThrowErrorMatchingInlineSnapshot(
    `"/data holds a store of Neo4j's line calendar, which line 5.26 cannot open."`,
  );
});

test('stores of both lines ask for one of them to be moved', () => {
  expect(() => choose({ javas: [java(21)], stores: ['calendar', '5.26'] })).toThrow(
    'move the one that is not to be used out of it',
  );
});
