import { settingsText } from '../../settings/settings-text';
import { command } from '../../command/context';

/** `grantgraph serve`: the service, as `npm start` runs it. */
export const serveCommand = command<object>({
  command: 'serve',
  describe: 'Run the service; environment variables set it up',
  builder: (yargs) =>
    yargs
      .example('$0 serve', 'The service and a Neo4j of its own, with their data in ./data')
      .example('PORT=9000 NEO4J_URI=bolt://db:7687 NEO4J_PASSWORD=… $0 serve', 'With your Neo4j')
      .epilogue(`Settings (environment variables):\n\n${settingsText()}`),
  handler: async () => {
    // The other commands start faster without the modules of the service.
    const { serve } = await import('../../start/serve.js');
    await serve();
  },
});
