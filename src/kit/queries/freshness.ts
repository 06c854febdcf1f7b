import { NOW, parameter } from '../parameters';
import { inOrder, kindOf, named, placed } from '../pieces';
import { type Question, topic } from '../saved-query';

const SINCE = parameter('since', "datetime() - duration('P7D')", 'from when on things are new');

/** Relationships that carry access, by what they say of the one who gains. */
const newLinks = (type: string, verb: string): string => `MATCH (who)-[link:${type}]->(gained)
  WHERE link.since >= $since
  RETURN who, '${verb} ' + ${named('gained')} AS what, link.since AS since`;

const newAccess: Question = {
  name: 'access-that-came-lately',
  title: 'Access that came this week',
  question:
    'Which access is new: grants, role assignments, memberships, identities that came to be known?',
  parameters: [SINCE],
  rows: 'One row for each thing that now gives access and did not before `since`, with the push that brought it.',
  whole: 'it looks at all that is held and at all memberships.',
  cypher: `CALL () {
  MATCH (who)-[holds:HOLDS]->(held:Entitlement)
  WHERE holds.since >= $since
  RETURN who, 'holds ' + held.name + ' on ' + reduce(text = '', name IN ${inOrder(`[(held)-[:ON]->(scope) | ${placed('scope')}]`).replaceAll('\n', '\n  ')} |
      CASE WHEN text = '' THEN name ELSE text + ', ' + name END) AS what, holds.since AS since
  UNION
  ${newLinks('MEMBER_OF', 'is a member of')}
  UNION
  ${newLinks('IDENTITY_OF', 'is the identity of')}
  UNION
  ${newLinks('KNOWN_AS', 'is known as')}
  UNION
  ${newLinks('ASSUMES_ROLE', 'assumes')}
}
OPTIONAL MATCH (push:Push {at: since})-[:FROM]->(source:DataSource)
RETURN ${named('who')} AS who, ${kindOf('who')} AS label, coalesce(who.application, who.domain) AS lives_in,
  what, since, source.name AS data_source, push.id AS push, who.key AS key
ORDER BY since DESC, who, label, what, key`,
};

const freshness: Question = {
  name: 'data-sources-by-freshness',
  title: 'Data sources by freshness',
  question: 'How old is what the graph knows of each system?',
  parameters: [NOW],
  rows: 'One row for each data source, the oldest first; one without a push is empty.',
  whole: 'it looks at all data sources.',
  cypher: `MATCH (source:DataSource)-[:FROM]->(provider:Provider)
RETURN provider.name AS provider, provider.custom_template AS template, source.name AS data_source, source.status AS status,
  source.last_push_at AS last_push_at,
  duration.inDays(source.last_push_at, $now).days AS days_old,
  toInteger(source.rows) AS rows
ORDER BY last_push_at IS NOT NULL, last_push_at, provider, data_source`,
};

const warned: Question = {
  name: 'pushes-that-warned',
  title: 'Pushes that warned',
  question: 'Which pushes were accepted with warnings, and what do these say?',
  parameters: [SINCE],
  rows: 'One row for each push, the newest first.',
  cypher: `MATCH (push:Push)-[:FROM]->(source:DataSource)
WHERE push.at >= $since AND push.warning_count > 0
RETURN source.provider AS provider, source.name AS data_source, push.at AS at, push.outcome AS outcome,
  toInteger(push.warning_count) AS warning_count, push.warnings AS warnings, push.id AS push
ORDER BY at DESC`,
};

const tags: Question = {
  name: 'what-is-tagged-how',
  title: 'What is tagged how',
  question: 'Which tags are there, and what carries them?',
  parameters: [],
  rows: "One row for each tag and kind of thing; `derived` tags are the service's own.",
  whole: 'it looks at all tags.',
  cypher: `MATCH (tag:Tag)<-[tagged:TAGGED]-(thing)
WITH tag, coalesce(tagged.derived, false) AS derived, ${kindOf('thing')} AS label, collect(${placed('thing')}) AS things, count(*) AS count
RETURN tag.name AS tag, tag.value AS value, derived, label, count, ${inOrder('things')}[..20] AS some_of_them
ORDER BY tag, value, derived, label`,
};

/** How fresh the graph is, what is new in it, and what is tagged how. */
export const freshnessQueries = topic('freshness', [newAccess, freshness, warned, tags]);
