import { editsBetween, editsWithin } from '../codec/hints/nearness';

/**
 * A variable that begins like this is meant for this service. If it is no setting, the start stops
 * (docs/operating.md: Settings).
 */
const OURS =
  /^(NEO4J_|LIMIT_|PUSH_|KEEP_|EVENTS_|TLS_|CORS_|SCIM_|SECRETS_|API_KEY|PUBLIC_|SESSION_|SESSIONS_|OIDC_)/;

/**
 * Other programs use variables that begin like this too. The start stops only if the name differs
 * little from that of a setting.
 */
const SHARED = /^(LOG_|DATA_|SMTP_)/;
const NEARLY = 2;

/**
 * Variables of Neo4j's own container and of docker-compose.yml. One file of variables may serve all
 * containers, so the start ignores them.
 */
const OF_NEO4J_CONTAINER = new Set([
  'NEO4J_ACCEPT_LICENSE_AGREEMENT',
  'NEO4J_AUTH',
  'NEO4J_AUTH_FILE',
  'NEO4J_CONF',
  'NEO4J_DEBUG',
  'NEO4J_EDITION',
  'NEO4J_HOME',
  'NEO4J_IMAGE',
  'NEO4J_MEMORY',
  'NEO4J_PLUGINS',
]);

/**
 * A setting of Neo4j in the spelling of its container, such as
 * `NEO4J_server_memory_heap_max__size`.
 */
const NEO4J_SETTING = /^NEO4J_[a-z]/;

/**
 * Kubernetes sets variables with the addresses of other services, so a service called neo4j gives
 * variables that begin with `NEO4J_`.
 */
const isOfKubernetes = (name: string, value: string): boolean =>
  /_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(
    name,
  ) ||
  (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value));

const isOfOthers = (name: string, value: string): boolean =>
  OF_NEO4J_CONTAINER.has(name) || NEO4J_SETTING.test(name) || isOfKubernetes(name, value);

/** A variable that looks like a setting of the service, and the setting that it may mean. */
export interface UnknownSetting {
  readonly variable: string;
  readonly guess: string | undefined;
}

/** The variables that look like settings of the service but are not among the known ones. */
export const unknownSettings = (
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): readonly UnknownSetting[] => {
  const names = new Set(known);
  return Object.entries(env).flatMap(([variable, value = '']): readonly UnknownSetting[] => {
    if (value === '' || names.has(variable) || isOfOthers(variable, value)) return [];
    if (!OURS.test(variable) && !SHARED.test(variable)) return [];
    // Somebody who forgot the end of a name means that name, however long the end is.
    const begun = known.filter((name) => name.startsWith(variable));
    const [nearest, far] = (begun.length > 0 ? begun : known)
      .map((name) => [name, editsBetween(variable, name)] as const)
      .reduce((best, each) => (each[1] < best[1] ? each : best));
    if (!OURS.test(variable) && far > NEARLY) return [];
    const isLikely = far <= editsWithin(variable, nearest) || nearest.startsWith(variable);
    return [{ variable, guess: isLikely ? nearest : undefined }];
  });
};
