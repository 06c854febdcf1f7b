import { StartFailure } from './start-failure';
import type { Java } from './java';

/** A line of Neo4j releases. Each line has a store format of its own. */
export type LineName = '5.26' | 'calendar';

/** How to run a release of a line. */
export interface Line {
  readonly name: LineName;
  readonly version: string;
  /** The Java releases that it supports. */
  readonly java: readonly number[];
  readonly mainClass: string;
  /** Lines of neo4j.conf that only this line knows. */
  readonly configuration: readonly string[];
}

/** The newest line, with releases named by the calendar. */
export const CALENDAR: Line = {
  name: 'calendar',
  version: '2026.09.0',
  java: [21, 25],
  mainClass: 'org.neo4j.server.Neo4jCommunity',
  // Otherwise Neo4j sends a broadcast into its network every 30 seconds.
  configuration: ['server.fleet_discovery.enabled=false'],
};

/** The line with long-term support. */
export const LTS: Line = {
  name: '5.26',
  version: '5.26.30',
  java: [17, 21],
  mainClass: 'org.neo4j.server.CommunityEntryPoint',
  configuration: [],
};

/** The lines that the service can embed, newest first. */
export const LINES: readonly Line[] = [CALENDAR, LTS];

/** The line to run, and the Java to run it with. */
export interface LineChoice {
  readonly line: Line;
  readonly java: Java;
}

/** What the choice of a line depends on. */
export interface LineConditions {
  /** The Javas of this machine, the preferred one first. */
  readonly javas: readonly Java[];
  /** The lines of the stores in the data folder. */
  readonly stores: readonly LineName[];
  /** The line that the caller wants. */
  readonly wanted: LineName | undefined;
  readonly dataFolder: string;
}

/**
 * Chooses the line to run. An existing store decides, or else the caller, or else the newest line
 * for which there is a Java. Throws a StartFailure if no line fits.
 */
export const chooseLine = ({ javas, stores, wanted, dataFolder }: LineConditions): LineChoice => {
  if (wanted !== undefined && stores.length > 0 && !stores.includes(wanted)) {
    throw new StartFailure(
      'store-line',
      `${dataFolder} holds a store of Neo4j's line ${stores.join(' and ')}, which line ${wanted} cannot open.`,
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
    // Both lines run on 21. The default Java of a distribution may be 17, which only one of the
    // lines supports.
    `Install one (Debian: apt-get install ${lines.length > 1 ? 'default' : 'openjdk-21'}-jre-headless; macOS: brew ` +
      'install openjdk@21), point JAVA_HOME at one, or set NEO4J_URI to a Neo4j that runs elsewhere.',
  ].join('\n');
}
