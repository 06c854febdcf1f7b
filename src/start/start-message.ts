import { hasCode } from '../error-code';
import { StartFailure } from '../embedded/start-failure';
import { UnreadableStore } from '../graph/migration/migrate';
import { CertificateFailure } from '../web/listening/certificate';

/**
 * Why the service did not start. If the reason lies outside the service, the text is a sentence;
 * otherwise it is the stack of the error.
 */
export const startMessage = (error: unknown): string => {
  const isSentence = [StartFailure, CertificateFailure, UnreadableStore].some(
    (kind) => error instanceof kind,
  );
  if (error instanceof Error && isSentence) return error.message;
  if (hasCode(error, 'EADDRINUSE')) return 'PORT is used by another program: choose another one.';
  if (hasCode(error, 'EACCES')) return 'PORT, HOST or DATA_DIR is not allowed for this user.';
  if (hasCode(error, 'EADDRNOTAVAIL')) return 'HOST is no address of this machine.';
  if (hasCode(error, 'ENOSPC', 'EDQUOT')) return 'The disk of DATA_DIR is full: make space on it.';
  if (hasCode(error, 'EROFS')) return 'DATA_DIR can only be read: choose another folder.';
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
};
