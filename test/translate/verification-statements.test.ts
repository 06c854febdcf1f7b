import { Resource } from '../../src/templates/application/resources';
import { IdpGroup } from '../../src/templates/identity-provider/groups';
import { IdpUser } from '../../src/templates/identity-provider/users';
import { waysAt } from '../../src/templates/graph/relationship-ways';
import { relationshipKind } from '../../src/templates/graph/relationships';
import { Tag } from '../../src/model/shared-nodes';
import {
  dateDrawn,
  foundRelationships,
  managementAt,
  pageOfNodes,
  removeDoubles,
  restoreNodes,
  unknownRelationships,
} from '../../src/translate/upkeep/verification-statements';

test('rows are read page by page, in the order of the index on their keys', () => {
  expect(pageOfNodes(IdpUser)).toMatchInlineSnapshot(`
   "MATCH (n:IdpUser)
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
   MATCH (a:IdpUser {key: key})
   MATCH (a)-[r:TAGGED]->(b:Tag)
   WHERE r.derived IS NULL
   RETURN key, b.key AS other, properties(r) AS properties, elementId(r) AS id"
  `);
});

test('nodes get back what they should say and be called', () => {
  expect(restoreNodes(IdpUser)).toMatchInlineSnapshot(`
   "UNWIND $rows[0] AS row
   MATCH (n:IdpUser {key: row.key})
   SET n += row.set
   SET n:IdpUser:Principal
   REMOVE n:$(row.labels)"
  `);
});

test('relationships that the model does not know are found by their way and their other end', () => {
  expect(unknownRelationships(IdpUser)).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (n:IdpUser {key: key})-[r]-(other)
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
  expect(removeDoubles(Resource, ['RESOLVES_TO', 'TAGGED'])).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (n:Resource {key: key})-[r:RESOLVES_TO|TAGGED]-()
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
  expect(dateDrawn('IdpUser', 'KNOWN_AS')).toMatchInlineSnapshot(`
   "UNWIND $pairs[0] AS pair
   MATCH (start:IdpUser {key: pair[0]})-[r:KNOWN_AS]->(other)
   USING INDEX SEEK start:IdpUser(key)
   WHERE r.since = $at AND other.key = pair[1]
   SET r.since = $dated"
  `);
});

test('managers are looked for from either end, by what they own and by what is drawn', () => {
  expect(managementAt('manager', Resource, IdpUser).join('\n\n')).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (manager:IdpUser {key: key})
   MATCH (managed:Resource)<-[:RESOLVES_TO]-(:ExternalEntity)<-[:OWNS]-(manager)
   RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id

   UNWIND $keys[0] AS key
   MATCH (manager:IdpUser {key: key})
   MATCH (managed:Resource)-[:SYSTEM_resource_managers]->(manager)
   RETURN DISTINCT managed.key AS managed, manager.key AS manager, coalesce(manager.identity, manager.name) AS id"
  `);
});
