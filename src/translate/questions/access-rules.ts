import { nodeKinds } from '../../templates/graph/nodes';

/*
 * Who can do what (docs/rules.md: Effective access), each rule once: every statement that asks for effective access is made of these, and the analysts' queries
 * in `cypher/queries` hold them word by word, which a test sees to. They go by the names `who`, `entity`, `holder`, `held`, `given`, `scope`,
 * `gives` and `target`.
 */

/** What leads from the one who gains to what is gained. */
export const GAIN =
  'MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_ACCOUNT|HAS_CREDENTIAL|ASSIGNED_TO|ASSUMES_ROLE|ACTS_AS|HOLDS|OF|INCLUDES';

/** Labels of those who are listed as principals, and of resources, which may act for one. */
export const WHO = [
  ...nodeKinds.filter(({ also }) => also.includes('Principal')).map(({ label }) => label),
  'Resource',
].join('|');

/** `who` → `entity`: itself, or what it connects to: a resource acts with that principal's access, one step. */
export const ACTING = `CALL (who) {
  WITH who WHERE who:Principal
  RETURN who AS entity
  UNION
  MATCH (who:Resource)-[:CONNECTS_TO]->(:ExternalEntity)-[:RESOLVES_TO]->(entity:Principal)
  RETURN entity
}`;

/** `entity` → `who`: the same from the other end. */
export const ACTED_FOR = `CALL (entity) {
  RETURN entity AS who
  UNION ALL
  MATCH (who:Resource)-[:CONNECTS_TO]->(:ExternalEntity)-[:RESOLVES_TO]->(entity)
  RETURN who
}`;

/** `start` → `held`: all that is held by whatever it gains. HOLDS is a step of gain too, and nothing else leads to what can be held. */
export const heldBy = (start: string): string =>
  `MATCH (${start})-[:${GAIN}*0..]->(held:Entitlement)`;

/** `given` → `gives`: a granted permission itself; of an assigned role what it, or a role included in it, allows. */
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

/** Whether a `give` is inherited by what the `scope` contains; a role on an application holds on all its resources. */
const SPREADS = `(give.spreads OR give.through_role AND scope:Application)`;

/** What of `gives` holds on `target`; types are compared folded. */
export const HOLDING = `[give IN gives WHERE (target = scope OR ${SPREADS})
    AND (give.resource_type IS NULL OR give.resource_type = target.fold_resource_type)
    AND (give.application_types IS NULL OR target.fold_application_type IN give.application_types) | give.permission]`;

/** `scope`, `gives` → each `target` on which something of it may hold. */
export const TARGETS = `// What contains much is walked only for what it hands down.
CALL (scope, gives) {
  RETURN scope AS target
  UNION ALL
  WITH scope, gives WHERE any(give IN gives WHERE ${SPREADS})
  MATCH (scope)-[:CONTAINS*1..]->(target)
  RETURN target
}`;

/**
 * `who` → `person`: whom it is the same human as, and itself. Identities and accounts are drawn together with the IdpUser that is known by them, an
 * identity that nobody is known by with the account that it names. An employee is the same human as its IdpUsers and all that is theirs.
 */
export const SAME_PERSON = `CALL (who) {
  RETURN who AS person
  UNION
  WITH who WHERE who:Identity
  MATCH (who)<-[:KNOWN_AS]-(person:IdpUser)
  RETURN person
  UNION
  WITH who WHERE who:LocalUser
  MATCH (who)<-[:IDENTITY_OF]-(:Identity)<-[:KNOWN_AS]-(person:IdpUser)
  RETURN person
  UNION
  WITH who WHERE who:Identity
  MATCH (who)-[:IDENTITY_OF]->(person:LocalUser)
  RETURN person
  UNION
  WITH who WHERE who:IdpUser
  MATCH (who)<-[:HAS_ACCOUNT]-(person:Employee)
  RETURN person
  UNION
  WITH who WHERE who:Identity
  MATCH (who)<-[:KNOWN_AS]-(:IdpUser)<-[:HAS_ACCOUNT]-(person:Employee)
  RETURN person
  UNION
  WITH who WHERE who:LocalUser
  MATCH (who)<-[:IDENTITY_OF]-(:Identity)<-[:KNOWN_AS]-(:IdpUser)<-[:HAS_ACCOUNT]-(person:Employee)
  RETURN person
}`;
