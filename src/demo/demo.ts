import { join, resolve } from 'node:path';

import * as E from 'fp-ts/Either';

import { configMessage, readConfig } from '../config';
import { RefusedRequest } from '../client/client';
import { hasCode } from '../error-code';
import { closeGraph, openGraph } from '../neo4j/driver';
import { pictureOf } from '../kit/shared-rules';
import { startLocalNeo4j } from '../embedded/local';
import { StartFailure } from '../embedded/start-failure';
import { type Service, startService } from '../start/start-service';
import { Company, company, placesIn } from './company';
import { awaitReady, connector, type PushAnswer, Refused } from './connector';
import { askAll, printAnswers, RESOURCE } from './questions';
import { askHistory, printHistory } from './history';
import { ReviewOfHandbook } from './handbook-review';
import { printReviews, ReviewsOfForge } from './reviews';
import { counted, type Terminal, terminalOn } from './terminal';
import { allowedHost, ManagedWiki, printWiki, startWiki } from './wiki';
import { endpoints } from '../features/sign-in/endpoints';
import { printErrors } from '../visible-text';

const ROOT = join(__dirname, '../..');
/** The demo has a data folder of its own, so its graph and that of the service do not mix. */
const DEMO_FOLDER = './demo-data';
const COMPANY = join(ROOT, 'examples/company');
const QUERIES = join(ROOT, 'cypher/queries');
const WARNINGS_SHOWN = 2;
const READY_SECONDS = 120;

/**
 * A link to Neo4j Browser. Browser asks only for the password, then fills in a query (`edit`) or
 * starts a guide (`play`).
 */
const browserLink = (
  { httpAddress = '', uri, user }: Service['neo4j'],
  cmd: 'edit' | 'play',
  arg: string,
): string => {
  const words = new URLSearchParams({ dbms: uri.replace('://', `://${user}@`), cmd, arg });
  // Browser reads a plus sign as a plus, not as a space.
  return `${httpAddress}/browser/?${words.toString().replaceAll('+', '%20')}`;
};

/**
 * Neo4j Browser starts a guide from `localhost` before it has asked its server which hosts are
 * allowed.
 */
const onLocalhost = (address: string): string => address.replace('//127.0.0.1:', '//localhost:');

const secondsSince = (start: number): string =>
  `${((performance.now() - start) / 1000).toFixed(1)} s`;

const outcomeOf = ({ unchanged, put, removed }: PushAnswer): string =>
  unchanged
    ? 'unchanged'
    : `${counted(put.nodes, 'node')} and ${counted(put.relationships, 'relationship')} put` +
      (removed.nodes + removed.relationships === 0
        ? ''
        : `, ${removed.nodes} and ${removed.relationships} removed`);

/** Adds several answers up to one. */
const summed = (answers: readonly PushAnswer[]): PushAnswer => {
  const sum = (what: 'put' | 'removed', which: 'nodes' | 'relationships'): number =>
    answers.reduce((total, answer) => total + answer[what][which], 0);
  const counts = (what: 'put' | 'removed') => ({
    nodes: sum(what, 'nodes'),
    relationships: sum(what, 'relationships'),
  });
  return {
    warnings: answers.flatMap(({ warnings }) => warnings),
    unchanged: answers.every(({ unchanged }) => unchanged),
    put: counts('put'),
    removed: counts('removed'),
  };
};

const WEEKS = ['The first week ', 'The second week'];

/** What else happens after the systems have pushed an earlier week, or this one. */
type AfterWeek = (isEarlier: boolean) => Promise<void>;

/** Pushes what the systems sent in earlier weeks, if the graph does not know the company yet. */
const pushWeeks = async (
  terminal: Terminal,
  places: Company,
  afterWeek: AfterWeek,
): Promise<void> => {
  let start = performance.now();
  let week = 0;
  await places.pushWeeks(async (answers) => {
    const title = WEEKS[week] ?? 'A week';
    week += 1;
    terminal.line(
      `  ${title}  `,
      ['good', outcomeOf(summed(answers))],
      ['faint', `  in ${secondsSince(start)}`],
    );
    await afterWeek(true);
    start = performance.now();
  });
  if (week > 0) terminal.line('  This week:');
};

