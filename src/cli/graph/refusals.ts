import { WrongBackup } from '../../features/backup/backup-file';
import { BackupTooSlow, GraphBusy } from '../../features/backup/graph/read-graph';
import { UnknownValueType } from '../../features/backup/graph/stored-value';
import { GraphNotEmpty, UnfitBackup } from '../../features/backup/graph/write-graph';
import {
  RestoreUnfinished,
  StoreNotMigrated,
  UnreadableStore,
} from '../../graph/migration/migrate';
import { isConnectivity, isSignInRefused, isTooMuch, wordsOfNeo4j } from '../../neo4j/failure';
import { SealBroken } from '../../secrets/vault';
import { NoVaultKey } from '../../secrets/vault-key';
import { GraphRefusal } from '../../command/context';
import { EXIT } from '../../command/output';
import { AnotherNeo4j } from './with-graph';

/** Errors whose message says what to do. */
const EXPLAINED = [
  UnreadableStore,
  StoreNotMigrated,
  RestoreUnfinished,
  WrongBackup,
  UnfitBackup,
  UnknownValueType,
  GraphNotEmpty,
  SealBroken,
  NoVaultKey,
  AnotherNeo4j,
];

const refusalOf = (error: unknown): unknown => {
  if (EXPLAINED.some((kind) => error instanceof kind)) {
    return new GraphRefusal((error as Error).message, EXIT.refused);
  }
  if (error instanceof GraphBusy || error instanceof BackupTooSlow) {
    return new GraphRefusal(error.message, EXIT.unavailable);
  }
  if (isConnectivity(error)) {
    return new GraphRefusal(`Neo4j does not answer: ${(error as Error).message}`, EXIT.unavailable);
  }
  if (isSignInRefused(error)) {
    return new GraphRefusal(
      'Neo4j refuses the sign-in: check NEO4J_URI, NEO4J_USER and NEO4J_PASSWORD.',
      EXIT.refused,
    );
  }
  if (isTooMuch(error)) {
    return new GraphRefusal(
      'Neo4j needed longer than its limit, or more memory than it has (NEO4J_HEAP). Try again, or give it more.',
      EXIT.unavailable,
    );
  }
  const words = wordsOfNeo4j(error);
  if (words !== null) {
    // What Neo4j says is for those who know it; the stack of the driver is for nobody.
    return new GraphRefusal(
      `Neo4j did not do what the command needs: ${words} Its own log says more.`,
      EXIT.refused,
    );
  }
  return error;
};

/** Runs work of a command on the graph, and says in words of the command line why it failed. */
export const withRefusals = async (work: () => Promise<void>): Promise<void> => {
  try {
    await work();
  } catch (error) {
    throw refusalOf(error);
  }
};
