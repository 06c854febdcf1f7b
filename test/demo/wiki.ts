import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { ManagedWiki, startWiki, type Wiki } from '../../src/demo/wiki';
import type { Service } from '../../src/start/start-service';

/** The application with SCIM of the demo, for a service of the tests. */
export interface DemoWiki extends Omit<Wiki, 'stop'> {
  /** Settings of a service that may call it. */
  readonly settings: Readonly<Record<string, string>>;
  kept(service: Service): ManagedWiki;
  /** Ends it, and removes its accounts. */
  stop(): Promise<void>;
}

/** Starts the application, which keeps its accounts in a folder of its own. */
export const startDemoWiki = async (): Promise<DemoWiki> => {
  const folder = await mkdtemp(join(tmpdir(), 'grantgraph-wiki-'));
  const wiki = await startWiki(join(folder, 'handbook.json'));
  if (wiki === null) throw new Error('The application with SCIM does not start.');
  const { host } = new URL(wiki.base);
  return {
    ...wiki,
    settings: { SCIM_HOSTS: `http://${host}`, SCIM_NETWORKS: '127.0.0.1' },
    kept: (service) => new ManagedWiki(wiki, service),
    stop: () => {
      wiki.stop();
      return rm(folder, { recursive: true });
    },
  };
};
