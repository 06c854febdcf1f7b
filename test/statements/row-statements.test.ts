import { LocalUser } from '../../src/templates/application/local-users';
import { IdpUser } from '../../src/templates/identity-provider/users';
import { wholeRows } from '../../src/graph/rows/row-statements';

test('reads whole rows with what they state, from either end, and no derived tags', () => {
  expect(wholeRows(LocalUser)).toMatchInlineSnapshot(`
   "UNWIND $keys[0] AS key
   MATCH (n:Entity {key: key})
   USING INDEX SEEK n:Entity(key)
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
   MATCH (n:Entity {key: key})
   USING INDEX SEEK n:Entity(key)
   RETURN collect([n {.*, data_source: null, provider: null, since: null, changed: null}, [
     [(n)-[r:MEMBER_OF]->(m) WHERE 'IdpGroup' IN labels(m) | m.key],
     [(n)-[r:OWNS]->(m) WHERE 'ExternalEntity' IN labels(m) | m.key],
     [(n)-[r:ASSIGNED_TO]->(m) WHERE 'IdpApp' IN labels(m) | [m.key, properties(r)]],
     [(n)-[r:ASSUMES_ROLE]->(m) WHERE 'CloudRole' IN labels(m) | m.key],
     [(n)-[r:TAGGED]->(m) WHERE 'Tag' IN labels(m) AND r.derived IS NULL | m.key]
   ]]) AS rows"
  `);
});
