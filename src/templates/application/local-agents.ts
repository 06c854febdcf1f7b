import { flag, neededText, references, text, time } from '../fields';
import { types } from '../relationship-type';
import { AccessCredential } from './access-credentials';
import { ids, localKind } from './local-kind';
import { LocalGroup } from './local-groups';
import { LocalModel } from './local-models';

export const localAgents = localKind({
  list: 'local_agents',
  word: 'agent',
  codecName: 'local agent',
  label: 'LocalAgent',
  colour: '#14A3A3',
  also: ['Principal'],
  doc: 'An AI agent of an application.',
  definition: 'local_agent',
  identityType: 'local_agent',
  fields: {
    name: neededText('Name.', 'title'),
    ...ids,
    ai_platform: text('Platform.', 'mention'),
    ai_agent_publisher: text('Publisher.', 'mention'),
    is_active: flag('Is active.'),
    created_at: time('Created.'),
    groups: references(types.MEMBER_OF, LocalGroup, 'Groups that it is a direct member of.'),
    access_creds: references(types.HAS_CREDENTIAL, AccessCredential, 'Credentials that it has.'),
    models: references(types.USES_MODEL, LocalModel, 'Models that it uses.'),
  },
});
export const LocalAgent = localAgents.node;
