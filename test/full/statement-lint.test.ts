import { listStatements, records } from '../../src/features';
import * as changes from '../../src/questions/statements/change-statements';
import * as instant from '../../src/questions/statements/instant-statements';
import * as entities from '../../src/questions/statements/entity-statements';
import { EMAILS } from '../../src/questions/statements/reviewer-statements';
import * as counting from '../../src/questions/statements/access-count-statements';
import { BINDING_LOCK, schemaStatements } from '../../src/graph/statements/schema';
import { faultsOf } from '../support/cypher-lint';
import { shapeOf } from '../support/statement-shape';

/*
 * The tests' Neo4j plans every statement (test/graph/plans.test.ts), but it is of one line only. Neo4j 5.26 refuses
 * some of what 2026.09 accepts, and the linter says so.
 */

/** What is wrong with one statement of each shape. */
const faultsOfShapes = (texts: readonly string[]): readonly object[] => {
  const shapes = new Map(texts.map((text) => [shapeOf(text), text]));
  return [...shapes.values()].flatMap((text) =>
    faultsOf(text).map((message) => ({ message, text })),
  );
};

test('statements about instants and changes are good Cypher', () => {
  const texts = [
    ...[instant, changes, counting, entities]
      .flatMap((statements): readonly unknown[] => Object.values(statements))
      .filter((text) => typeof text === 'string'),
    EMAILS,
  ];
  expect(faultsOfShapes(texts)).toEqual([]);
});

test('statements of every shape are good Cypher', () => {
  const texts = [
    ...listStatements().map(({ text }) => text),
    ...schemaStatements(records),
    BINDING_LOCK,
  ];
  expect(faultsOfShapes(texts)).toEqual([]);
});
