import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';

import { constants, gunzipSync } from 'node:zlib';

import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import addFormats from 'ajv-formats';

import { type AnyCodec, Walk } from '../../src/codec/codec';
import { ProblemCollector } from '../../src/codec/problem-collector';
import { ErrorAnswer } from '../../src/contract/answers/error';
import { ScimError } from '../../src/scim/server/endpoints';
import { SchemaWriter } from '../../src/contract/json-schema';
import { routeFinder } from '../../src/web/routing/find-route';
import { isJson, refusalsOf, type Route, showsPages, shownPath } from '../../src/web/routing/route';
import { API_CODES } from '../../src/problem';
import { everyRoute } from './idle-app';

/** An answer as it was sent. */
export interface SentAnswer {
  readonly method: string;
  /** With or without a query. */
  readonly url: string;
  readonly status: number;
  readonly contentType: string;
  readonly body: string;
  /** The other headers, one a line. */
  readonly headers?: string;
}

/** What a client says that it called. No answer may repeat it (docs/security.md: What answers say). */
export const FOREIGN_HOST = 'foreign-host.example';

/** The name to which `supertest` sends, unless a test names another one. */
const NAMED_BY_NOBODY = /^127\.0\.0\.1:\d+$/;

const withForeignHost = ({ headers }: IncomingMessage): void => {
  if (NAMED_BY_NOBODY.test(headers.host ?? '')) headers.host = FOREIGN_HOST;
  headers['x-forwarded-host'] = `a.${FOREIGN_HOST}`;
  headers['x-forwarded-server'] = `b.${FOREIGN_HOST}`;
  headers.forwarded = `host=c.${FOREIGN_HOST};proto=https`;
  headers['x-original-host'] = `d.${FOREIGN_HOST}`;
};

/** A route as messages name it. */
export const nameOf = (route: Route): string => `${route.method.toUpperCase()} ${shownPath(route)}`;

const MOST_FAULTS = 5;

const ajv = addFormats(new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }));
const validators = new Map<AnyCodec, ValidateFunction>();

