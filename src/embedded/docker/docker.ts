import { execFile } from 'node:child_process';

/** Runs a docker command, and resolves with what it prints. */
export const docker = (
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<string> =>
  new Promise((resolve, reject) => {
    execFile('docker', args, { env: { ...process.env, ...env } }, (error, stdout, stderr) => {
      if (error === null) resolve(stdout.trim());
      else reject(new Error(stderr.trim() || error.message));
    });
  });

/** Whether a Docker engine answers. The command may exist without an engine. */
export const dockerAnswers = async (): Promise<boolean> => {
  try {
    return (await docker(['info', '--format', '{{.ServerVersion}}'])) !== '';
  } catch {
    return false;
  }
};
