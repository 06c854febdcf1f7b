import { oncePerContext } from '../../context';
import { graphTeamKeys } from './key-records';
import { refusedSignIns } from './refused-sign-ins';
import { signIns } from './sign-ins';
import {
  changeTeamKey,
  createTeamKey,
  deleteTeamKey,
  findTeamKeyById,
  listTeamKeys,
  rotateTeamKey,
} from './team-keys';
import { eventWriterOf } from '../events/contract';

/** Team keys, and the sign-ins with them. */
export const keysOf = oncePerContext(({ graph }) => {
  const teamKeys = graphTeamKeys(graph);
  const signingIn = signIns({ teamKeys });
  const changing = { teamKeys, hasChanged: signingIn.forget };
  return {
    create: createTeamKey(changing),
    list: listTeamKeys(changing),
    findById: findTeamKeyById(changing),
    change: changeTeamKey(changing),
    rotate: rotateTeamKey(changing),
    remove: deleteTeamKey(changing),
    /** Finds the team key of an access key. */
    find: signingIn.find,
    /** Whether this process has found this access key in the graph, though it may have ended. */
    isKnown: signingIn.isKnown,
  };
});

/** Counts the sign-ins that the service refused, and writes one event about them. */
export const refusedSignInsOf = oncePerContext((context) =>
  refusedSignIns({ writeEvent: eventWriterOf(context) }),
);

export { admits } from './team-keys';
