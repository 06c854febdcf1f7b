import { GAINED } from '../../access/relationship-types';

/*
 * The rules of effective access (docs/rules.md: Effective access), as pieces of Cypher. Every
 * statement about effective access is made of these pieces. The saved queries in `cypher/queries`
 * hold the same text; a test compares it. The pieces use the names `who`, `entity`, `holder`,
 * `held`, `given`, `scope`, `gives` and `target`.
 */

/**
 * The relationships along which a principal gains access. They point from the one who gains to what
 * is gained.
 */
export const GAIN = GAINED.join('|');

/**
 * Finds a principal by its key, or a resource, which may act with the access of a principal. `key` is
 * Cypher.
 */
export const findWho = (node: string, key: string): string =>
  `MATCH (${node}:Entity {key: ${key}})
WHERE ${node}:Principal|Resource`;

/** Finds a resource or application by its key. `key` is Cypher. */
export const findTarget = (node: string, key: string): string =>
  `MATCH (${node}:Entity {key: ${key}})
WHERE ${node}:Application|Resource`;

/**
 * `who` → `entity`: a principal itself. For a resource, the principals that it connects to, since
 * it acts with their access (one step).
 */
export const ACTING = `CALL (who) {
  WITH who WHERE who:Principal
  RETURN who AS entity
  UNION
  MATCH (who:Resource)-[:CONNECTS_TO]->(:ExternalEntity)-[:RESOLVES_TO]->(entity:Principal)
  RETURN entity
}`;

/** `entity` → `who`: the principal itself, and the resources that act with its access. */
export const ACTED_FOR = `CALL (entity) {
  RETURN entity AS who
  UNION ALL
  MATCH (who:Resource)-[:CONNECTS_TO]->(:ExternalEntity)-[:RESOLVES_TO]->(entity)
  RETURN who
}`;

/**
 * `entity` → `held`: all grants and role assignments of everything that it gains. The last step is a
 * HOLDS, which is in `GAIN` too; no other relationship leads to a grant or assignment.
 */
export const HELD_BY_ENTITY = `MATCH (entity)-[:${GAIN}*0..]->(held:Entitlement)`;

/**
 * `given` → `gives`: a granted permission itself, or all permissions that an assigned role and its
 * included roles allow.
 */
export const GIVES = `CALL (given) {
  MATCH (given)-[:INCLUDES|ALLOWS*0..]->(permission)
  WITH DISTINCT given, permission
  WHERE permission:Permission
  RETURN collect({
    permission: permission,
    spreads: coalesce(permission.apply_to_sub_resources, false),
    through_role: given:LocalRole,
    // Through a role, a typed permission holds on resources of its type only.
    resource_type: CASE WHEN given:LocalRole THEN permission.fold_resource_type END,
    application_types: permission.fold_application_types
  }) AS gives
}`;

/**
 * Whether a permission in `gives` also holds on what the `scope` contains. A role that is assigned
 * on an application holds on all its resources.
 */
const SPREADS = `(give.spreads OR give.through_role AND scope:Application)`;

/** The permissions of `gives` that hold on `target`. Types compare folded. */
export const HOLDING = `[give IN gives WHERE (target = scope OR ${SPREADS})
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission]`;

/** `scope`, `gives` → each `target` on which one of the permissions may hold. */
export const TARGETS = `// Walks down only if a permission is inherited: a scope may contain much.
CALL (scope, gives) {
  RETURN scope AS target
  UNION ALL
  WITH scope, gives WHERE any(give IN gives WHERE ${SPREADS})
  MATCH (scope)-[:CONTAINS*1..]->(target)
  RETURN target
}`;

/**
 * `root` → each `scope` on which something may be held that holds on the root or in it, and the
 * `top` from which down it counts there: the root, if the scope contains it.
 */
export const SCOPES_AROUND = `CALL (root) {
  MATCH (scope:Application|Resource)-[:CONTAINS*1..]->(root)
  RETURN scope, root AS top
  UNION
  MATCH (root)-[:CONTAINS*0..]->(scope)
  RETURN scope, scope AS top
}`;

/**
 * `scope`, `top`, `grants` → each `target`, which is the top or in it. The grants (`gives`) give the same on
 * all resources of a type, so one target of each type is returned.
 */
