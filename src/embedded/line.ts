import { StartFailure } from './start-failure';
import type { Java } from './java';

/** A line of Neo4j releases; a store belongs to one (neo4j.md 1). */
export type LineName = '5.26' | 'calendar';

/** What running a release of a line takes. */
export interface Line {
  readonly name: LineName;
  readonly version: string;
  /** The Java releases that it supports. */
  readonly java: readonly number[];
  readonly mainClass: string;
  /** Lines of neo4j.conf that the other line does not know. */
  readonly configuration: readonly string[];
}

/** The line of the calendar releases, the newest. */
export const CALENDAR: Line = {
  name: 'calendar',
  version: '2026.09.0',
  java: [21, 25],
  mainClass: 'org.neo4j.server.Neo4jCommunity',
  // Else the server broadcasts into its network every 30 seconds.
  configuration: ['server.fleet_discovery.enabled=false'],
};

/** The line with long support. */
export const LTS: Line = {
  name: '5.26',
  version: '5.26.30',
  java: [17, 21],
  mainClass: 'org.neo4j.server.CommunityEntryPoint',
  configuration: [],
};

/** The lines that can be embedded, newest first (neo4j.md 1). */
export const LINES: readonly Line[] = [CALENDAR, LTS];

/** The line that is run, and with which Java. */
export interface LineChoice {
  readonly line: Line;
  readonly java: Java;
}

/** What the choice of a line depends on. */
export interface LineConditions {
  /** The Javas found, the preferred one first. */
  readonly javas: readonly Java[];
  /** The lines of which the data folder holds a store. */
  readonly stores: readonly LineName[];
  /** NEO4J_LINE. */
  readonly wanted: LineName | undefined;
  readonly dataFolder: string;
}

/** Chooses the newest line that a Java found can run; an existing store fixes it, else NEO4J_LINE does. Throws a StartFailure where none fits. */
export const chooseLine = ({ javas, stores, wanted, dataFolder }: LineConditions): LineChoice => {
  if (wanted !== undefined && stores.length > 0 && !stores.includes(wanted)) {
    throw new StartFailure(
      'store-line',
      `${dataFolder} holds a store of Neo4j's line ${stores.join(' and ')}, which line ${wanted} ` +
        `(NEO4J_LINE) cannot open. Unset NEO4J_LINE, or choose another DATA_DIR.`,
    );
  }
  if (wanted === undefined && stores.length > 1) {
    throw new StartFailure(
      'store-line',
      `${dataFolder} holds stores of Neo4j's lines ${stores.join(' and ')}: move the one that is not to be used out of it.`,
    );
  }
  const name = wanted ?? stores[0];
  const lines = LINES.filter((line) => name === undefined || line.name === name);
  for (const line of lines) {
    const java = javas.find(({ release }) => line.java.includes(release));
    if (java !== undefined) return { line, java };
  }
  throw new StartFailure('java-missing', missingJava(lines, javas, stores.length > 0, dataFolder));
};

function missingJava(
  lines: readonly Line[],
  javas: readonly Java[],
  isStored: boolean,
  dataFolder: string,
): string {
  const needed = lines.map(
    ({ version, java }) => `Neo4j ${version} needs Java ${java.join(' or ')}`,
  );
  const releases = [...new Set(javas.map(({ release }) => release))].sort((a, b) => a - b);
  return [
    `${needed.join('; ')}. ` +
      (releases.length === 0
        ? 'No Java was found (in JAVA_HOME, on the PATH, in the usual folders).'
        : `Found here: Java ${releases.join(', ')}.`),
    ...(isStored ? [`The store in ${dataFolder} can be opened by that line only.`] : []),
    // Both lines run on 21; a distribution's default may be 17, which is enough for one of them.
    `Install one (Debian: apt-get install ${lines.length > 1 ? 'default' : 'openjdk-21'}-jre-headless; macOS: brew ` +
      'install openjdk@21), point JAVA_HOME at one, or set NEO4J_URI to a Neo4j that runs elsewhere.',
  ].join('\n');
}
