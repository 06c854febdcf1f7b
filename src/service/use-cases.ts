import type { Either } from 'fp-ts/Either';
import { pipe } from 'fp-ts/function';
import * as TE from 'fp-ts/TaskEither';
import type { TaskEither } from 'fp-ts/TaskEither';

import type { Page } from '../contract/page';
import type { DataSource, Provider } from '../contract/answers/registry';
import type { ListedPush, TakenPart, PushDetails } from '../contract/answers/pushes';
import type { ErasureAnswer } from '../contract/answers/erasure';
import type { EventAnswer } from '../contract/answers/events';
import type { CreatedTeamKey, TeamKey } from '../contract/answers/team-keys';
import type { Cypher } from '../contract/answers/questions/cypher';
import type { EntityPage } from '../contract/answers/questions/entities';
import type { QueryAnswer } from '../contract/answers/questions/query';
import type { Verification } from '../contract/answers/verification';
import type { Answers, Reviewers } from '../graph/questions/answers';
import type { ToldCypher } from '../graph/questions/answer-queries';
import type { Query } from '../graph/query/reading-query';
import type { Actor } from '../graph/records/event-record';
import type { History } from '../graph/records/lists/push-and-event-lists';
import type { KeptHistory } from '../graph/records/past-facts';
import type { ProviderChanges } from '../graph/records/provider-record';
import type { Registry } from '../graph/records/registry';
import type { TeamKeyChanges, TeamKeys } from '../graph/records/team-keys';
import type { Instant } from '../model/instant';
import type { Failure, StillRunning } from '../problem';
import {
  type AccessGraph,
  type AccessPage,
  checkAccess,
  explainAccess,
  type Explanation,
  type ForHuman,
  listAccess,
  type Listed,
  type PairQuestion,
  type Settled,
  type Subject,
  type WantedAccess,
} from './questions/ask-access';
import {
  exportAccess,
  type ExportDependencies,
  type ExportRequest,
  type ExportStream,
} from './questions/export-access';
import {
  type AccessChanges,
  type ChangesPage,
  findChanges,
  type WantedChanges,
} from './questions/ask-changes';
import { createDataSource, type CreateDataSource } from './registry/create-data-source';
import {
  deleteDataSource,
  deleteProvider,
  type DeletionDependencies,
  type DeletionRequest,
} from './registry/deletion';
import { erasePerson, type ErasePerson, type ErasureDependencies } from './registry/erase-person';
import {
  type EventStream,
  type EventStreamDependencies,
  openEventStream,
  type OpenStream,
} from './events/event-stream';
import {
  type CountedPage,
  listDataSources,
  listProviders,
  type Shown,
  type Wanted,
} from './registry/list-providers';
import {
  completeUpload,
  type CompleteUpload,
  type UploadDependencies,
  readParts,
  type SomePart,
  type SomePartsRequest,
  startUpload,
  takePart,
} from './multipart/multipart-upload';
import type { PayloadPush } from './receive/push-intent';
import type { LifecycleDependencies } from './lifecycle/dependencies';
import { lifecycle, type Lifecycle } from './lifecycle/lifecycle';
import type { ProvisioningDependencies } from './provisioning/dependencies';
import { provisioning, type Provisioning } from './provisioning/provisioning';
import { type ScimServer, scimServer } from './scim-server/scim-server';
import { takeWrite } from './scim-server/take-write';
import type { ScimServerDependencies, TakePush } from './scim-server/writing';
import { registerProvider, type RegisterProvider } from './registry/register-provider';
import type { SentBody } from './receive/sent-body';
import type { SentPlan, SentPush } from './receive/sent-push';
import { type FoundEntities, search, searchOf, type WantedEntities } from './questions/search';
import { scimImports, type ScimImportCases } from './scim-import/scim-imports';
import type { ImportDependencies } from './scim-import/dependencies';
import { takingTurns } from './threads/push-turns';
import { readingTurns } from './threads/reading-turns';
import { takePlan, takePush, type TakePushDependencies } from './threads/take-push';
import type { Turns } from './threads/turns';
import type { PlanResult } from './plan/plan-result';
import type { AcceptedPush } from './push/accepted-push';
import { type RefusedSignInsDependencies, refusedSignIns } from './events/refused-sign-ins';
import { allowRemoval, changeProvider } from './registry/settings';
import { signIns } from './registry/sign-ins';
import {
  changeTeamKey,
  createTeamKey,
  type CreateTeamKey,
  deleteTeamKey,
  findTeamKeyById,
  type KeyAct,
  listTeamKeys,
  rotateTeamKey,
  type RotateTeamKey,
} from './registry/team-keys';
import { overdueEvent } from './events/overdue-event';
import {
  verifyDataSource,
  type VerifyDataSource,
  type VerifyDependencies,
} from './verify-data-source';
import { listTrusts, setTrusts, type TrustDependencies } from './registry/trusts';
import { derivedSecret } from '../vault';

