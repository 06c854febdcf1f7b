import { distance } from 'fastest-levenshtein';

/** Whatever begins so and is no setting stops the start: nobody else's variables do (docs/operating.md: Settings). */
const OURS = /^(NEO4J_|LIMIT_|PUSH_|KEEP_|EVENTS_|TLS_|CORS_|API_KEY)/;

/** Other programs have variables that begin so too: only what is nearly a setting stops the start. */
const SHARED = /^(LOG_|DATA_)/;
const NEARLY = 2;

/** A guess that differs in more than this share of its letters is none. */
const GUESSED_SHARE = 0.4;

/** What Neo4j's own container and docker-compose.yml take; a file of settings that all share may hold it. */
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

/** `NEO4J_server_memory_heap_max__size`: a setting of Neo4j, as its container takes it. */
const NEO4J_SETTING = /^NEO4J_[a-z]/;

/** Kubernetes gives each container the addresses of the services beside it, such as one that is called neo4j. */
const isOfKubernetes = (name: string, value: string): boolean =>
  /_SERVICE_HOST$|_SERVICE_PORT(_\w+)?$|_PORT_\d+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?$/.test(
    name,
  ) ||
  (name.endsWith('_PORT') && /^(tcp|udp|sctp):\/\//.test(value));

const isOfOthers = (name: string, value: string): boolean =>
  OF_NEO4J_CONTAINER.has(name) || NEO4J_SETTING.test(name) || isOfKubernetes(name, value);

/** A variable that was meant for the service, and the setting that it may have meant. */
export interface UnknownSetting {
  readonly variable: string;
  readonly guess: string | undefined;
}

/** The variables that look like settings of the service and are none of these. */
export const unknownSettings = (
  env: Readonly<Record<string, string | undefined>>,
  known: readonly string[],
): readonly UnknownSetting[] => {
  const names = new Set(known);
  return Object.entries(env).flatMap(([variable, value = '']): readonly UnknownSetting[] => {
    if (value === '' || names.has(variable) || isOfOthers(variable, value)) return [];
    if (!OURS.test(variable) && !SHARED.test(variable)) return [];
    const [nearest, far] = known
      .map((name) => [name, distance(variable, name)] as const)
      .reduce((best, each) => (each[1] < best[1] ? each : best));
    if (!OURS.test(variable) && far > NEARLY) return [];
    const isLikely = far <= variable.length * GUESSED_SHARE || nearest.startsWith(variable);
    return [{ variable, guess: isLikely ? nearest : undefined }];
  });
};
