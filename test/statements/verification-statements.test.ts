import { IdpGroup } from '../../src/templates/identity-provider/groups';
import { IdpUser } from '../../src/templates/identity-provider/users';
import { waysAt } from '../../src/templates/graph/relationship-ways';
import { relationshipKind } from '../../src/templates/graph/relationships';
import { Tag } from '../../src/model/shared-nodes';
import {
  dateDrawn,
  foundRelationships,
  managementAt,
  PAGE_OF_NODES,
  removeDoubles,
  RESTORE_NODES,
  UNKNOWN_RELATIONSHIPS,
} from '../../src/features/verification/statements';

test('rows are read page by page, in the order of the index on their keys', () => {
  expect(PAGE_OF_NODES).toMatchInlineSnapshot(`
   "MATCH (n:Entity)
   USING INDEX SEEK n:Entity(key)
   WHERE n.key > $after AND n.key < $before
   WITH n
   ORDER BY n.key
   LIMIT toInteger($most)
   RETURN labels(n) AS labels, properties(n) AS properties"
  `);
});

test('what a row states is read with the ids of the relationships, stated tags alone', () => {
  const tagged = relationshipKind(IdpUser, 'TAGGED', Tag);
  expect(foundRelationships(tagged)).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (row:Entity {key: key})
   USING INDEX SEEK row:Entity(key)
   MATCH (row)-[r:TAGGED]->(other)
   WHERE $label[0] IN labels(other) AND r.derived IS NULL
   RETURN key, other.key AS other, properties(r) AS properties, elementId(r) AS id"
  `);
});

test('nodes get back what they should say and be called', () => {
  expect(RESTORE_NODES).toMatchInlineSnapshot(`
   "UNWIND $rows[0] AS row
   MATCH (n:Entity {key: row.key})
   USING INDEX SEEK n:Entity(key)
   SET n += row.set
   SET n:$($labels[0])
   REMOVE n:$(row.labels)"
  `);
});

test('relationships that the model does not know are found by their way and their other end', () => {
  expect(UNKNOWN_RELATIONSHIPS).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (n:Entity {key: key})
   USING INDEX SEEK n:Entity(key)
   MATCH (n)-[r]-(other)
   WITH key, r, other, type(r) + CASE WHEN startNode(r) = n THEN '>' ELSE '<' END AS way
   WHERE NONE(label IN labels(other) WHERE way + label IN $ways) OR coalesce(type(r) = 'TAGGED' AND r.derived <> true, false)
   RETURN key, type(r) AS type, startNode(r).key AS start, endNode(r).key AS end, elementId(r) AS id"
  `);
  expect(waysAt(IdpGroup)).toMatchInlineSnapshot(`
   [
     "MEMBER_OF<IdpUser",
     "MEMBER_OF>IdpGroup",
     "MEMBER_OF<IdpGroup",
     "OWNS>ExternalEntity",
     "ASSIGNED_TO>IdpApp",
     "ASSUMES_ROLE>CloudRole",
     "TAGGED>Tag",
     "KNOWN_AS>Identity",
     "SOURCE_IDENTITY_OF>IdpGroup",
     "SOURCE_IDENTITY_OF<IdpGroup",
     "RESOLVES_TO<ExternalEntity",
     "SYSTEM_resource_managers<Resource",
     "SYSTEM_resource_managers<Application",
   ]
  `);
});

test('of derived relationships that stand twice one is kept', () => {
  expect(removeDoubles(['RESOLVES_TO', 'TAGGED'])).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (n:Entity {key: key})
   USING INDEX SEEK n:Entity(key)
   MATCH (n)-[r:RESOLVES_TO|TAGGED]-()
   WHERE type(r) <> 'TAGGED' OR r.derived IS NOT NULL
   WITH DISTINCT r
   WITH startNode(r) AS a, endNode(r) AS b, type(r) AS type, collect(r) AS found
   WHERE size(found) > 1
   WITH type, a.key AS start, b.key AS end, found[1..] AS doubles
   FOREACH (r IN doubles | DELETE r)
   RETURN type, start, end"
  `);
});

test('what was drawn just now is dated as what it follows from', () => {
  expect(dateDrawn('KNOWN_AS')).toMatchInlineSnapshot(`
   "UNWIND $pairs[0] AS pair
   MATCH (start:Entity {key: pair[0]})
   USING INDEX SEEK start:Entity(key)
   MATCH (start)-[r:KNOWN_AS]->(other)
   WHERE r.since = $at AND other.key = pair[1]
   SET r.since = $dated"
  `);
});

test('managers are looked for from either end, by what they own and by what is drawn', () => {
  expect(managementAt('manager').join('\n\n')).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (manager:Entity {key: key})
   USING INDEX SEEK manager:Entity(key)
   MATCH (managed)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager)
   WHERE $label[0] IN labels(managed)
   RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id

   UNWIND $keys[0] AS key
   MATCH (manager:Entity {key: key})
   USING INDEX SEEK manager:Entity(key)
   MATCH (managed)-[:SYSTEM_resource_managers]->(manager)
   WHERE $label[0] IN labels(managed)
   RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id"
  `);
});
