import { person } from '../parameters';
import {
  FIND_PERSON,
  inOrder,
  kindOf,
  marksOf,
  named,
  namesOf,
  onlyOf,
  permissionNames,
  placed,
  reachedByMany,
  WRITING,
} from '../pieces';
import { type Question, topic } from '../saved-query';

const accounts: Question = {
  name: 'accounts-of-a-person',
  title: 'Every account of a person',
  question:
    'Which accounts does a person have, in directories and applications, and by which identity are they theirs?',
  parameters: [person('Dana Whitlock')],
  rows: 'One row for each account, with what it holds and its credentials; users that source identities link are one person.',
  cypher: `${FIND_PERSON}
MATCH (person)-[:SOURCE_IDENTITY_OF*0..]-(user:IdpUser)
WITH DISTINCT person, user
CALL (user) {
  RETURN user AS account, null AS identity
  UNION
  MATCH (user)-[:KNOWN_AS]->(identity:Identity)-[:IDENTITY_OF]->(account:LocalUser)
  RETURN account, identity.name AS identity
}
WITH person, user, account, collect(DISTINCT identity) AS identities
RETURN person.name AS person, user.name AS user,
  ${named('account')} AS account, ${kindOf('account')} AS label,
  coalesce(account.application, account.domain) AS lives_in,
  ${marksOf('account')} AS marks,
  ${inOrder('identities')} AS known_as,
  ${namesOf('(account)-[:HAS_CREDENTIAL]->(credential)', 'credential')} AS credentials,
  account.last_login_at AS last_login_at,
  account.key AS key
ORDER BY person, user, label, lives_in, account, key`,
};

const inactivePeople: Question = {
  name: 'inactive-people-with-access',
  title: 'Inactive people with access',
  question: 'Which people are inactive in their directory and can still reach something?',
  parameters: [],
  rows: 'One row for each of them and application.',
  whole: 'it looks at all users of directories.',
  cypher: `MATCH (person:IdpUser)
WHERE person.is_active = false
${reachedByMany('person', 'person')}
WITH person, target.application AS application, collect(permissions) AS found, count(DISTINCT target) AS resources
RETURN person.name AS person, person.email AS email, person.domain AS domain,
  ${namesOf('(person)-[:MANAGED_BY]->(manager)', 'manager')} AS managers,
  application,
  ${permissionNames('found')} AS permissions,
  resources,
  person.key AS key
ORDER BY person, application, key`,
};

const guests: Question = {
  name: 'guests-with-write-access',
  title: 'Guests with write access',
  question: 'Which guests can change data, and where?',
  parameters: [],
  rows: `One row for each guest and resource, with the permissions of the canonical types ${WRITING.join(', ')}.`,
  whole: 'it looks at all users of directories.',
  cypher: `MATCH (person:IdpUser)
WHERE person.is_guest
${reachedByMany('person', 'person')}
WITH person, target, ${onlyOf(WRITING)} AS permissions
WHERE size(permissions) > 0
WITH person, target, collect(permissions) AS found
RETURN person.name AS guest, person.email AS email,
  ${namesOf('(person)-[:MANAGED_BY]->(manager)', 'manager')} AS managers,
  target.application AS application, ${placed('target')} AS resource,
  ${permissionNames('found')} AS permissions,
  person.key AS key
ORDER BY guest, application, resource, key`,
};

const managers: Question = {
  name: 'managers-that-do-not-exist',
  title: 'Managers that do not exist',
  question: 'Whose manager does the directory not know?',
  parameters: [],
  rows: 'One row for each user whose `manager_id` is nobody of the same directory.',
  whole: 'it looks at all users of directories.',
  cypher: `MATCH (person:IdpUser)
WHERE person.manager_id IS NOT NULL AND NOT EXISTS { (person)-[:MANAGED_BY]->() }
RETURN person.name AS person, person.email AS email, person.domain AS domain, person.manager_id AS manager,
  ${marksOf('person')} AS marks, person.since AS since, person.key AS key
ORDER BY domain, person, key`,
};

const identities: Question = {
  name: 'identities-that-nobody-matches',
  title: 'Identities that nobody matches',
  question: 'Which logins, emails and group names do applications mention that no directory knows?',
  parameters: [],
  rows: 'One row for each identity: whose it is said to be, what it holds, what it owns.',
  whole: 'it looks at all identities.',
  cypher: `MATCH (identity:Identity)
WHERE NOT EXISTS { (identity)<-[:KNOWN_AS]-() }
RETURN identity.name AS identity,
  ${namesOf('(identity)-[:IDENTITY_OF]->(account)', 'account')} AS said_to_be_of,
  COLLECT {
    MATCH (identity)-[:HOLDS]->(held)-[:ON]->(scope)
    RETURN DISTINCT held.name + ' on ' + ${placed('scope')} AS text ORDER BY text
  } AS holds,
  ${namesOf('(identity)<-[:OWNED_BY]-(owned)', 'owned')} AS owns,
  ${inOrder('[(identity)--(mention) WHERE mention.application IS NOT NULL | mention.application]')} AS applications
ORDER BY identity`,
};

const withoutAccount: Question = {
  name: 'employees-without-an-account',
  title: 'Employees without an account',
  question:
    'Which employees of an HR system work for the company and have no account in a directory?',
  parameters: [],
  rows: 'One row for each of them: what the HR system knows, and by what an account would be found.',
  whole: 'it looks at all employees.',
  cypher: `MATCH (employee:Employee)
WHERE employee.is_active AND NOT EXISTS { (employee)-[:HAS_ACCOUNT]->() }
RETURN employee.name AS employee, employee.job_title AS job_title,
  ${namesOf('(employee)-[:IN_DEPARTMENT]->(department)', 'department')} AS department,
  ${namesOf('(employee)-[:MANAGED_BY]->(manager)', 'manager')} AS managers,
  employee.start_date AS start_date, employee.employment_status AS employment_status,
  coalesce(employee.idp_id, employee.email, employee.id) AS account_would_be,
  employee.system AS system, employee.key AS key
ORDER BY system, employee, key`,
};

const peopleWhoLeft: Question = {
  name: 'accounts-of-people-who-left',
  title: 'Accounts of people who left',
  question:
    'Who has left, as an HR system says, and still has accounts in directories or applications?',
  parameters: [],
  rows: 'One row for each account: of a directory, and of an application to which that one leads. What is inactive keeps its access (marks).',
  whole: 'it looks at all employees.',
  cypher: `MATCH (employee:Employee)
WHERE NOT employee.is_active
MATCH (employee)-[:HAS_ACCOUNT]->(user:IdpUser)
CALL (user) {
  RETURN user AS account
  UNION
  MATCH (user)-[:KNOWN_AS]->(:Identity)-[:IDENTITY_OF]->(account:LocalUser)
  RETURN account
}
WITH DISTINCT employee, account
RETURN employee.name AS employee, employee.termination_date AS termination_date,
  ${namesOf('(employee)-[:MANAGED_BY]->(manager)', 'manager')} AS managers,
  ${named('account')} AS account, ${kindOf('account')} AS label,
  coalesce(account.application, account.domain) AS lives_in,
  ${marksOf('account')} AS marks,
  account.last_login_at AS last_login_at,
  employee.system AS system, account.key AS key
ORDER BY employee, lives_in, account, key`,
};

/** People, and the names by which applications know them. */
export const people = topic('people', [
  accounts,
  inactivePeople,
  guests,
  managers,
  identities,
  withoutAccount,
  peopleWhoLeft,
]);
