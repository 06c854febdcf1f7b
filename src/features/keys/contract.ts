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
  teamKeysOfProvider,
} from './team-keys';

/** Team keys, and the sign-ins with them. */
export const keysOf = oncePerContext(({ graph }) => {
  const teamKeys = graphTeamKeys(graph);
  const signingIn = signIns({ teamKeys });
  const changing = { teamKeys, hasChanged: signingIn.forget };
  return {
    create: createTeamKey(changing),
    list: listTeamKeys(changing),
    ofProvider: teamKeysOfProvider(changing),
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

/** Counts the sign-ins that the service refused, and writes one line about them. */
export const refusedSignInsOf = oncePerContext(({ log }) => refusedSignIns(log));

export { admits } from './key-rights';
