import { RESOURCE_MANAGERS } from '../../templates/graph/derivations';
import { GAIN, GIVES, HOLDING } from '../../translate/questions/access-rules';
import { parameter, RESOURCE } from '../parameters';
import {
  FIND_RESOURCE,
  heldAbove,
  kindOf,
  marksOf,
  namesOf,
  permissionNames,
  placed,
  reachedFrom,
} from '../pieces';
import { type Question, topic } from '../saved-query';

const unreached: Question = {
  name: 'resources-nobody-can-reach',
  title: 'Resources that nobody can reach',
  question: 'Which resources can nobody reach?',
  parameters: [],
  rows: 'One row for each resource on which no permission holds for anyone: forgotten, or protected outside of what was pushed.',
  whole: 'it looks at all resources, and stops at the first thing held on each.',
  cypher: `MATCH (target:Resource)
WHERE NOT EXISTS {
  MATCH (scope:Application|Resource)-[:CONTAINS*0..]->(target)
  MATCH (scope)<-[:ON]-(held:Entitlement)-[:OF]->(given)
  WHERE EXISTS { (held)<-[:HOLDS]-() }
  WITH DISTINCT target, scope, given
  ${GIVES.replaceAll('\n', '\n  ')}
  WITH ${HOLDING.replaceAll('\n', '\n  ')} AS permissions
  WHERE size(permissions) > 0
  RETURN permissions
}
RETURN target.application AS application, target.path AS resource, target.resource_type AS type,
  ${namesOf('(target)-[:OWNED_BY]->(owner)', 'owner')} AS owners,
  target.since AS since, target.key AS key
ORDER BY application, resource, key`,
};

/** Whether a `person` belongs to everybody of `$domain`. */
const IS_SOMEBODY = `person.domain = $domain AND coalesce(person.is_active, true) AND NOT coalesce(person.is_guest, false)
  AND coalesce(person.identity_type, 'HUMAN') <> 'NONHUMAN'`;

/** `holder` → how many `people` of everybody come by it. A label that is asked for like this cannot be where a plan begins. */
const PEOPLE_BY_HOLDER = `MATCH (person)-[:${GAIN}*0..]->(holder)
  WHERE 'IdpUser' IN labels(person) AND ${IS_SOMEBODY}
  RETURN count(DISTINCT person) AS people`;

const open: Question = {
  name: 'resources-everybody-can-reach',
  title: 'Resources that everybody can reach',
  question: 'Which resources can every active person of a directory reach?',
  parameters: [parameter('domain', "'halden.example'", 'the domain whose people are everybody')],
  rows: 'One row for each resource or application; guests, robots and inactive users are not everybody.',
  whole:
    'it looks at all users of directories, and at who holds something on each resource that two of them reach.',
  cypher: `MATCH (person:IdpUser)
WHERE ${IS_SOMEBODY}
WITH count(person) AS everybody, min(person.key) AS first, max(person.key) AS last
// What everybody can reach, the first and the last of them can.
CALL (first, last) {
  MATCH (some:IdpUser) WHERE some.key IN [first, last]
  ${reachedFrom('some', 'first', 'last', 'some').replaceAll('\n', '\n  ')}
  WITH first, last, target, count(DISTINCT some) AS reaching
  WHERE reaching = 2 OR first = last
  RETURN target
}
${heldAbove('everybody')}
UNWIND entitlements AS held
MATCH (holder)-[:HOLDS]->(held)
WITH everybody, target, holder, collect(DISTINCT permissions) AS lists
// Each holder once, whatever it holds: how many people come by it.
WITH everybody, holder, collect({target: target, lists: lists}) AS found
CALL (holder) {
  ${PEOPLE_BY_HOLDER}
}
UNWIND found AS row
WITH everybody, row.target AS target, collect(holder) AS holders, reduce(all = [], lists IN collect(row.lists) | all + lists) AS lists,
  max(people) AS most, sum(people) AS bound
// Where one holder is everybody's, that is enough; where all of them together have too few, so is that.
WHERE bound >= everybody
CALL (everybody, holders, most) {
  WITH holders WHERE most < everybody
  UNWIND holders AS holder
  ${PEOPLE_BY_HOLDER}
}
WITH everybody, target, lists, CASE most WHEN everybody THEN most ELSE people END AS people
WHERE people = everybody
RETURN target.application AS application, ${placed('target')} AS resource,
  coalesce(target.resource_type, ${kindOf('target')}) AS type, people,
  ${permissionNames('lists')} AS permissions_of_some,
  target.key AS key
ORDER BY application, resource, key`,
};

const unowned: Question = {
  name: 'resources-without-an-owner',
  title: 'Resources without an owner',
  question: 'Which resources does nobody own, neither them nor a resource that contains them?',
  parameters: [],
  rows: 'One row for each of them, with the owners of the application; whoever owns something that contains it would answer for it.',
  whole: 'it looks at all resources.',
  cypher: `MATCH (target:Resource)
WHERE NOT EXISTS {
  MATCH (target)<-[:CONTAINS*0..]-(place:Resource)
  WHERE EXISTS { (place)-[:OWNED_BY|${RESOURCE_MANAGERS}]->() }
}
RETURN target.application AS application, target.path AS resource, target.resource_type AS type,
  COLLECT {
    MATCH (target)<-[:CONTAINS*1..]-(:Application)-[:OWNED_BY]->(owner:Identity)
    RETURN DISTINCT owner.name AS name ORDER BY name
  } AS owners_of_the_application,
  target.key AS key
ORDER BY application, resource, key`,
};

const reviewers: Question = {
  name: 'reviewers-of-a-resource',
  title: 'Reviewers of a resource',
  question: 'Who would review a resource?',
  parameters: [RESOURCE],
  rows: `One row for each suggested reviewer: the users and groups of directories that own the resource by their \`entities_owned\`, for which it carries the tag ${RESOURCE_MANAGERS} (spec: Rules of behavior 4).`,
  cypher: `${FIND_RESOURCE}
MATCH (target)-[managed:${RESOURCE_MANAGERS}]->(reviewer:IdpUser|IdpGroup)
RETURN ${placed('target')} AS resource,
  reviewer.name AS reviewer,
  ${kindOf('reviewer')} AS label,
  reviewer.email AS email,
  ${marksOf('reviewer')} AS marks,
  // Whom to ask when the reviewer has left.
  ${namesOf('(reviewer)-[:MANAGED_BY]->(manager:IdpUser)', 'manager')} AS managers,
  COLLECT {
    MATCH (reviewer)-[:OWNS]->(owned:ExternalEntity)-[:RESOLVES_TO]->(target)
    RETURN 'owns ' + owned.node_type + ' ' + owned.id AS reason ORDER BY reason
  } AS reasons,
  managed.since AS since,
  reviewer.key AS key
ORDER BY resource, size(marks), reviewer, key`,
};

/** Resources: reached by too many, by nobody, owned by nobody. */
export const resources = topic('resources', [unreached, open, unowned, reviewers]);