/** The target of a push: a data source and its provider. */
export type PushTarget = PayloadPush['source'];

/** What the service can do, for any caller. */
export interface UseCases {
  readonly registerProvider: (request: RegisterProvider) => TaskEither<Failure, Provider>;
  readonly listProviders: (
    wanted: Wanted,
    shown: Shown,
  ) => TaskEither<Failure, CountedPage<Provider>>;
  readonly findProvider: (id: string) => TaskEither<Failure, Provider>;
  readonly changeProvider: (
    id: string,
    changes: ProviderChanges,
    act: KeyAct,
  ) => TaskEither<Failure, Provider>;
  /** What providers may claim, and whom they mean. */
  readonly listTrusts: ReturnType<typeof listTrusts>;
  readonly setTrusts: ReturnType<typeof setTrusts>;
  readonly deleteProvider: (
    provider: Provider,
    request: DeletionRequest,
  ) => TaskEither<Failure, void>;
  readonly createDataSource: (request: CreateDataSource) => TaskEither<Failure, DataSource>;
  readonly listDataSources: (
    provider: Provider,
    wanted: Wanted,
  ) => TaskEither<Failure, CountedPage<DataSource>>;
  readonly findDataSource: (
    providerId: string,
    dataSourceId: string,
  ) => TaskEither<Failure, PushTarget>;
  readonly deleteDataSource: (
    source: PushTarget,
    request: DeletionRequest,
  ) => TaskEither<Failure, void>;
  /** Erases a person, or tells what that would erase. */
  readonly erasePerson: (request: ErasePerson) => TaskEither<Failure, ErasureAnswer>;
  /** Lets the next push pass the removal guard; gives the time until which it may. */
  readonly allowRemoval: (source: PushTarget, act: KeyAct) => TaskEither<Failure, string>;
  readonly verifyDataSource: (request: VerifyDataSource) => TaskEither<Failure, Verification>;
  readonly takePush: (push: SentPush) => TaskEither<Failure, AcceptedPush>;
  readonly takePlan: (push: SentPlan) => TaskEither<Failure, PlanResult>;
  readonly startUpload: (source: PushTarget) => TaskEither<Failure, string>;
  readonly readParts: (sent: SentBody) => TaskEither<Failure, SomePartsRequest>;
  readonly takePart: (
    source: PushTarget,
    part: SomePart,
    by: Actor,
  ) => TaskEither<Failure, TakenPart>;
  readonly completeUpload: (upload: CompleteUpload) => TaskEither<Failure, AcceptedPush>;
  readonly listPushes: (
    source: PushTarget,
    wanted: Wanted,
    seesKeys: boolean,
  ) => TaskEither<Failure, Page<ListedPush>>;
  readonly findPush: (
    source: PushTarget,
    id: string,
    seesKeys: boolean,
  ) => TaskEither<Failure, PushDetails>;
  readonly openEventStream: (asked: OpenStream) => TaskEither<Failure, EventStream>;
  readonly listEvents: (wanted: Wanted, shown: Shown) => TaskEither<Failure, Page<EventAnswer>>;
  readonly createTeamKey: (
    request: CreateTeamKey,
    act: KeyAct,
  ) => TaskEither<Failure, CreatedTeamKey>;
  readonly listTeamKeys: (wanted: Wanted) => TaskEither<Failure, CountedPage<TeamKey>>;
  /** Finds the team key for an access key. */
  readonly findTeamKey: (accessKey: string) => TaskEither<Failure, TeamKey>;
  /** Whether somebody has signed in with this access key before. */
  readonly isKnownTeamKey: (accessKey: string) => boolean;
  readonly noteRefusedSignIn: (address: string) => void;
  /** Writes an event about a query that Neo4j has not ended after its limit. */
  readonly tellOverdue: (
    act: KeyAct,
    overdue: Pick<StillRunning, 'transaction'>,
  ) => TaskEither<Failure, void>;
  /** Writes one event about the sign-ins that the service refused since the last event. */
  readonly tellRefusedSignIns: () => TaskEither<Failure, void>;
  readonly findTeamKeyById: (id: string) => TaskEither<Failure, TeamKey>;
  readonly changeTeamKey: (
    id: string,
    changes: TeamKeyChanges,
    act: KeyAct,
  ) => TaskEither<Failure, TeamKey>;
  readonly rotateTeamKey: (
    id: string,
    request: RotateTeamKey,
    act: KeyAct,
  ) => TaskEither<Failure, CreatedTeamKey>;
  readonly deleteTeamKey: (id: string, act: KeyAct) => TaskEither<Failure, void>;
  readonly listAccess: (
    of: 'principal' | 'resource',
    subject: Subject,
    listed: Listed,
    wanted: WantedAccess,
    at: Instant | null,
  ) => TaskEither<Failure, Settled<AccessPage>>;
  readonly checkAccess: (
    pair: PairQuestion,
    at: Instant | null,
  ) => TaskEither<Failure, Settled<ForHuman<boolean>>>;
  readonly explainAccess: (
    pair: PairQuestion,
    at: Instant | null,
  ) => TaskEither<Failure, Settled<ForHuman<Explanation>>>;
  /** Finds who gained and who lost what. */
  readonly findChanges: (wanted: WantedChanges) => TaskEither<Failure, ChangesPage>;
  readonly exportAccess: (request: ExportRequest) => TaskEither<Failure, ExportStream>;
  /** The Cypher query behind an answer. */
  readonly toldCypher: Omit<ToldCypher, 'search'> & {
    search(wanted: WantedEntities, meaning: number): Either<Failure, Cypher>;
  };
  readonly search: (wanted: WantedEntities) => TaskEither<Failure, Settled<FoundEntities>>;
  readonly findEntity: (id: string, at: Instant | null) => TaskEither<Failure, Settled<EntityPage>>;
  readonly findReviewers: (
    of: 'principal' | 'resource',
    subject: Subject,
    at: Instant | null,
  ) => TaskEither<Failure, Settled<Reviewers>>;
  /** Tells how much of the past is kept, and for how many days; `null` means for ever. */
  readonly keptHistory: () => TaskEither<Failure, KeptHistory & { readonly days: number | null }>;
  /** What the service does in the applications of providers. */
  readonly provisioning: Provisioning;
  /** Imports of applications. */
  readonly scimImports: ScimImportCases;
  /** Identity providers that push users and groups over SCIM. */
  readonly scimServer: Omit<ScimServer, 'writes'> & {
    /** Removes a resource; its push is for `takePush`. */
    readonly remove: (takePush: TakePush) => ReturnType<ScimServer['writes']>['remove'];
    /** Adds or changes a resource; the pushes that the main thread makes are for `takePush`. */
    readonly write: ReturnType<typeof takeWrite>;
  };
  /** What policies do there. */
  readonly lifecycle: Omit<Lifecycle, 'plan'> & {
    readonly plan: (
      ...of: [...Parameters<Lifecycle['plan']>, KeyAct]
    ) => ReturnType<Lifecycle['plan']>;
  };
  readonly query: (query: Query) => TaskEither<Failure, QueryAnswer>;
  readonly queryRows: Answers['queryRows'];
}

