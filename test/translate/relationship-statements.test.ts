import { Grant, LocalUser, Permission, Resource } from '../../src/model/application-nodes';
import { IdpApp, IdpGroup, IdpUser } from '../../src/model/identity-provider-nodes';
import { kindsMentioning, relationshipKind } from '../../src/model/relationships';
import { ExternalEntity, Identity, Tag } from '../../src/model/shared-nodes';
import {
  createRelationships,
  hasProperties,
  removeOrphans,
  removeRelationships,
  statedRelationships,
  updateRelationships,
} from '../../src/translate/relationship-statements';

const memberOf = relationshipKind(IdpUser, 'MEMBER_OF', IdpGroup);
const assignedTo = relationshipKind(IdpUser, 'ASSIGNED_TO', IdpApp);
const ownedBy = relationshipKind(LocalUser, 'OWNED_BY', Identity);
const tagged = relationshipKind(Resource, 'TAGGED', Tag);
const identityOf = relationshipKind(Identity, 'IDENTITY_OF', LocalUser);

describe('creates', () => {
  test('relationships that say nothing but that they stand', () => {
    expect(hasProperties(memberOf)).toBe(false);
    expect(createRelationships(memberOf)).toMatchInlineSnapshot(`
     "UNWIND $pairs AS pair
     MATCH (a:IdpUser {key: pair[0]})
     MATCH (b:IdpGroup {key: pair[1]})
     CREATE (a)-[r:MEMBER_OF {since: $at}]->(b)"
    `);
  });

  test('relationships with properties', () => {
    expect(hasProperties(assignedTo)).toBe(true);
    expect(createRelationships(assignedTo)).toMatchInlineSnapshot(`
     "UNWIND $pairs AS pair
     MATCH (a:IdpUser {key: pair[0]})
     MATCH (b:IdpApp {key: pair[1]})
     CREATE (a)-[r:ASSIGNED_TO {since: $at}]->(b)
     SET r += pair[2]"
    `);
  });
});

describe('changes', () => {
  test('relationships told apart by what they say', () => {
    expect(updateRelationships(assignedTo)).toMatchInlineSnapshot(`
     "UNWIND $pairs AS pair
     MATCH (a:IdpUser {key: pair[0]})
     MATCH (b:IdpApp {key: pair[1]})
     WITH pair, a, b
     MATCH (a)-[r:ASSIGNED_TO]->(b)
     WHERE (r.id = pair[2] OR (r.id IS NULL AND pair[2] IS NULL))
     SET r += pair[3]"
    `);
  });
});

describe('removes', () => {
  test('relationships of which there is one between two nodes', () => {
    expect(removeRelationships(relationshipKind(Grant, 'OF', Permission))).toMatchInlineSnapshot(`
     "UNWIND $pairs AS pair
     MATCH (a:Grant {key: pair[0]})
     MATCH (b:Permission {key: pair[1]})
     WITH pair, a, b
     MATCH (a)-[r:OF]->(b)
     DELETE r"
    `);
  });

  test('relationships told apart by what they may not say', () => {
    expect(removeRelationships(ownedBy)).toMatchInlineSnapshot(`
     "UNWIND $pairs AS pair
     MATCH (a:LocalUser {key: pair[0]})
     MATCH (b:Identity {key: pair[1]})
     WITH pair, a, b
     MATCH (a)-[r:OWNED_BY]->(b)
     WHERE (r.owner_type = pair[2] OR (r.owner_type IS NULL AND pair[2] IS NULL)) AND (r.primary = pair[3] OR (r.primary IS NULL AND pair[3] IS NULL))
     DELETE r"
    `);
  });

  test('tags that were stated, never derived ones', () => {
    expect(removeRelationships(tagged)).toMatchInlineSnapshot(`
     "UNWIND $pairs AS pair
     MATCH (a:Resource {key: pair[0]})
     MATCH (b:Tag {key: pair[1]})
     WITH pair, a, b
     MATCH (a)-[r:TAGGED]->(b)
     WHERE r.derived IS NULL
     DELETE r"
    `);
  });

  test('shared nodes that nothing states, whichever way that points', () => {
    expect(removeOrphans(Identity, kindsMentioning(Identity))).toMatchInlineSnapshot(`
     "UNWIND $keys AS key
     MATCH (n:Identity {key: key})
     WHERE NOT EXISTS { (n)<-[:OWNED_BY]-() } AND NOT EXISTS { (n)-[:IDENTITY_OF|HOLDS]->() }
     WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
     DETACH DELETE n
     RETURN key, gone"
    `);
    expect(removeOrphans(ExternalEntity, kindsMentioning(ExternalEntity))).toMatchInlineSnapshot(`
     "UNWIND $keys AS key
     MATCH (n:ExternalEntity {key: key})
     WHERE NOT EXISTS { (n)<-[:OWNS|CONNECTS_TO]-() }
     WITH n, key, [(n)-[r]-() | {type: type(r), start: startNode(r).key, end: endNode(r).key}] AS gone
     DETACH DELETE n
     RETURN key, gone"
    `);
  });
});

describe('reads what rows state', () => {
  test('from their start', () => {
    expect(statedRelationships(memberOf)).toMatchInlineSnapshot(`
     "UNWIND $keys AS key
     MATCH (a:IdpUser {key: key})
     MATCH (a)-[r:MEMBER_OF]->(b)
     WHERE 'IdpGroup' IN labels(b)
     RETURN key, b.key AS other, properties(r) AS properties"
    `);
  });

  test('from their end', () => {
    expect(statedRelationships(identityOf)).toMatchInlineSnapshot(`
     "UNWIND $keys AS key
     MATCH (b:LocalUser {key: key})
     MATCH (a)-[r:IDENTITY_OF]->(b)
     WHERE 'Identity' IN labels(a)
     RETURN key, a.key AS other, properties(r) AS properties"
    `);
  });

  test('tags, but no derived ones', () => {
    expect(statedRelationships(tagged)).toMatchInlineSnapshot(`
     "UNWIND $keys AS key
     MATCH (a:Resource {key: key})
     MATCH (a)-[r:TAGGED]->(b)
     WHERE 'Tag' IN labels(b) AND r.derived IS NULL
     RETURN key, b.key AS other, properties(r) AS properties"
    `);
  });
});
