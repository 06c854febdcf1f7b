import { createReadStream, createWriteStream } from 'node:fs';
import { link, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';

import { exportAccess } from '../../client/export-access';
import { type ExportedAccess, ReachedResources } from '../../contract/answers/questions/access';
import { csvHead } from '../../contract/csv';
import { exportColumns, exportedLines } from '../../contract/tables/exported-access';
import { endpoints } from '../../questions/endpoints';
import { askedAbout, printHuman, whomOf } from '../../command/candidates';
import { requireNewFile } from '../../command/new-file';
import { asking, command, type ServiceOptions, serviceOptions } from '../../command/context';

interface ExportArguments extends ServiceOptions {
  readonly file: string;
  readonly principal: string | undefined;
  readonly csv: boolean;
  readonly gzip: boolean;
  readonly explain: boolean;
  readonly resume: boolean;
}

/** The lines of a file of NDJSON as CSV. */
async function* csvIn(path: string): AsyncGenerator<string> {
  yield csvHead(exportColumns);
  for await (const line of createInterface({ input: createReadStream(path), crlfDelay: 0 })) {
    yield exportedLines([JSON.parse(line) as ExportedAccess]);
  }
}

/** Turns the exported NDJSON into the file that the caller wants. */
const finish = async (part: string, { file, csv, gzip }: ExportArguments): Promise<void> => {
  if (!csv && !gzip) {
    // Unlike a renaming, this never replaces another file.
    await link(part, file);
    return rm(part);
  }
  const lines = csv ? csvIn(part) : createReadStream(part);
  const target = createWriteStream(file, { flags: 'wx', mode: 0o600 });
  await (gzip ? pipeline(lines, createGzip(), target) : pipeline(lines, target));
  await rm(part);
};

/** `grantgraph export`. */
export const exportCommand = command<ExportArguments>({
  command: 'export <file>',
  describe: 'Write what everybody, or one human, can reach to a file',
  builder: (yargs) =>
    serviceOptions(yargs)
      .positional('file', { type: 'string', demandOption: true, describe: 'The new file to write' })
      .options({
        principal: {
          type: 'string',
          describe: 'Only of this one: id, name or email; of a human with all their accounts',
        },
        csv: { type: 'boolean', default: false, describe: 'Write CSV instead of NDJSON' },
        gzip: { type: 'boolean', default: false, describe: 'Compress the file' },
        explain: {
          type: 'boolean',
          default: false,
          describe: 'Tell the shortest path to each access',
        },
        resume: { type: 'boolean', default: false, describe: 'Go on where FILE.part ends' },
      })
      .example('$0 export access.csv.gz --csv --gzip', 'A table for a spreadsheet, compressed')
      .example('$0 export ann.csv --csv --principal "Ann Berg"', 'What Ann can reach, by account')
      .example('$0 export access.ndjson --resume', 'Go on with an export that was interrupted'),
  handler: asking<ExportArguments>(async ({ client, output }, args) => {
    await requireNewFile(args.file);
    const part = `${args.file}.part`;
    const whom =
      args.principal === undefined ? null : await whomOf(client, args.principal, undefined);
    if (whom !== null) {
      const reached = { ...endpoints.access, answer: ReachedResources };
      // Here the service says whether it is one human, and which accounts that human has.
      const { principal, person } = whom;
      const asked = { principal, person, page_size: 1 };
      printHuman(
        output,
        await askedAbout(whom, () => client.call(reached, {}, { parameters: asked })),
      );
    }
    const rows = await exportAccess(client, part, {
      isExplained: args.explain,
      whom,
      resumes: args.resume,
      onRows: () => undefined,
    });
    await finish(part, args);
    output.answer({ file: args.file, rows }, [`Exported: ${rows} rows to ${args.file}.`]);
  }),
});
