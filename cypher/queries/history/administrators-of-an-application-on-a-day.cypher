// Administrators of an application on a day
// Who could change how an application itself is set up, at a moment, and through what?
//
// Parameters (in Neo4j Browser, before the query):
//   :param application => 'Clientbook'
//   application: the key or name of an application; only the key of one that is gone
//   :param at => datetime()
//   at: the moment
//
// One row for each principal with permissions of the canonical types MetadataWrite, MetadataCreate, MetadataDelete on
// the application itself. At most 20 steps. Names are those at that moment. For now:
// roles/administrators-by-application.cypher.
// Roles: administrator, analyst, auditor.

CALL () {
  CALL () {
    // <shared: find the application>
    CALL () {
      MATCH (application:Entity {key: $application})
      WHERE application:Application
      RETURN application
      UNION
      MATCH (application:Application)
      WHERE application.fold_name = replace(normalize(toLower(normalize($application))), 'ς', 'σ')
        OR application.fold_exact = normalize($application)
      RETURN application
    }
    // </shared>
    RETURN application.key AS key
    UNION
    MATCH (version:PastNode {key: $application})
    USING INDEX SEEK version:PastNode(key, until)
    WHERE version.until > $at
    RETURN version.key AS key
  }
  RETURN DISTINCT key AS application
}
// What was held on it.
CALL (application) {
  MATCH (:Entity {key: application})<-[fact:ON]-(held)
  WHERE fact.since <= $at
  RETURN held.key AS held
  UNION
  MATCH (fact:PastRelationship {end: application})
  USING INDEX SEEK fact:PastRelationship(end, until)
  WHERE fact.until > $at AND fact.since <= $at AND fact.type = 'ON'
  RETURN fact.start AS held
}
// The permissions that it gave, by roles within roles.
WITH application, held, reduce(reached = {keys: [held], newest: [held]}, steps IN range(1, 20) |
  head([found IN [COLLECT {
    UNWIND reached.newest AS key
    CALL (key) {
      MATCH (near:Entity {key: key})
      MATCH (near)-[fact:OF|INCLUDES|ALLOWS]->(far)
      WHERE fact.since <= $at
      RETURN far.key AS given
      UNION
      MATCH (fact:PastRelationship {start: key})
      USING INDEX SEEK fact:PastRelationship(start, until)
      WHERE fact.until > $at AND fact.since <= $at AND fact.type IN ['OF', 'INCLUDES', 'ALLOWS']
      RETURN fact.end AS given
    }
    WITH DISTINCT given WHERE NOT given IN reached.keys
    RETURN given
  }] | {newest: found, keys: reached.keys + found}])
).keys AS keys
CALL (application, held, keys) {
  UNWIND [key IN keys WHERE split(key, '|')[1] = 'Permission'] AS key
  CALL (key) {
    OPTIONAL MATCH (version:PastNode {key: key})
    USING INDEX SEEK version:PastNode(key, until)
    WHERE version.until > $at AND version.from <= $at
    RETURN head(collect(version)) AS version
  }
  CALL (key) {
    OPTIONAL MATCH (permission:Entity {key: key})
    RETURN permission
  }
  CALL (application) {
    OPTIONAL MATCH (former:PastNode {key: application})
    USING INDEX SEEK former:PastNode(key, until)
    WHERE former.until > $at AND former.from <= $at
    OPTIONAL MATCH (node:Entity {key: application})
    RETURN head(collect(coalesce(former.fold_application_type, node.fold_application_type))) AS application_type
  }
  WITH held, application_type, coalesce(version, permission) AS permission
  WHERE any(type IN permission.permission_type WHERE type IN ['MetadataWrite', 'MetadataCreate', 'MetadataDelete'])
    // Through a role, a typed permission holds on resources of its type only.
    AND NOT (permission.resource_type IS NOT NULL AND split(held, '|')[1] = 'RoleAssignment')
    AND (permission.fold_application_types IS NULL OR application_type IN permission.fold_application_types)
  RETURN collect(DISTINCT permission.name) AS permissions
}
WITH application, held, permissions WHERE size(permissions) > 0
WITH held, permissions,
  // <shared: name of held at $at as what>
  coalesce(
    COLLECT {
      MATCH (version:PastNode {key: held})
      USING INDEX SEEK version:PastNode(key, until)
      WHERE version.until > $at
      RETURN coalesce(version.path, version.name, version.arn, version.id, version.unique_id)
      ORDER BY version.until LIMIT 1
    }[0],
    COLLECT {
      MATCH (node:Entity {key: held})
      RETURN coalesce(node.path, node.name, node.arn, node.id, node.unique_id)
    }[0],
    split(held, '|')[-1]
  ) AS what,
  // </shared>
  application