/** What the use cases need. */
export interface UseCaseDependencies {
  readonly registry: Registry;
  /** The same registry on the connections of questions. */
  readonly lists: Pick<Registry, 'listProviders' | 'listDataSources'>;
  readonly push: TakePushDependencies & {
    /** Turns of plans and verifications. */
    readonly dryRuns: Turns;
  };
  readonly parts: Omit<UploadDependencies, 'push'>;
  readonly deletion: Omit<DeletionDependencies, 'removalGuard' | 'writeEvent'>;
  readonly erasure: ErasureDependencies;
  readonly trusts: TrustDependencies;
  readonly history: History;
  /** Ended facts, and for how many days they are kept; for ever if unset. */
  readonly past: {
    readonly read: TaskEither<Failure, KeptHistory>;
    readonly days: number | undefined;
  };
  readonly events: Omit<EventStreamDependencies, 'placeSecret'>;
  readonly teamKeys: TeamKeys;
  readonly writeEvent: RefusedSignInsDependencies['writeEvent'];
  readonly verify: VerifyDependencies;
  readonly access: AccessGraph;
  readonly changes: AccessChanges;
  readonly exports: Omit<ExportDependencies, 'placeSecret' | 'writeEvent'>;
  readonly toldCypher: ToldCypher;
  readonly answers: Answers;
  readonly provisioning: ProvisioningDependencies;
  readonly scimImports: Pick<ImportDependencies, 'imports' | 'standing'>;
  readonly scimServer: ScimServerDependencies & {
    /** The same directory on the connections of questions. */
    readonly asked: ScimServerDependencies['directory'];
  };
  readonly lifecycle: Omit<LifecycleDependencies, 'provisioning' | 'registry'>;
}

