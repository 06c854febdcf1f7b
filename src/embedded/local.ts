import { startContainerNeo4j } from './docker/container';
import { dockerAnswers } from './docker/docker';
import { type EmbeddedOptions, type LocalNeo4j, startEmbeddedNeo4j } from './server';
import { StartFailure } from './start-failure';
import { existingStores } from './store';

/** The functions from which `startLocalNeo4j` chooses. */
export interface Starters {
  readonly startEmbedded: typeof startEmbeddedNeo4j;
  readonly startContainer: typeof startContainerNeo4j;
  readonly hasDocker: () => Promise<boolean>;
}

const STARTERS: Starters = {
  startEmbedded: startEmbeddedNeo4j,
  startContainer: startContainerNeo4j,
  hasDocker: dockerAnswers,
};

/**
 * Starts the embedded Neo4j. If Java or Maven is missing, no store exists yet and a Docker engine
 * answers, it starts a container instead. Rejects with a StartFailure.
 */
export const startLocalNeo4j = async (
  options: EmbeddedOptions & { readonly dataFolder: string },
  { startEmbedded, startContainer, hasDocker }: Starters = STARTERS,
): Promise<LocalNeo4j> => {
  try {
    return await startEmbedded(options);
  } catch (error) {
    const isMissing =
      error instanceof StartFailure &&
      (error.kind === 'java-missing' || error.kind === 'maven-missing');
    // A container would begin with an empty graph although a store exists.
    if (!isMissing || (await existingStores(options.dataFolder)).length > 0) throw error;
    if (await hasDocker()) return startContainer(options);
    throw new StartFailure(
      error.kind,
      `${error.message}\nA running Docker engine would do as well; none answers.`,
    );
  }
};
