import { LocalUser } from '../../src/templates/application/local-users';
import { Permission } from '../../src/templates/application/permissions';
import { RoleAssignment } from '../../src/templates/application/statements';
import { IdpUser } from '../../src/templates/identity-provider/users';
import { createRows, wholeRows } from '../../src/translate/push/row-statements';

test('reads whole rows with what they state, from either end, and no derived tags', () => {
  expect(wholeRows(LocalUser)).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (n:LocalUser {key: key})
   USING INDEX SEEK n:LocalUser(key)
   RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
     [(n)-[r:MEMBER_OF]->(m) WHERE 'LocalGroup' IN labels(m) | m.key],
     [(n)<-[r:IDENTITY_OF]-(m) WHERE 'Identity' IN labels(m) | m.key],
     [(n)-[r:HAS_CREDENTIAL]->(m) WHERE 'AccessCredential' IN labels(m) | m.key],
     [(n)-[r:OWNED_BY]->(m) WHERE 'Identity' IN labels(m) | [m.key, properties(r)]],
     [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
   ]]) AS rows"
  `);
});

test('reads properties of relationships of kinds that have some', () => {
  expect(wholeRows(IdpUser)).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (n:IdpUser {key: key})
   USING INDEX SEEK n:IdpUser(key)
   RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
     [(n)-[r:MEMBER_OF]->(m) WHERE 'IdpGroup' IN labels(m) | m.key],
     [(n)-[r:OWNS]->(m) WHERE 'ExternalEntity' IN labels(m) | m.key],
     [(n)-[r:ASSIGNED_TO]->(m) WHERE 'IdpApp' IN labels(m) | [m.key, properties(r)]],
     [(n)-[r:ASSUMES_ROLE]->(m) WHERE 'CloudRole' IN labels(m) | m.key],
     [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
   ]]) AS rows"
  `);
});

test('creates rows with what they state of other rows, from either end', () => {
  expect(createRows(RoleAssignment)).toMatchInlineSnapshot(`
   "UNWIND $rows[0] AS row
   CREATE (n:RoleAssignment:Entitlement {
     name: row[0],
     application: row[1],
     application_type: row[2],
     fold_application_type: row[3],
     key: row[4],
     row_hash: row[5],
     data_source: $data_source,
     provider: $provider,
     since: $at,
     changed: $at
   })
   SET n += row[6]
   WITH collect(n) AS nodes
   CALL (nodes) {
     UNWIND $HOLDS_LocalUser[0] AS end
     MATCH (m:LocalUser {key: end[0]})
     USING INDEX SEEK m:LocalUser(key)
     UNWIND end[1..] AS place
     WITH m, nodes[toInteger(place)] AS n
     CREATE (m)-[:HOLDS {since: $at}]->(n)
   }
   CALL (nodes) {
     UNWIND $HOLDS_LocalGroup[0] AS end
     MATCH (m:LocalGroup {key: end[0]})
     USING INDEX SEEK m:LocalGroup(key)
     UNWIND end[1..] AS place
     WITH m, nodes[toInteger(place)] AS n
     CREATE (m)-[:HOLDS {since: $at}]->(n)
   }
   CALL (nodes) {
     UNWIND $HOLDS_LocalRole[0] AS end
     MATCH (m:LocalRole {key: end[0]})
     USING INDEX SEEK m:LocalRole(key)
     UNWIND end[1..] AS place
     WITH m, nodes[toInteger(place)] AS n
     CREATE (m)-[:HOLDS {since: $at}]->(n)
   }
   CALL (nodes) {
     UNWIND $HOLDS_AccessCredential[0] AS end
     MATCH (m:AccessCredential {key: end[0]})
     USING INDEX SEEK m:AccessCredential(key)
     UNWIND end[1..] AS place
     WITH m, nodes[toInteger(place)] AS n
     CREATE (m)-[:HOLDS {since: $at}]->(n)
   }
   CALL (nodes) {
     UNWIND $HOLDS_LocalAgent[0] AS end
     MATCH (m:LocalAgent {key: end[0]})
     USING INDEX SEEK m:LocalAgent(key)
     UNWIND end[1..] AS place
     WITH m, nodes[toInteger(place)] AS n
     CREATE (m)-[:HOLDS {since: $at}]->(n)
   }
   CALL (nodes) {
     UNWIND $OF_LocalRole[0] AS end
     MATCH (m:LocalRole {key: end[0]})
     USING INDEX SEEK m:LocalRole(key)
     UNWIND end[1..] AS place
     WITH m, nodes[toInteger(place)] AS n
     CREATE (n)-[:OF {since: $at}]->(m)
   }
   CALL (nodes) {
     UNWIND $ON_Application[0] AS end
     MATCH (m:Application {key: end[0]})
     USING INDEX SEEK m:Application(key)
     UNWIND end[1..] AS place
     WITH m, nodes[toInteger(place)] AS n
     CREATE (n)-[:ON {since: $at}]->(m)
   }
   CALL (nodes) {
     UNWIND $ON_Resource[0] AS end
     MATCH (m:Resource {key: end[0]})
     USING INDEX SEEK m:Resource(key)
     UNWIND end[1..] AS place
     WITH m, nodes[toInteger(place)] AS n
     CREATE (n)-[:ON {since: $at}]->(m)
   }"
  `);
});

test('creates rows that state nothing of other rows', () => {
  expect(createRows(Permission)).toMatchInlineSnapshot(`
   "UNWIND $rows[0] AS row
   CREATE (n:Permission {
     name: row[0],
     permission_type: row[1],
     resource_type: row[2],
     application_types: row[3],
     apply_to_sub_resources: row[4],
     fold_name: row[5],
     fold_resource_type: row[6],
     fold_application_types: row[7],
     key: row[8],
     row_hash: row[9],
     data_source: $data_source,
     provider: $provider,
     since: $at,
     changed: $at
   })"
  `);
});