export const TARGETS_WITHIN = `CALL (scope, top, grants) {
  WITH scope, top WHERE scope = top
  RETURN scope AS target
  UNION
  WITH scope, top, grants
  WHERE any(grant IN grants WHERE any(give IN grant.gives WHERE ${SPREADS}))
  MATCH (top)-[:CONTAINS*0..]->(inside)
  WITH inside.fold_resource_type AS type, inside.fold_application_type AS application_type,
    head(collect(inside)) AS target
  RETURN target
}`;

/** A user that is a human's, unless the identity provider says that it is not (`NONHUMAN`). */
const isHumanUser = (node: string): string =>
  `${node}:IdpUser AND coalesce(${node}.identity_type, 'HUMAN') <> 'NONHUMAN'`;

/**
 * Whether a node is a human of its own if no employee and no user leads to it: an account that is
 * no service account, or an identity that nobody is known by, and that names none of the accounts
 * `having` the access. An account elsewhere says nothing about who has the access here.
 */
const isHumanAlone = (node: string): string => `${node}:LocalUser
      AND coalesce(${node}.user_type, 'human') <> 'service_account'
      AND NOT EXISTS { (:IdpUser)-[:KNOWN_AS]->(:Identity)-[:IDENTITY_OF]->(${node}) }
    OR ${node}:Identity AND NOT EXISTS { (${node})<-[:KNOWN_AS]-() }
      AND NOT EXISTS { MATCH (${node})-[:IDENTITY_OF]->(account:LocalUser) WHERE account IN having }`;

/**
 * `who` → `person`: the node itself, and the nodes of the same human. Identities and accounts
 * belong to the IdpUser that is known by them. An identity that nobody is known by belongs to the
 * account that it names. An IdpUser belongs to the IdpUser that it names as its source identity. An
 * IdpUser, with all that belongs to it, belongs to its Employee.
 */
export const SAME_PERSON = `CALL (who) {
  RETURN who AS person
  UNION
  WITH who WHERE who:Identity
  MATCH (who)-[:IDENTITY_OF]->(person:LocalUser)
  RETURN person
  UNION
  WITH who WHERE who:Identity OR who:LocalUser OR who:IdpUser
  MATCH (who)<-[:IDENTITY_OF|KNOWN_AS|SOURCE_IDENTITY_OF|HAS_ACCOUNT*1..]-(person)
  WHERE person:IdpUser OR person:Employee
  RETURN DISTINCT person
}`;

/**
 * `who` → `first`: of the humans to whom a user of an identity provider belongs, the one that
 * represents them: an employee, or else the user to whom fewest lead. Two users may name each other
 * as source identity; then the smaller key decides.
 */
export const FIRST_HUMAN = `CALL (who) {
  WITH who WHERE who:IdpUser
  MATCH (who)<-[:SOURCE_IDENTITY_OF|HAS_ACCOUNT*0..]-(other)
  WITH DISTINCT other
  WHERE other:Employee OR ${isHumanUser('other')}
  CALL (other) {
    MATCH (other)<-[:SOURCE_IDENTITY_OF|HAS_ACCOUNT*0..]-(further)
    WITH DISTINCT further
    RETURN count(further) AS before
  }
  WITH other ORDER BY other:Employee DESC, before, other.key LIMIT 1
  RETURN collect(other.key)[0] AS first
}`;

/**
 * Whether `who` is an identity that a list shows with others: somebody is known by it, or it names
 * accounts `having` the access.
 */
export const IS_OF_OTHERS = `(who:Identity AND (
    EXISTS { (who)<-[:KNOWN_AS]-() }
    OR EXISTS { MATCH (who)-[:IDENTITY_OF]->(named:LocalUser) WHERE named IN having }))`;

/** Whether `who`, with its `first`, represents a human in a list of people. Reads `having`. */
export const IS_PERSON = `(who:Employee OR first = who.key OR ${isHumanAlone('who')})`;

/** `who`, `having` → `has_person`: whether a human gains what it has. */
export const PERSON_BEHIND = `CALL (who, having) {
  MATCH (who)<-[:${GAIN}*0..]-(behind)
  WITH DISTINCT behind
  WHERE behind:Employee OR ${isHumanUser('behind')} OR ${isHumanAlone('behind')}
  WITH behind LIMIT 1
  RETURN count(behind) > 0 AS has_person
}`;
