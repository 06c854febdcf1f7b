import { GAIN } from '../../translate/questions/access-rules';
import { parameter } from '../parameters';
import { FIND_GROUP, inOrder, kindOf, marksOf, named, reachedFrom } from '../pieces';
import { type Question, topic } from '../saved-query';

const members: Question = {
  name: 'members-of-a-group',
  title: 'Members of a group, nested',
  question:
    'Who is in a group, by whatever way: directly, by a group within it, by a group of a directory?',
  parameters: [
    parameter(
      'group',
      "'firmware-team'",
      'the key, id or name of a group, in a directory or an application',
    ),
  ],
  rows: 'One row for each user, account or agent, with the shortest ways in.',
  cypher: `${FIND_GROUP}
MATCH way = ALL SHORTEST
  (member:IdpUser|LocalUser|LocalAgent)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF]->+(group)
WITH group, member, relationships(way)[-1].since AS since,
  reduce(text = '', step IN nodes(way)[1..] | CASE WHEN text = '' THEN ${named('step')} ELSE text + ' → ' + ${named('step')} END) AS through
WITH group, member, min(since) AS since, collect(through) AS ways
RETURN group.name AS group, coalesce(group.application, group.domain) AS of,
  ${named('member')} AS member, ${kindOf('member')} AS label,
  ${marksOf('member')} AS marks,
  ${inOrder('ways')} AS through,
  since,
  member.key AS key
ORDER BY of, group, member, label, key`,
};

const idle: Question = {
  name: 'groups-that-give-nothing',
  title: 'Groups that give nothing',
  question: 'Which groups give their members no access at all?',
  parameters: [],
  rows: 'One row for each group of a directory or application that leads to no permission on anything, with its direct members counted.',
  whole: 'it looks at all groups, and stops at the first thing that each gives.',
  cypher: `MATCH (group:IdpGroup|LocalGroup)
WHERE NOT EXISTS {
  ${reachedFrom('group', 'group').replaceAll('\n', '\n  ')}
  RETURN target
}
RETURN group.name AS group, ${kindOf('group')} AS label, coalesce(group.application, group.domain) AS of,
  COUNT { (group)<-[:MEMBER_OF]-() } AS members, group.key AS key
ORDER BY of, group, key`,
};

const lonely: Question = {
  name: 'groups-with-one-member',
  title: 'Groups with one member',
  question: 'Which groups have a single person, account or agent in them?',
  parameters: [],
  rows: 'One row for each group; nested groups count for their members, and an account for its person.',
  whole: 'it looks at all groups.',
  cypher: `MATCH (group:IdpGroup|LocalGroup)
CALL (group) {
  MATCH (member:IdpUser|LocalUser|LocalAgent)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF*1..]->(group)
  WHERE NOT EXISTS { (:IdpUser)-[:KNOWN_AS]->()-[:IDENTITY_OF]->(member) }
  // Two are enough to know.
  WITH DISTINCT member LIMIT 2
  RETURN collect(member) AS members
}
WITH group, members, head(members) AS member
WHERE size(members) = 1
RETURN group.name AS group, ${kindOf('group')} AS label, coalesce(group.application, group.domain) AS of,
  ${named('member')} AS member, ${kindOf('member')} AS member_label,
  ${marksOf('member')} AS marks,
  EXISTS { MATCH (group)-[:${GAIN}*0..]->(holder)-[:HOLDS]->() } AS leads_to_access,
  group.key AS key
ORDER BY of, group, key`,
};

/** Groups of directories and applications. */
export const groups = topic('groups', [members, idle, lonely]);
