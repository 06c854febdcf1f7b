import { join } from 'node:path';

import { KeptWiki, startWiki, type Wiki } from '../../src/demo/wiki';
import type { Service } from '../../src/start/start-service';

/** The application with SCIM of the demo, for a service of the tests. */
export interface DemoWiki extends Wiki {
  /** Settings of a service that may call it. */
  readonly settings: Readonly<Record<string, string>>;
  kept(service: Service): KeptWiki;
}

/** Starts the application; it keeps its accounts in a folder. */
export const startDemoWiki = async (folder: string): Promise<DemoWiki> => {
  const wiki = await startWiki(join(folder, 'handbook.json'));
  if (wiki === null) throw new Error('The application with SCIM does not start.');
  const { host } = new URL(wiki.base);
  return {
    ...wiki,
    settings: { SCIM_HOSTS: `http://${host}`, SCIM_NETWORKS: '127.0.0.1' },
    kept: (service) => new KeptWiki(wiki, service),
  };
};
