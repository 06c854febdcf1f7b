import { GAIN, heldBy } from '../../translate/questions/access-rules';
import { NOW, parameter } from '../parameters';
import {
  inOrder,
  kindOf,
  marksOf,
  named,
  namesOf,
  onlyOf,
  permissionNames,
  placed,
  givenBy,
  reachedByMany,
  reachedFrom,
  WRITING,
} from '../pieces';
import { type Question, topic } from '../saved-query';

const orphans: Question = {
  name: 'accounts-without-a-person',
  title: 'Accounts without a person',
  question: 'Whose access has no matching person?',
  parameters: [],
  rows: 'One row for each account, AI agent, credential or identity that has effective access (graph.md 9) although no person of any directory leads to it: what it is, what it names, who uses or owns it, what it holds.',
  whole: 'it looks at all accounts, agents, credentials and identities.',
  cypher: `MATCH (account:LocalUser|LocalAgent|AccessCredential|Identity)
// An identity is asked for itself where it holds something or is a member; else the account that it names is.
WHERE (NOT account:Identity OR EXISTS { (account)-[:HOLDS]->() } OR EXISTS { (account)-[:IDENTITY_OF]->(:LocalGroup) })
  AND NOT EXISTS {
    MATCH (person:IdpUser)-[:MEMBER_OF|KNOWN_AS|IDENTITY_OF|SOURCE_IDENTITY_OF|HAS_CREDENTIAL*1..]->(account)
    WHERE coalesce(person.identity_type, 'HUMAN') <> 'NONHUMAN'
  }
${heldBy('account')}
WITH held, collect(DISTINCT account) AS accounts
// Each thing held once, however many gain it: whether it gives anything on anything.
CALL (held) {
  ${givenBy().replaceAll('\n', '\n  ')}
  RETURN true AS isEffective LIMIT 1
}
MATCH (held)-[:ON]->(scope)
WITH accounts, held.name + ' on ' + ${placed('scope')} AS held
UNWIND accounts AS account
WITH DISTINCT account, held ORDER BY held
WITH account, collect(held) AS access
RETURN ${named('account')} AS account,
  ${kindOf('account')} AS label,
  account.application AS application,
  ${marksOf('account')} AS marks,
  // The identities that it names, the robots and groups known by them, the agent whose credential it is.
  ${namesOf('(identity:Identity)-[:IDENTITY_OF]->(account)', 'identity')} AS names,
  ${namesOf('(known:IdpUser|IdpGroup)-[:KNOWN_AS|IDENTITY_OF*1..2]->(account)', 'known')} AS known_as,
  ${namesOf('(user)-[:HAS_CREDENTIAL]->(account)', 'user')} AS used_by,
  ${namesOf('(account)-[:OWNED_BY]->(owner:Identity)', 'owner')} AS owners,
  coalesce(account.last_login_at, account.last_used_at) AS last_seen,
  access,
  account.key AS key
ORDER BY account, label, key`,
};

const inactiveAccounts: Question = {
  name: 'inactive-accounts-with-grants',
  title: 'Inactive accounts with grants',
  question: 'Which accounts are inactive or deactivated and still hold something?',
  parameters: [NOW],
  rows: 'One row for each account and thing held, by itself or by a group or role.',
  whole: 'it looks at all accounts.',
  cypher: `MATCH (account:LocalUser)
WHERE account.is_active = false OR account.deactivated_at <= $now
MATCH (account)-[:${GAIN}*0..]->(holder)-[:HOLDS]->(held:Entitlement)-[:ON]->(scope)
WITH DISTINCT account, holder, held, scope
RETURN account.name AS account, account.application AS application, account.deactivated_at AS deactivated_at,
  ${namesOf('(account)<-[:IDENTITY_OF]-()<-[:KNOWN_AS]-(person:IdpUser)', 'person')} AS people,
  ${kindOf('held')} AS label, held.name AS holds, ${placed('scope')} AS on,
  CASE WHEN holder = account THEN 'itself' ELSE ${named('holder')} END AS through,
  account.key AS key
ORDER BY application, account, holds, on, through, key`,
};

