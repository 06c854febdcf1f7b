import { Grant } from '../../src/templates/application/statements';
import { LocalUser } from '../../src/templates/application/local-users';
import { Permission } from '../../src/templates/application/permissions';
import { Resource } from '../../src/templates/application/resources';
import { IdpApp } from '../../src/templates/identity-provider/apps';
import { IdpGroup } from '../../src/templates/identity-provider/groups';
import { IdpUser } from '../../src/templates/identity-provider/users';
import { kindsMentioning, relationshipKind } from '../../src/templates/graph/relationships';
import { ExternalEntity, Identity, Tag } from '../../src/model/shared-nodes';
import { hasProperties } from '../../src/model/table';
import {
  createRelationships,
  removeOrphans,
  removeRelationships,
  updateRelationships,
} from '../../src/graph/rows/relationship-statements';

const memberOf = relationshipKind(IdpUser, 'MEMBER_OF', IdpGroup);
const assignedTo = relationshipKind(IdpUser, 'ASSIGNED_TO', IdpApp);
const ownedBy = relationshipKind(LocalUser, 'OWNED_BY', Identity);
const tagged = relationshipKind(Resource, 'TAGGED', Tag);

describe('creates', () => {
  test('relationships that say nothing but that they stand', () => {
    expect(hasProperties(memberOf)).toBe(false);
    expect(createRelationships(memberOf)).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (a:Entity {key: pair[0]})
     USING INDEX SEEK a:Entity(key)
     MATCH (b:Entity {key: pair[1]})
     USING INDEX SEEK b:Entity(key)
     CREATE (a)-[r:$($type[0]) {since: $at}]->(b)"
    `);
  });

  test('relationships with properties', () => {
    expect(hasProperties(assignedTo)).toBe(true);
    expect(createRelationships(assignedTo)).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (a:Entity {key: pair[0]})
     USING INDEX SEEK a:Entity(key)
     MATCH (b:Entity {key: pair[1]})
     USING INDEX SEEK b:Entity(key)
     CREATE (a)-[r:$($type[0]) {since: $at}]->(b)
     SET r += pair[2]"
    `);
  });
});

describe('changes', () => {
  test('relationships told apart by what they say', () => {
    expect(updateRelationships(assignedTo)).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (a:Entity {key: pair[0]})
     USING INDEX SEEK a:Entity(key)
     MATCH (b:Entity {key: pair[1]})
     USING INDEX SEEK b:Entity(key)
     CALL (pair, a, b) {
       MATCH (a)-[r:ASSIGNED_TO]->(b)
       WHERE (r.id = pair[2] OR (r.id IS NULL AND pair[2] IS NULL))
       RETURN r
     }
     CALL (pair, r) {
       OPTIONAL MATCH (earlier:PastRelationship {start: pair[0]})
       USING INDEX SEEK earlier:PastRelationship(start, until)
       WHERE earlier.until > r.since AND earlier.end = pair[1] AND earlier.type = 'ASSIGNED_TO' AND (earlier.id = r.id OR (earlier.id IS NULL AND r.id IS NULL))
       RETURN max(earlier.until) AS from
     }
     FOREACH (_ IN CASE WHEN coalesce(from, r.since) < $until[0] THEN [0] END |
       CREATE (past:PastRelationship:Past)
       SET past = r {.*, type: 'ASSIGNED_TO', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], from: from})
     SET r += pair[3]"
    `);
  });
});

describe('removes', () => {
  test('relationships of which there is one between two nodes', () => {
    expect(removeRelationships(relationshipKind(Grant, 'OF', Permission))).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (a:Entity {key: pair[0]})
     USING INDEX SEEK a:Entity(key)
     MATCH (b:Entity {key: pair[1]})
     USING INDEX SEEK b:Entity(key)
     CALL (pair, a, b) {
       MATCH (a)-[r:OF]->(b)
       RETURN r
     }
     FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
       CREATE (:PastRelationship:Past {type: 'OF', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
     DELETE r"
    `);
  });

  test('relationships told apart by what they may not say', () => {
    expect(removeRelationships(ownedBy)).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (a:Entity {key: pair[0]})
     USING INDEX SEEK a:Entity(key)
     MATCH (b:Entity {key: pair[1]})
     USING INDEX SEEK b:Entity(key)
     CALL (pair, a, b) {
       MATCH (a)-[r:OWNED_BY]->(b)
       WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
       RETURN r
     }
     FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
       CREATE (past:PastRelationship:Past)
       SET past = r {.*, type: 'OWNED_BY', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0]})
     DELETE r"
    `);
  });

  test('tags that were stated, never derived ones', () => {
    expect(removeRelationships(tagged)).toMatchInlineSnapshot(`
     "UNWIND $pairs[0] AS pair
     MATCH (a:Entity {key: pair[0]})
     USING INDEX SEEK a:Entity(key)
     MATCH (b:Entity {key: pair[1]})
     USING INDEX SEEK b:Entity(key)
     CALL (pair, a, b) {
       MATCH (a)-[r:TAGGED]->(b)
       WHERE r.derived IS NULL
       RETURN r
     }
     FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
       CREATE (:PastRelationship:Past {type: 'TAGGED', start: pair[0], start_label: $start_label[0], end: pair[1], end_label: $end_label[0], data_source: $data_source, until: $until[0], since: r.since}))
     DELETE r"
    `);
  });

  test('shared nodes that nothing states, whichever way that points', () => {
    expect(removeOrphans(Identity, kindsMentioning(Identity))).toMatchInlineSnapshot(`
     "UNWIND $keys[0] AS key
     MATCH (n:Entity {key: key})
     USING INDEX SEEK n:Entity(key)
     WHERE NOT EXISTS { (n)<-[:OWNED_BY]-() } AND NOT EXISTS { (n)-[:IDENTITY_OF|HOLDS]->() }
     WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
     FOREACH (r IN [(n)-[r:KNOWN_AS]-() | r] |
     FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
       CREATE (:PastRelationship:Past {type: type(r), start: startNode(r).key, start_label: head([label IN labels(startNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: endNode(r).key, end_label: head([label IN labels(endNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]})))
     DETACH DELETE n
     RETURN key, gone"
    `);
    expect(removeOrphans(ExternalEntity, kindsMentioning(ExternalEntity))).toMatchInlineSnapshot(`
     "UNWIND $keys[0] AS key
     MATCH (n:Entity {key: key})
     USING INDEX SEEK n:Entity(key)
     WHERE NOT EXISTS { (n)<-[:OWNS|CONNECTS_TO]-() }
     WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
     FOREACH (r IN [(n)-[r:RESOLVES_TO]-() | r] |
     FOREACH (_ IN CASE WHEN r.since < $until[0] THEN [0] END |
       CREATE (:PastRelationship:Past {type: type(r), start: startNode(r).key, start_label: head([label IN labels(startNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), end: endNode(r).key, end_label: head([label IN labels(endNode(r)) WHERE label IN ['Identity', 'IdpUser', 'IdpGroup', 'Employee', 'CloudRole', 'LocalRole', 'ExternalEntity', 'Resource', 'Application', 'LocalUser', 'LocalGroup', 'LocalAgent', 'AccessCredential']]), since: r.since, until: $until[0]})))
     DETACH DELETE n
     RETURN key, gone"
    `);
  });
});