/** Makes the use cases. */
export const useCases = ({
  registry,
  lists,
  push,
  parts,
  deletion,
  erasure,
  trusts,
  history,
  past,
  events,
  teamKeys,
  writeEvent,
  verify,
  access,
  changes,
  exports,
  toldCypher,
  answers,
  provisioning: provisioningDependencies,
  scimImports: importing,
  scimServer: { asked, ...scimWriting },
  lifecycle: lifecycleDependencies,
}: UseCaseDependencies): UseCases => {
  const signingIn = signIns({ teamKeys });
  const keys = { teamKeys, hasChanged: signingIn.forget };
  const refused = refusedSignIns({ writeEvent });
  const deleting = { ...deletion, removalGuard: push.push.removalGuard, writeEvent };
  const inParts = { ...parts, push: takePush(push) };
  const inTurn = takingTurns(push.turns);
  const inDryRun = takingTurns(push.dryRuns);
  const plan = (sent: SentPlan) => inDryRun({ by: sent.by }, takePlan(push)(sent));
  const readings = readingTurns();
  const policies = lifecycle({
    ...lifecycleDependencies,
    registry,
    provisioning: provisioningDependencies,
  });
  const scimWriter = scimServer(scimWriting);
  const placeSecret = async (): Promise<string> =>
    derivedSecret(await provisioningDependencies.vaultKey(), 'places');
  return {
    registerProvider: registerProvider({ registry }),
    listProviders: listProviders({ registry: lists }),
    findProvider: (id) => registry.findProvider(id),
    changeProvider: changeProvider({ registry }),
    listTrusts: listTrusts(trusts),
    setTrusts: (request) => inTurn(request, setTrusts(trusts)(request)),
    deleteProvider: (provider, request) =>
      inTurn(request, deleteProvider(deleting)(provider, request)),
    createDataSource: createDataSource({ registry }),
    listDataSources: listDataSources({ registry: lists }),
    findDataSource: (providerId, dataSourceId) => registry.findDataSource(providerId, dataSourceId),
    deleteDataSource: (source, request) =>
      inTurn({ ...request, source }, deleteDataSource(deleting)(source, request)),
    erasePerson: (request) => inTurn(request, erasePerson(erasure)(request)),
    allowRemoval: allowRemoval({ registry }),
    verifyDataSource: (request) =>
      inDryRun({ by: request.by }, inTurn(request, verifyDataSource(verify)(request))),
    takePush: inParts.push,
    takePlan: plan,
    readParts: readParts(inParts),
    startUpload: startUpload(inParts),
    takePart: takePart(inParts),
    completeUpload: completeUpload(inParts),
    listPushes: ({ dataSource }, wanted, seesKeys) =>
      history.pushes(dataSource.id, wanted, seesKeys),
    findPush: ({ dataSource }, id, seesKeys) => history.push(dataSource.id, id, seesKeys),
    openEventStream: openEventStream({ ...events, placeSecret }),
    listEvents: (wanted, shown) => history.events(wanted, shown),
    createTeamKey: createTeamKey(keys),
    listTeamKeys: listTeamKeys(keys),
    findTeamKey: signingIn.find,
    isKnownTeamKey: signingIn.isKnown,
    noteRefusedSignIn: refused.note,
    tellRefusedSignIns: refused.tell,
    tellOverdue: (act, { transaction }) =>
      writeEvent(overdueEvent({ at: new Date().toISOString(), ...act }, transaction)),
    findTeamKeyById: findTeamKeyById(keys),
    changeTeamKey: changeTeamKey(keys),
    rotateTeamKey: rotateTeamKey(keys),
    deleteTeamKey: deleteTeamKey(keys),
    listAccess: listAccess({ access }),
    checkAccess: checkAccess({ access }),
    explainAccess: explainAccess({ access }),
    findChanges: findChanges({ changes }),
    exportAccess: exportAccess({ ...exports, placeSecret, writeEvent }),
    toldCypher: {
      ...toldCypher,
      search: (wanted, meaning) => toldCypher.search(searchOf(wanted), meaning),
    },
    search: search({ answers }),
    findEntity: (id, at) => answers.entity(id, at),
    findReviewers: (of, subject, at) => answers.reviewers(of, subject, at),
    keptHistory: () =>
      pipe(
        past.read,
        TE.map((kept) => ({ ...kept, days: past.days ?? null })),
      ),
    provisioning: provisioning(provisioningDependencies),
    scimImports: scimImports({
      ...{ ...importing, registry, provisioning: provisioningDependencies },
      ...{ payloadBytes: push.sizes.jsonBytes, turns: readings },
      ...{ takePush: inParts.push, takePlan: plan },
    }),
    scimServer: {
      ...scimServer({ ...scimWriting, directory: asked }),
      remove: (taking) => scimWriter.writes(taking).remove,
      write: takeWrite({
        server: scimWriter,
        threads: push.large?.threads ?? null,
        turns: scimWriting.turns,
      }),
    },
    lifecycle: {
      ...policies,
      plan: (provider, full, { by }) =>
        takingTurns(readings)({ by }, policies.plan(provider, full)),
    },
    query: (query) => answers.query(query),
    queryRows: (query, left) => answers.queryRows(query, left),
  };
};