const robots: Question = {
  name: 'non-human-accounts-with-write-access',
  title: 'Non-human accounts with write access',
  question: 'Which service accounts, robots, AI agents and credentials can change data, and where?',
  parameters: [],
  rows: `One row for each of them and application, with the permissions of the canonical types ${WRITING.join(', ')}, and who answers for it.`,
  whole: 'it looks at all accounts, agents, credentials and users of directories.',
  cypher: `MATCH (account:LocalUser|LocalAgent|AccessCredential|IdpUser)
WHERE NOT account:LocalUser AND NOT account:IdpUser
  OR account.user_type = 'service_account' OR account.identity_type = 'NONHUMAN'
${reachedByMany('account', 'account')}
WITH account, target, ${onlyOf(WRITING)} AS permissions
WHERE size(permissions) > 0
WITH account, target.application AS application, collect(permissions) AS found, collect(DISTINCT ${placed('target')}) AS resources
RETURN ${named('account')} AS account, ${kindOf('account')} AS label,
  coalesce(account.application, account.domain) AS lives_in,
  application,
  ${permissionNames('found')} AS permissions,
  ${inOrder('resources')} AS resources,
  ${namesOf('(account)-[:OWNED_BY|MANAGED_BY]->(owner)', 'owner')} AS owners,
  account.key AS key
ORDER BY lives_in, account, label, application, key`,
};

const agents: Question = {
  name: 'agents-their-models-and-their-reach',
  title: 'AI agents, their models and their reach',
  question:
    'Which AI agents are there, which models do they use, who owns them, and what can they reach?',
  parameters: [],
  rows: 'One row for each agent and application that it reaches; its credentials may reach more than it does.',
  whole: 'it looks at all agents.',
  cypher: `MATCH (agent:LocalAgent)
OPTIONAL CALL (agent) {
  ${reachedFrom('agent', 'agent').replaceAll('\n', '\n  ')}
  RETURN target.application AS application, collect(permissions) AS found, collect(DISTINCT ${placed('target')}) AS resources
}
RETURN agent.name AS agent, agent.application AS lives_in, agent.ai_platform AS platform, agent.is_active AS is_active,
  ${namesOf('(agent)-[:USES_MODEL]->(model)', 'model')} AS models,
  ${namesOf('(agent)-[:OWNED_BY]->(owner)', 'owner')} AS owners,
  ${namesOf('(agent)-[:MEMBER_OF]->(group)', 'group')} AS groups,
  ${namesOf('(agent)-[:HAS_CREDENTIAL]->(credential)', 'credential')} AS credentials,
  application,
  ${permissionNames('coalesce(found, [])')} AS permissions,
  ${inOrder('coalesce(resources, [])')} AS resources
ORDER BY lives_in, agent, application`,
};

/** What is told of a credential in both reports about them. */
const CREDENTIAL = `RETURN ${named('credential')} AS credential, credential.application AS application,
  ${namesOf('(user)-[:HAS_CREDENTIAL]->(credential)', 'user')} AS used_by,
  ${namesOf('(credential)-[:OWNED_BY]->(owner)', 'owner')} AS owners,
  credential.created_at AS created_at, credential.expires_at AS expires_at, credential.last_used_at AS last_used_at,
  // What it reaches by itself: it does not have the access of its user.
  COLLECT {
    MATCH (credential)-[:HOLDS]->(held)-[:ON]->(scope)
    RETURN DISTINCT held.name + ' on ' + ${placed('scope')} AS text ORDER BY text
  } AS holds,
  credential.key AS key
ORDER BY application, credential, key`;

const everlasting: Question = {
  name: 'credentials-that-never-expire',
  title: 'Credentials that never expire',
  question: 'Which active keys and tokens never expire?',
  parameters: [],
  rows: 'One row for each credential that cannot expire, or is not said to.',
  whole: 'it looks at all credentials.',
  cypher: `MATCH (credential:AccessCredential)
WHERE coalesce(credential.is_active, true)
  AND (credential.can_expire = false OR credential.expires_at IS NULL)
${CREDENTIAL}`,
};

const unused: Question = {
  name: 'credentials-that-are-unused',
  title: 'Credentials that are unused',
  question: 'Which active keys and tokens has nobody used for long, or ever?',
  parameters: [
    NOW,
    parameter('days', '90', 'after how many days without use a credential counts as unused'),
  ],
  rows: 'One row for each credential; one without `last_used_at` was never seen in use.',
  whole: 'it looks at all credentials.',
  cypher: `MATCH (credential:AccessCredential)
WHERE coalesce(credential.is_active, true)
  AND coalesce(credential.last_used_at < $now - duration({days: $days}), true)
${CREDENTIAL}`,
};

/** Accounts, and what acts without a person. */
export const accounts = topic('accounts', [
  orphans,
  inactiveAccounts,
  robots,
  agents,
  everlasting,
  unused,
]);
