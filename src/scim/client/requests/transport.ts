import { lookup as resolve } from 'node:dns';
import {
  Agent,
  type ClientRequest,
  type IncomingMessage,
  request as plainRequest,
} from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { isIP, type LookupFunction } from 'node:net';

import {
  addressCheck,
  type AllowedAddresses,
  checkHost,
  hostOf,
  notAllowed,
} from './allowed-address';
import { ScimFault, type ScimFaultCode } from '../scim-fault';

/** A request to an application. */
export interface HttpRequest {
  readonly method: string;
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
  /** After how many milliseconds the service gives it up. */
  readonly milliseconds: number;
}

/** The answer of an application. */
export interface HttpAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly text: string;
}

/** Sends requests to applications. */
export type Transport = (request: HttpRequest) => Promise<HttpAnswer>;

const CERTIFICATE = /^(ERR_TLS|ERR_SSL|EPROTO|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|HOSTNAME_)/;
const CUT: readonly string[] = ['ECONNRESET', 'EPIPE', 'ECONNABORTED'];

/** A text field of an error. Errors of Node need not be of this realm's `Error`. */
const errorText = (error: unknown, field: 'code' | 'name' | 'message'): string => {
  const value =
    typeof error === 'object' && error !== null
      ? (error as Readonly<Record<string, unknown>>)[field]
      : undefined;
  return typeof value === 'string' ? value : '';
};

const faultOf = (error: unknown, { url }: HttpRequest): ScimFault => {
  if (error instanceof ScimFault) return error;
  const code = errorText(error, 'code');
  const why = errorText(error, 'message') || code;
  const fault = (kind: ScimFaultCode, message: string) =>
    new ScimFault(kind, message, { cause: error });
  if (['TimeoutError', 'AbortError'].includes(errorText(error, 'name'))) {
    return fault('TOO_SLOW', `${url.origin} did not answer in time.`);
  }
  if (CERTIFICATE.test(code)) {
    return fault('BAD_CERTIFICATE', `The certificate of ${url.origin} is not valid: ${why}.`);
  }
  if (code.startsWith('HPE_') || code.startsWith('ERR_INVALID_')) {
    return fault('NOT_SCIM', `${url.origin} answered something else than HTTP.`);
  }
  return CUT.includes(code)
    ? fault('CUT', `The connection to ${url.origin} broke before the answer was complete.`)
    : fault('UNREACHABLE', `Nobody answers at ${url.origin}: ${why}.`);
};

const oneOf = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0];

const readAnswer = async (answer: IncomingMessage, mostBytes: number): Promise<HttpAnswer> => {
  const { statusCode = 0, headers } = answer;
  const tooLarge = (): ScimFault =>
    new ScimFault('TOO_LARGE', `The answer has more than the ${mostBytes} bytes that are read.`, {
      status: statusCode,
    });
  if (Number(headers['content-length'] ?? 0) > mostBytes) throw tooLarge();
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of answer as AsyncIterable<Buffer>) {
    size += piece.length;
    if (size > mostBytes) throw tooLarge();
    pieces.push(piece);
  }
  return {
    status: statusCode,
    headers: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, oneOf(value)]),
    ),
    text: Buffer.concat(pieces).toString('utf8'),
  };
};

/**
 * Resolves a name, and refuses it unless every address that it leads to may be reached. The
 * connection goes to one of the addresses that were checked, so a name that changes in between
 * cannot lead elsewhere.
 */
const checkedLookup =
  (mayReach: (address: string) => boolean): LookupFunction =>
  (name, options, callback) => {
    resolve(name, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      if (addresses.length === 0 || !addresses.every(({ address }) => mayReach(address))) {
        return callback(notAllowed(name), []);
      }
      if (options.all === true) return callback(null, addresses);
      const [first] = addresses;
      callback(null, first?.address ?? '', first?.family ?? 4);
    });
  };

const CONNECTIONS_OF_HOST = 4;

/**
 * Sends requests over http and https, only to allowed addresses. It verifies certificates, follows
 * no redirect, and reads at most `mostBytes` of an answer (docs/security.md: Calls to
 * applications).
 */
export const httpTransport = (
  allowed: AllowedAddresses,
  { mostBytes }: { readonly mostBytes: number },
): Transport => {
  const mayReach = addressCheck(allowed);
  const lookup = checkedLookup(mayReach);
  const options = { keepAlive: true, maxSockets: CONNECTIONS_OF_HOST, timeout: 4000 };
  const agents = { 'http:': new Agent(options), 'https:': new SecureAgent(options) };
  return (request) =>
    new Promise<HttpAnswer>((done, failed) => {
      const { url, method, headers, body, milliseconds } = request;
      const fail = (error: unknown): void => failed(faultOf(error, request));
      try {
        checkHost(allowed, url);
        const host = hostOf(url);
        // Node does not look up a host that is an IP address already, so it is checked here.
        if (isIP(host) !== 0 && !mayReach(host)) throw notAllowed(host);
      } catch (error) {
        return fail(error);
      }
      const isSecure = url.protocol === 'https:';
      let sending: ClientRequest;
      try {
        sending = (isSecure ? secureRequest : plainRequest)(url, {
          method,
          headers: {
            ...headers,
            'accept-encoding': 'identity',
            ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
          },
          agent: isSecure ? agents['https:'] : agents['http:'],
          lookup,
          signal: AbortSignal.timeout(milliseconds),
        });
      } catch (error) {
        // Node refuses a header that it cannot send.
        return fail(error);
      }
      sending.on('error', fail);
      sending.on('response', (answer) => {
        readAnswer(answer, mostBytes).then(done, (error: unknown) => {
          sending.destroy();
          fail(error);
        });
      });
      sending.end(body);
    });
};