// Which principals led to it.
WITH application, permissions, what, reduce(reached = {keys: [held], newest: [held]}, steps IN range(1, 20) |
  head([found IN [COLLECT {
    UNWIND reached.newest AS key
    CALL (key) {
      MATCH (near:Entity {key: key})
      MATCH (near)<-[fact:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES]-(far)
      WHERE fact.since <= $at
      RETURN far.key AS who
      UNION
      MATCH (fact:PastRelationship {end: key})
      USING INDEX SEEK fact:PastRelationship(end, until)
      WHERE fact.until > $at AND coalesce(fact.from, fact.since) <= $at
        AND fact.type IN split('MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES', '|')
      RETURN fact.start AS who
    }
    WITH DISTINCT who WHERE NOT who IN reached.keys
    RETURN who
  }] | {newest: found, keys: reached.keys + found}])
).keys AS keys
UNWIND keys AS key
WITH application, permissions, what,
  // <shared: label of key as label>
  split(key, '|')[CASE WHEN split(key, '|')[0] IN ['Identity', 'CloudRole', 'ExternalEntity', 'Tag'] THEN 0 ELSE 1 END] AS label,
  // </shared>
  key
WHERE label IN ['IdpUser', 'LocalUser', 'LocalAgent', 'AccessCredential']
WITH application AS id, key, label, collect(DISTINCT what) AS whats, collect(DISTINCT permissions) AS lists
WITH id, collect({key: key, label: label, whats: whats, lists: lists}) AS found
WITH found,
  // <shared: name of id at $at as application>
  coalesce(
    COLLECT {
      MATCH (version:PastNode {key: id})
      USING INDEX SEEK version:PastNode(key, until)
      WHERE version.until > $at
      RETURN coalesce(version.path, version.name, version.arn, version.id, version.unique_id)
      ORDER BY version.until LIMIT 1
    }[0],
    COLLECT {
      MATCH (node:Entity {key: id})
      RETURN coalesce(node.path, node.name, node.arn, node.id, node.unique_id)
    }[0],
    split(id, '|')[-1]
  ) AS application,
  // </shared>
  id
UNWIND found AS each
WITH application, each, each.key AS key
WITH application, each,
  // <shared: name of key at $at as who>
  coalesce(
    COLLECT {
      MATCH (version:PastNode {key: key})
      USING INDEX SEEK version:PastNode(key, until)
      WHERE version.until > $at
      RETURN coalesce(version.path, version.name, version.arn, version.id, version.unique_id)
      ORDER BY version.until LIMIT 1
    }[0],
    COLLECT {
      MATCH (node:Entity {key: key})
      RETURN coalesce(node.path, node.name, node.arn, node.id, node.unique_id)
    }[0],
    split(key, '|')[-1]
  ) AS who,
  // </shared>
  key
RETURN application, who, each.label AS label,
  COLLECT {
    UNWIND each.lists AS list
    UNWIND list AS permission
    RETURN DISTINCT permission ORDER BY permission
  } AS permissions,
  COLLECT {
    UNWIND each.whats AS what
    RETURN what ORDER BY what
  } AS through,
  key
ORDER BY application, who, label, key