const pushAll = async (
  terminal: Terminal,
  places: Company,
  afterWeek: AfterWeek,
): Promise<void> => {
  terminal.line();
  terminal.line(['title', 'Pushed over HTTP']);
  await pushWeeks(terminal, places, afterWeek);
  const width = Math.max(...company.map(({ provider }) => provider.length));
  for (const source of company) {
    const start = performance.now();
    const answer = await places.push(source);
    terminal.line(
      `  ${source.provider.padEnd(width)}  `,
      ['good', outcomeOf(answer)],
      ['faint', `  in ${secondsSince(start)}`],
    );
    for (const { message } of answer.warnings.slice(0, WARNINGS_SHOWN)) {
      terminal.line(`  ${' '.repeat(width)}  `, ['warning', message]);
    }
    const more = answer.warnings.length - WARNINGS_SHOWN;
    if (more > 0) {
      terminal.line(`  ${' '.repeat(width)}  `, [
        'warning',
        `and ${counted(more, 'more warning')}`,
      ]);
    }
  }
  await afterWeek(false);
};

/** The address at which a browser signs in, once. */
const signInAddress = async ({ address, apiKey }: Service): Promise<string> => {
  const answer = await fetch(`${address}${endpoints.makeCode.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${apiKey}` },
  });
  if (!answer.ok) throw new Refused(answer.status, answer.statusText, []);
  const { value } = (await answer.json()) as { value: { code: string } };
  return `${address}${endpoints.codePage.path}?code=${value.code}`;
};

const inShell = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;

/** The line that starts the service on the graph of the demo with a certificate of its own. */
const startWithTls = (address: string, dataFolder: string): string =>
  `TLS=self-signed PORT=${new URL(address).port} DATA_DIR=${inShell(resolve(dataFolder))} npm start`;

/** The line after which oaaclient finds that service, and trusts its certificate. */
const variablesOfOaaclient = (address: string, apiKey: string, dataFolder: string): string =>
  [
    `export VEZA_URL=${address.replace(/^http:/, 'https:')}`,
    `VEZA_API_KEY=${apiKey}`,
    `REQUESTS_CA_BUNDLE=${inShell(join(resolve(dataFolder), 'tls-certificate.pem'))}`,
  ].join(' ');

const printAddresses = (
  terminal: Terminal,
  { address, apiKey, neo4j }: Service,
  dataFolder: string,
  signIn: string,
): void => {
  terminal.line();
  terminal.line(['title', 'Open and try']);
  terminal.line('  Sign in  ', ['link', signIn], '   works once, for ten minutes');
  terminal.line('  API      ', ['link', address], `   key ${apiKey}`);
  terminal.line('  API docs ', ['link', `${address}/docs`]);
  if (neo4j.httpAddress === undefined) {
    terminal.line('  Neo4j    ', ['link', neo4j.uri]);
  } else {
    terminal.line(
      '  Browser  ',
      ['link', `${neo4j.httpAddress}/browser/`],
      `   user ${neo4j.user}, password ${neo4j.password ?? ''}`,
    );
    terminal.line('  Guide    ', [
      'link',
      browserLink(neo4j, 'play', `${onLocalhost(address)}/kit/guide.html`),
    ]);
    terminal.line('  Picture  ', ['link', browserLink(neo4j, 'edit', pictureOf(RESOURCE))]);
  }
  terminal.line(
    '  A first push of your own: this line, and then the lines of README, "A first push":',
  );
  terminal.line('    ', ['link', `export GRANTGRAPH_URL=${address} GRANTGRAPH_API_KEY=${apiKey}`]);
  terminal.line(
    '  oaaclient speaks only https. Stop this, start the service on this graph, and point oaaclient to it:',
  );
  terminal.line('    ', ['link', startWithTls(address, dataFolder)]);
  terminal.line('    ', ['link', variablesOfOaaclient(address, apiKey, dataFolder)]);
  terminal.line();
  terminal.line(['faint', 'Runs until Ctrl-C.']);
  if (neo4j.resetCommand !== undefined) {
    terminal.line([
      'faint',
      `To begin again with an empty graph, stop it, then: ${neo4j.resetCommand}`,
    ]);
  }
};

