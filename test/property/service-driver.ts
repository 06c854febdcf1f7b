import type { Problem } from '../mirror/pointer';
import {
  serviceUnderTest,
  type RegisteredIds,
  type ServiceUnderTest,
} from '../http/service-under-test';
import type { ToldWarning } from '../mirror/warnings';
import { plainInstant } from './stored-graph';

/** Whoever sends requests to a service. */
export interface Client {
  post(
    path: string,
    body: unknown,
  ): PromiseLike<{ readonly status: number; readonly body: unknown }>;
}

/** What the service answered to a push. */
export type Answer =
  | {
      readonly accepted: true;
      readonly push: string;
      readonly at: string;
      readonly unchanged: boolean;
      readonly digest: string;
      readonly warnings: readonly ToldWarning[];
      readonly put: Counts;
      readonly removed: Counts;
    }
  | { readonly accepted: false; readonly problems: readonly Problem[] };

/** A data source of the service, with the name of its provider. */
export interface Registered extends RegisteredIds {
  readonly provider: string;
}

interface Counts {
  readonly nodes: number;
  readonly relationships: number;
}

interface AcceptedBody {
  readonly push_id: string;
  readonly warnings: readonly ToldWarning[];
  readonly at: string;
  readonly unchanged: boolean;
  readonly digest: string;
  readonly put: Counts;
  readonly removed: Counts;
}

/** A node or relationship that a plan lists. */
export interface PlannedThing {
  readonly change: 'created' | 'changed' | 'removed';
  readonly label?: string;
  readonly id?: string;
  readonly type?: string;
  readonly from?: { readonly label: string; readonly id: string };
  readonly to?: { readonly label: string; readonly id: string };
  readonly properties?: Readonly<Record<string, { readonly from: unknown; readonly to: unknown }>>;
}

/** One of a plan's lists. */
export interface PlannedList {
  readonly total: number;
  readonly created: number;
  readonly changed: number;
  readonly removed: number;
  readonly truncated: boolean;
  readonly values: readonly PlannedThing[];
}

/** What a push would answer, and all that it would change. */
export interface Plan extends Omit<AcceptedBody, 'at'> {
  readonly nodes: PlannedList;
  readonly relationships: PlannedList;
  readonly shared_nodes: PlannedList;
  readonly derived_relationships: PlannedList;
  readonly access_changes: PlannedAccess;
}

/** The changes of access of a plan. */
export interface PlannedAccess {
  readonly total: number;
  readonly truncated: boolean;
  readonly values: readonly ChangedAccess[];
}

/** What a principal gains and loses on a resource. */
export interface ChangedAccess {
  readonly principal: { readonly id: string };
  readonly resource: { readonly id: string };
  readonly gained: readonly HeldPermission[];
  readonly lost: readonly HeldPermission[];
}

interface HeldPermission {
  readonly name: string;
  readonly permission_type: readonly string[];
  readonly accounts?: readonly string[];
}

interface RefusedBody {
  readonly details: readonly { readonly field_violations: readonly Problem[] }[];
}

/** Starts the service with limits that random payloads stay below, unless given otherwise. */
export function startService(
  limits: { readonly transactionRows?: number } = {},
): Promise<ServiceUnderTest> {
  return serviceUnderTest({ bodyBytes: 1e7, jsonBytes: 1e7, problems: 1e6, ...limits });
}

let registrations = 0;

/** Registers a provider and a data source under it, as any connector does. */
export async function register(service: Client, template: string): Promise<Registered> {
  registrations += 1;
  const provider = `Random ${registrations}`;
  const base = '/api/v1/providers/custom';
  const { id } = await valueOf(service, base, { name: provider, custom_template: template });
  const path = `${base}/${id}/datasources`;
  const { id: data_source_id } = await valueOf(service, path, { id, name: 'Main' });
  return { id, data_source_id, provider, path: `${path}/${data_source_id}:push` };
}

/** The data source was busy. */
export class Busy extends Error {}

/** Pushes a payload's text and reads the answer. */
export async function push(
  service: Client,
  { id, data_source_id, path }: Registered,
  json_data: string,
): Promise<Answer> {
  const { status, body } = await service.post(path, { id, data_source_id, json_data });
  if (status === 200) {
    const { push_id, at, unchanged, digest, warnings, put, removed } = body as AcceptedBody;
    return {
      accepted: true,
      push: push_id,
      unchanged,
      digest,
      at: plainInstant(at),
      warnings: warnings.map(({ message, code, pointer }) => ({ message, code, pointer })),
      put,
      removed,
    };
  }
  if (status === 409) throw new Busy(JSON.stringify(body));
  return { accepted: false, problems: refusedFor(status, body) };
}

/** Plans a push of a payload's text: what it would answer and change, or why it would be refused. */
export async function plan(
  service: ServiceUnderTest,
  { id, data_source_id, path }: Registered,
  json_data: string,
): Promise<Plan | readonly Problem[]> {
  const response = await service.post(path.replace(/:push$/, ':plan'), {
    id,
    data_source_id,
    json_data,
  });
  const { status } = response;
  const body: unknown = response.body;
  return status === 200 ? (body as Plan) : refusedFor(status, body);
}

/** What was found to be changed by hand. */
export interface Verification {
  readonly sound: boolean;
  readonly repaired: boolean;
  readonly rows: { readonly recorded: number; readonly found: number; readonly gone: number };
  readonly findings: {
    readonly total: number;
    readonly values: readonly {
      readonly what: string;
      readonly node?: Place | null;
      readonly relationship?: { readonly from: Place | null; readonly to: Place | null };
    }[];
  };
}

interface Place {
  readonly id: string | null;
}

/** Verifies a data source. */
export async function verify(
  service: ServiceUnderTest,
  { path }: Registered,
  query: string,
): Promise<Verification> {
  const answer = await service.post(path.replace(/:push$/, `:verify${query}`), {});
  const { status } = answer;
  const body: unknown = answer.body;
  if (status !== 200) {
    throw new Error(
      `${status} ${JSON.stringify(body)} ${JSON.stringify(service.logged.slice(-3))}`,
    );
  }
  return body as Verification;
}

function refusedFor(status: number, body: unknown): readonly Problem[] {
  if (status !== 400) throw new Error(`${status} ${JSON.stringify(body)}`);
  const problems = (body as RefusedBody).details.flatMap((detail) => detail.field_violations);
  return problems.map(({ pointer, code }) => ({ pointer, code }));
}

async function valueOf(
  service: Client,
  path: string,
  body: object,
): Promise<{ readonly id: string }> {
  const answer = await service.post(path, body);
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body));
  return (answer.body as { readonly value: { readonly id: string } }).value;
}
