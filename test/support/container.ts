import { Neo4jContainer, type StartedNeo4jContainer } from '@testcontainers/neo4j';
import { KEPT_PLANS } from '../../src/embedded/configuration';
import { NEO4J_IMAGE } from '../../src/embedded/docker/container';
import { dockerAnswers } from '../../src/embedded/docker/docker';

/** The environment variable that sets a setting in Neo4j's images. */
const variableOf = (setting: string): string =>
  `NEO4J_${setting.replaceAll('_', '__').replaceAll('.', '_')}`;

/** Starts a throw-away Neo4j container; undefined where no Docker engine answers. */
export const startTestContainer = async (): Promise<StartedNeo4jContainer | undefined> =>
  (await dockerAnswers())
    ? new Neo4jContainer(process.env.NEO4J_IMAGE || NEO4J_IMAGE)
        .withPassword('throw-away')
        .withEnvironment({ [variableOf(KEPT_PLANS.name)]: KEPT_PLANS.value })
        // A slow machine is no fault.
        .withStartupTimeout(600_000)
        .start()
    : undefined;