/** Starts the service, pushes the company and answers the three questions. */
const demonstrate = async (terminal: Terminal): Promise<Service | undefined> => {
  // The demo itself prints its progress, so the log shows only warnings and errors.
  const dataFolder = process.env.DATA_DIR || DEMO_FOLDER;
  const config = readConfig({ LOG_LEVEL: 'warn', ...process.env, DATA_DIR: dataFolder });
  if (E.isLeft(config)) {
    printErrors(configMessage(config.left));
    return undefined;
  }
  if (config.right.tls.mode !== undefined || config.right.tls.certFile !== undefined) {
    printErrors(
      `The demo pushes over http, to this machine alone. Run it without TLS. Then start the service on its graph with https: TLS=self-signed DATA_DIR=${inShell(dataFolder)} npm start`,
    );
    return undefined;
  }
  const start = performance.now();
  terminal.line(['title', 'Grantgraph'], ': who can do what at Halden Robotics, a small company');
  const wiki = await startWiki(join(config.right.data.folder, 'handbook.json'));
  const { scim } = config.right;
  const withWiki =
    wiki === null
      ? scim
      : {
          ...scim,
          hosts: [...(scim.hosts ?? []), allowedHost(wiki)],
          networks: [...(scim.networks ?? []), '127.0.0.1'],
        };
  const service = await startService(
    { ...config.right, scim: withWiki },
    {
      startNeo4j: (options) =>
        startLocalNeo4j({
          ...options,
          // A small company, and most who try it do so for minutes.
          firstCompilerOnly: true,
          progress: (text) => terminal.line(['faint', `  ${text}`]),
        }),
    },
  );
  const graph = openGraph(service.neo4j);
  try {
    await awaitReady(service.address, READY_SECONDS);
    terminal.line(['faint', `  Service and Neo4j are up after ${secondsSince(start)}.`]);
    const places = await placesIn(join(config.right.data.folder, 'demo.json'));
    const http = connector(service.address, service.apiKey);
    const handbook = wiki === null ? null : new ManagedWiki(wiki, service);
    const reviews = new ReviewsOfForge(graph, service);
    const afterWeek = async (isEarlier: boolean): Promise<void> => {
      await handbook?.keep();
      if (isEarlier) await reviews.afterWeek();
    };
    await pushAll(terminal, new Company(http, graph, places, COMPANY), afterWeek);
    // The demo imports the application before its questions, so that its next run gives the same
    // answers.
    await handbook?.import();
    const pages = wiki === null ? null : new ReviewOfHandbook(wiki, graph, service);
    await pages?.begin();
    // Neo4j plans each question the first time, so those of a group are asked at once. Somebody waits
    // for the first answers, so nothing else is asked at the same time.
    printAnswers(terminal, await askAll(graph, QUERIES));
    const evidence = join(dataFolder, 'review-evidence.zip');
    const managed = handbook?.answers(graph, QUERIES);
    // After what policies did is known: the review runs them once more.
    const reviewPages = async () => {
      await managed;
      return (await pages?.answers(() => handbook?.keep() ?? Promise.resolve())) ?? [];
    };
    const [past, accounts, reviewed, signIn] = await Promise.all([
      askHistory(graph, QUERIES),
      managed,
      Promise.all([reviews.answers(evidence), reviewPages()]),
      signInAddress(service),
    ]);
    printHistory(terminal, past);
    if (accounts !== undefined) printWiki(terminal, accounts);
    printReviews(terminal, reviewed.flat(), evidence);
    printAddresses(terminal, service, dataFolder, signIn);
    return service;
  } catch (error) {
    await service.stop();
    throw error;
  } finally {
    await closeGraph(graph);
  }
};

const messageOf = (error: unknown): string => {
  if (error instanceof Refused || error instanceof RefusedRequest)
    return `The service answered ${error.status}: ${error.message}`;
  if (error instanceof StartFailure) return error.message;
  if (hasCode(error, 'EADDRINUSE')) return 'PORT is used by another program: choose another one.';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};

const main = async (): Promise<void> => {
  const terminal = terminalOn(process.stdout, process.env);
  let service: Service | undefined;
  let isStopping = false;
  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.on(signal, () => {
      // A signal during the start, or a second signal, ends the demo at once.
      if (isStopping || service === undefined) process.exit(130);
      isStopping = true;
      terminal.line(['faint', 'Stopping …']);
      void service.stop().then(() => process.exit(0));
    });
  }
  try {
    service = await demonstrate(terminal);
    if (service === undefined) process.exit(2);
  } catch (error) {
    printErrors(messageOf(error));
    process.exit(1);
  }
};

if (require.main === module) void main();
