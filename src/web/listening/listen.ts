import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createTlsServer, type Server as TlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';

import type { Log } from '../../log';
import { breakOff } from '../exchange/break-off';
import { newRequestId, SAFE_HEADERS } from '../exchange/request-id';
import { errorBody } from '../exchange/respond';
import { boundByAddress } from './address-bound';
import type { Certificate, CertificateSource } from './certificate';
import { boundRequestsOfConnection } from './requests-of-connection';

/** Where to listen, and how long to wait for clients. */
export interface ListenOptions {
  readonly host: string;
  /** 0 lets the system pick a free port. */
  readonly port: number;
  /**
   * How many seconds a client may need to send a complete request. If it reads nothing of its
   * answer for as long, the service closes the connection.
   */
  readonly requestSeconds: number;
  /** How many connections may be open. */
  readonly connections: number;
  /** How many connections of one client address may wait without a complete request. */
  readonly addressConnections: number;
  /** `null` for plain http. */
  readonly certificate: CertificateSource | null;
}

/** A listening server. */
export interface Listening {
  /** `http://host:port`, or `https://…` */
  readonly address: string;
  /** Accepts no more requests; resolves when all connections have ended. */
  close(): Promise<void>;
  /** Closes the connections that are left. Answers that are not complete are broken off. */
  closeNow(): void;
}

const HEAD_SECONDS = 60;
// Proxies and clients close idle connections sooner, so they close them first.
const KEEP_ALIVE_SECONDS = 75;

const STATUS_LINES: Readonly<Partial<Record<string, string>>> = {
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
};

// Node answers malformed requests without a body. This answer has the body that all errors have
// (docs/rules.md: Requests).
const refuseMalformed =
  (log: Log) =>
  (error: NodeJS.ErrnoException, socket: Socket): void => {
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    const statusLine = STATUS_LINES[error.code ?? ''] ?? '400 Bad Request';
    const requestId = newRequestId();
    log.info('request is not HTTP', { request_id: requestId, status: statusLine });
    const message = `The request cannot be read: ${statusLine.slice(4)}.`;
    const body = JSON.stringify(errorBody('InvalidArgument', message, requestId));
    socket.end(
      [
        `HTTP/1.1 ${statusLine}`,
        'Content-Type: application/json; charset=utf-8',
        `Content-Length: ${Buffer.byteLength(body)}`,
        `X-Request-Id: ${requestId}`,
        ...Object.entries(SAFE_HEADERS).map(([name, value]) => `${name}: ${value}`),
        'Connection: close',
        '',
        body,
      ].join('\r\n'),
      // Closes the connection even if the client still sends.
      () => socket.destroySoon(),
    );
  };

/**
 * Breaks an answer off if its client reads nothing of it for some seconds. Otherwise the answer would
 * stay in memory.
 */
const endUnlessTaken = (res: ServerResponse, seconds: number): NodeJS.Timeout => {
  let before = -1;
  const timer = setInterval(() => {
    const { bytesWritten = 0, writableLength = 0 } = res.socket ?? {};
    const taken = bytesWritten - writableLength;
    if (writableLength > 0 && taken === before) breakOff(res);
    before = taken;
  }, seconds * 1000);
  return timer.unref();
};

const closeServer = (server: Server | TlsServer): Promise<void> =>
  new Promise((resolve) => {
    // A connection that stays open becomes idle only after its last answer.
    const idle = setInterval(() => server.closeIdleConnections(), 50);
    server.close(() => {
      clearInterval(idle);
      resolve();
    });
    server.closeIdleConnections();
  });

const secureServer = (
  patience: object,
  app: RequestListener,
  { first, watch }: CertificateSource,
  log: Log,
): { readonly server: TlsServer; readonly unwatch: () => void } => {
  const options = ({ cert, key }: Certificate) => ({ cert, key, minVersion: 'TLSv1.2' as const });
  const server = createTlsServer({ ...patience, ...options(first) }, app);
  // These clients speak no TLS, or do not trust the certificate. The service cannot answer them.
  server.on('tlsClientError', (error, socket) => {
    log.debug('connection without TLS', { reason: error.message });
    socket.destroy();
  });
  // Open connections keep the earlier certificate.
  const unwatch = watch((certificate) => server.setSecureContext(options(certificate)));
  return { server, unwatch };
};

/** Listens; rejects if the port is in use or not allowed. */
export const listen = (
  app: RequestListener,
  { host, port, requestSeconds, connections, addressConnections, certificate }: ListenOptions,
  log: Log,
): Promise<Listening> => {
  const patience = {
    requestTimeout: requestSeconds * 1000,
    headersTimeout: Math.min(HEAD_SECONDS, requestSeconds) * 1000,
    keepAliveTimeout: KEEP_ALIVE_SECONDS * 1000,
    connectionsCheckingInterval: Math.min(5, requestSeconds) * 1000,
  };
  const open = new Set<ServerResponse>();
  const listener = boundRequestsOfConnection((req, res) => {
    open.add(res);
    app(req, res);
    const timer = endUnlessTaken(res, requestSeconds);
    res.once('close', () => {
      open.delete(res);
      clearInterval(timer);
    });
  });
  const { server, unwatch } =
    certificate === null
      ? { server: createServer(patience, listener), unwatch: () => undefined }
      : secureServer(patience, listener, certificate, log);
  server.maxConnections = connections;
  boundByAddress(server, addressConnections, (address) =>
    log.debug('connection refused: its address has too many that wait', { address }),
  );
  server.on('clientError', refuseMalformed(log));
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      const { address, port: chosen, family } = server.address() as AddressInfo;
      resolve({
        address: `${certificate === null ? 'http' : 'https'}://${family === 'IPv6' ? `[${address}]` : address}:${chosen}`,
        close: () => {
          unwatch();
          return closeServer(server);
        },
        closeNow: () => {
          for (const res of open) if (res.headersSent) breakOff(res);
          server.closeAllConnections();
        },
      });
    });
  });
};