/** Whether the schema that `/openapi.json` shows of a codec takes a value. */
const faultsBySchema = (codec: AnyCodec, value: unknown): readonly string[] => {
  let validate = validators.get(codec);
  if (validate === undefined) {
    const writer = new SchemaWriter();
    const schema = writer.of(codec);
    validate = ajv.compile({ ...schema, $defs: writer.definitions });
    validators.set(codec, validate);
  }
  validate(value);
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} schema: ${message}`,
  );
};

const faultsOf = (codec: AnyCodec, value: unknown): readonly string[] => {
  if (codec.is(value)) return faultsBySchema(codec, value);
  const collector = new ProblemCollector();
  codec.explain(value, new Walk(collector));
  return collector
    .list()
    .problems.slice(0, MOST_FAULTS)
    .map(({ pointer, code, message }) => `${pointer} ${code} ${message}`);
};

const faultsOfText = (codec: AnyCodec, json: string): readonly string[] => {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    return [`is no JSON: ${json.slice(0, 100)}`];
  }
  return faultsOf(codec, value);
};

/** Whether `/openapi.json` lists the status of a refusal. What no route takes is 404 or 405. */
const faultsOfStatus = (route: Route | undefined, status: number): readonly string[] =>
  route === undefined ||
  (status === 303 && showsPages(route)) ||
  refusalsOf(route).some((code) => API_CODES[code].status === status)
    ? []
    : ['the description does not list this status'];

const eventsIn = (text: string): readonly string[] =>
  [...text.matchAll(/^data: (.*)$/gm)].map(([, json]) => json ?? '');

const linesIn = (text: string): readonly string[] => text.split('\n').filter((one) => one !== '');

/** Looks whether answers are what their routes declare, strictly: a field that no codec has is a fault too. */
export class AnswerCheck {
  /** The routes that were answered with 2xx, or led on to a page of their own. */
  readonly answered = new Set<string>();
  private readonly find = routeFinder(everyRoute());
  private wrong: string[] = [];

  /** The same interface, each answer of which is looked at. */
  watching(app: RequestListener): RequestListener {
    return (req, res) => {
      withForeignHost(req);
      this.listen(req, res);
      app(req, res);
    };
  }

  /** What was wrong since it was last taken. */
  takeWrong(): readonly string[] {
    const { wrong } = this;
    this.wrong = [];
    return wrong;
  }

  look(answer: SentAnswer): void {
    const { method, url, status, contentType, body, headers = '' } = answer;
    const { route, ofPath } = this.find(method, url.split('?', 1).join());
    const name = route === undefined ? `${method} ${url}` : nameOf(route);
    if (`${headers}\n${body}`.includes(FOREIGN_HOST)) {
      this.wrong.push(`${name} ${status}: repeats the Host of the request`);
    }
    const isDone = status >= 200 && status < 300;
    // Browsers ask with OPTIONS beforehand; HEAD has no body.
    if (method === 'HEAD' || (isDone && method === 'OPTIONS')) return;
    // An open route leads nobody to the sign-in.
    const leadsOn = status === 303 && (route?.form !== undefined || route?.access === 'open');
    if ((isDone || leadsOn) && route !== undefined) this.answered.add(name);
    const faults = isDone
      ? this.faultsOfDone(route, answer)
      : [
          ...faultsOfStatus(route, status),
          ...this.faultsOfRefused(route, ofPath.some(showsPages), answer),
        ];
    this.wrong.push(...faults.map((fault) => `${name} ${status} (${contentType}): ${fault}`));
  }

  private faultsOfDone(
    route: Route | undefined,
    { status, contentType, body }: SentAnswer,
  ): readonly string[] {
    if (route === undefined) return ['there is no such route'];
    const type = contentType.split(';', 1).join();
    const { answer } = route;
    if (route.alsoAs === type) return [];
    if (isJson(answer)) {
      return type === 'application/json' ? faultsOfText(answer, body) : ['should be JSON'];
    }
    const { json, status: usual = 200, mayBeEmpty = false } = answer;
    if (status === 204 && (usual === 204 || mayBeEmpty)) return body === '' ? [] : ['has content'];
    if (status !== usual) return [`should be ${usual}`];
    if (!answer.mediaTypes.includes(type)) return [`should be ${answer.mediaTypes.join(' or ')}`];
    const { event, line } = answer;
    if (json !== undefined) return faultsOfText(json, body);
    if (line !== undefined && type === 'application/x-ndjson') {
      return linesIn(body).flatMap((json) => faultsOfText(line, json));
    }
    return event === undefined ? [] : eventsIn(body).flatMap((json) => faultsOfText(event, json));
  }

  private faultsOfRefused(
    route: Route | undefined,
    isForBrowsers: boolean,
    { url, contentType, body }: SentAnswer,
  ): readonly string[] {
    // Below the path of SCIM all errors have its form, those of unknown paths too.
    if (route?.errors !== undefined || /^\/scim\/v2(\/|$|\?)/.test(url)) {
      return contentType.startsWith('application/scim+json')
        ? faultsOfText(ScimError, body)
        : ['should be SCIM'];
    }
    // A browser gets a page where there is none (docs/console.md); the interface never answers one.
    if (route === undefined && !url.includes('/api/') && contentType.startsWith('text/html'))
      return [];
    // Browsers show these answers, so errors are pages too, and so is the way to the sign-in.
    if (isForBrowsers) {
      return contentType.startsWith('text/html') || body === '' ? [] : ['should be a page'];
    }
    return contentType.startsWith('application/json')
      ? faultsOfText(ErrorAnswer, body)
      : ['should be JSON'];
  }

  private listen(req: IncomingMessage, res: ServerResponse): void {
    const pieces: Buffer[] = [];
    const [write, end] = [res.write.bind(res), res.end.bind(res)] as unknown as readonly [
      (...given: unknown[]) => boolean,
      (...given: unknown[]) => ServerResponse,
    ];
    const keep = (piece: unknown): void => {
      if (typeof piece === 'string') pieces.push(Buffer.from(piece));
      else if (piece instanceof Uint8Array) pieces.push(Buffer.from(piece));
    };
    const tell = (): void => {
      const bytes = Buffer.concat(pieces.splice(0));
      const isZipped = res.getHeader('content-encoding') === 'gzip';
      // The client may have left before the end.
      const unzipped = (): Buffer => gunzipSync(bytes, { finishFlush: constants.Z_SYNC_FLUSH });
      const body = (isZipped ? unzipped() : bytes).toString('utf8');
      this.look({
        method: req.method ?? '',
        url: req.url ?? '',
        status: res.statusCode,
        body,
        contentType: String(res.getHeader('content-type') ?? ''),
        headers: JSON.stringify(res.getHeaders()),
      });
    };
    const isStream = (): boolean => eventStream.test(String(res.getHeader('content-type')));
    res.write = ((...given: unknown[]) => {
      keep(given[0]);
      // Each item of a stream is written whole.
      if (isStream()) tell();
      return write(...given);
    }) as typeof res.write;
    res.end = ((...given: unknown[]) => {
      keep(given[0]);
      if (!isStream()) tell();
      return end(...given);
    }) as typeof res.end;
  }
}

const eventStream = /^text\/event-stream/;
