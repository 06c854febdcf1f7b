import { isLoopback } from './addresses';
import * as ofFeatures from './of-features';
import type { SettingProblem } from './setting';
import type { SettingValues } from './settings';

// Others could guess a shorter `API_KEY` over the network.
const SHORTEST_OPEN_KEY = 20;

const tlsConflicts = ({ mode, certFile, keyFile }: SettingValues['tls']): SettingProblem[] => {
  if (mode !== undefined && (certFile !== undefined || keyFile !== undefined)) {
    const message = 'is set together with TLS_CERT or TLS_KEY: set either TLS, or these two';
    return [{ variable: 'TLS', message }];
  }
  if ((certFile === undefined) === (keyFile === undefined)) return [];
  return certFile === undefined
    ? [{ variable: 'TLS_CERT', message: 'is missing, but TLS_KEY is set' }]
    : [{ variable: 'TLS_KEY', message: 'is missing, but TLS_CERT is set' }];
};

const secretsConflicts = ({ key, keyFile }: SettingValues['secrets']): SettingProblem[] =>
  key === undefined || keyFile === undefined
    ? []
    : [
        {
          variable: 'SECRETS_KEY',
          message: 'is set together with SECRETS_KEY_FILE: set only one of them',
        },
      ];

const embeddedConflicts = ({ http, neo4j, embedded }: SettingValues): SettingProblem[] => {
  const problems: SettingProblem[] = [];
  if (neo4j.user !== 'neo4j') {
    problems.push({ variable: 'NEO4J_USER', message: 'is for NEO4J_URI; embedded it is neo4j' });
  }
  if (neo4j.database !== 'neo4j') {
    problems.push({
      variable: 'NEO4J_DATABASE',
      message: 'is for NEO4J_URI; the embedded Neo4j has one database, neo4j',
    });
  }
  if (neo4j.password !== undefined && neo4j.password.length < 8) {
    problems.push({
      variable: 'NEO4J_PASSWORD',
      message: 'must have at least 8 characters: the embedded Neo4j accepts no shorter one',
    });
  }
  const ports = [
    ['PORT', http.port],
    ['NEO4J_BOLT_PORT', embedded.boltPort],
    ['NEO4J_HTTP_PORT', embedded.httpPort],
  ] as const;
  ports.forEach(([variable, number], index) => {
    const other = ports.slice(0, index).find(([, earlier]) => earlier === number && number !== 0);
    if (other !== undefined) {
      problems.push({ variable, message: `must not be ${number}, which is ${other[0]}'s` });
    }
  });
  return problems;
};

/** Settings that are valid by themselves but contradict each other. */
export const conflicts = (values: SettingValues): SettingProblem[] => {
  const { http, tls, neo4j } = values;
  const problems = [
    ...tlsConflicts(tls),
    ...secretsConflicts(values.secrets),
    ...Object.values(ofFeatures).flatMap((feature) => feature.conflicts(values)),
  ];
  const { apiKey, nextApiKey, host } = http;
  for (const [variable, key] of Object.entries({ API_KEY: apiKey, API_KEY_NEXT: nextApiKey })) {
    if (key === undefined || key.length >= SHORTEST_OPEN_KEY || isLoopback(host)) continue;
    problems.push({
      variable,
      message: `must have at least ${SHORTEST_OPEN_KEY} characters where HOST opens the service to the network`,
    });
  }
  return neo4j.uri === undefined ? [...problems, ...embeddedConflicts(values)] : problems;
};
