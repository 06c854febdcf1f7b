import { Neo4jContainer, type StartedNeo4jContainer } from '@testcontainers/neo4j';
import { NEO4J_IMAGE } from '../../src/embedded/container';
import { dockerAnswers } from '../../src/embedded/docker';

/** Starts a throw-away Neo4j container; undefined where no Docker engine answers. */
export const startTestContainer = async (): Promise<StartedNeo4jContainer | undefined> =>
  (await dockerAnswers())
    ? new Neo4jContainer(process.env.NEO4J_IMAGE || NEO4J_IMAGE)
        .withPassword('throw-away')
        // As in src/embedded/configuration.ts.
        .withEnvironment({ NEO4J_dbms_cypher_min__replan__interval: '1d' })
        .start()
    : undefined;
