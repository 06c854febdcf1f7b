import type { ApplicationPayload } from '../src/templates/application/payload';
import { directoryPayload, hubPayload, mazePayload } from './access-payload';
import { applicationPayload } from './application-payload';
import type { DataSource } from './connector';
import { load, machine } from './machine';
import type { Options } from './options';
import type { RoundTools } from './round';

/** One of the applications that fill the graph, and its payload. */
export interface Filling {
  readonly source: DataSource;
  readonly payload: ApplicationPayload;
}

/**
 * Larger graphs are made by several pushes, since the heap limits what one transaction can write.
 */
const ELEMENTS_OF_A_PUSH = 100_000;
/** How many people one such push names, including some without an account. */
const PEOPLE_OF_A_PUSH = 1500;
/** The directory must hold all people of the hub. */
const LEAST_PEOPLE = 2500;

/** Makes the first push of a new provider, unless an earlier run has made it. */
export const pushOnce = async (
  { connector }: Pick<RoundTools, 'connector'>,
  name: string,
  template: string,
  payload: () => object,
  say: (text: string) => void,
): Promise<DataSource> => {
  const standing = await connector.find(name);
  if (standing?.isFilled) return standing.source;
  const source = standing?.source ?? (await connector.register(name, template));
  const { seconds } = await connector.push(await connector.prepare(source, payload()));
  say(`Pushed ${name} in ${seconds.toFixed(1)} s; load ${load()}`);
  return source;
};

/**
 * Fills the graph with a directory, a hub, a maze, and applications of about `elements` elements.
 * Leaves out what an earlier run has pushed. Gives the first of the applications.
 */
export const fillGraph = async (
  tools: RoundTools,
  { elements, seed, heap }: Pick<Options, 'elements' | 'seed' | 'heap'>,
  say: (text: string) => void,
): Promise<Filling> => {
  const parts = Math.max(1, Math.ceil(elements / ELEMENTS_OF_A_PUSH));
  const each = Math.round(elements / parts);
  const people = Math.max(LEAST_PEOPLE, PEOPLE_OF_A_PUSH * parts);
  const payloadOf = (part: number): ApplicationPayload =>
    applicationPayload(each, seed + part, part * PEOPLE_OF_A_PUSH);
  const put = (name: string, template: string, payload: () => object): Promise<DataSource> =>
    pushOnce(tools, `${name}, ${elements} elements, seed ${seed}`, template, payload, say);
  await put('Directory', 'identity_provider', () => directoryPayload(people));
  await put('Hub', 'application', hubPayload);
  await put('Maze', 'application', mazePayload);
  const first = await put('Applications 0', 'application', () => payloadOf(0));
  for (let part = 1; part < parts; part += 1) {
    await put(`Applications ${part}`, 'application', () => payloadOf(part));
  }
  const { graph, neo4jPid } = tools;
  const { nodes, relationships } = await graph.size();
  say(
    `${nodes} nodes and ${relationships} relationships; ${machine().processors} processors, Node ${machine().node}, ` +
      `${await graph.version()}, heap ${neo4jPid === null ? 'its own' : heap}, load ${load()}`,
  );
  return { source: first, payload: payloadOf(0) };
};
