import { isIP } from 'node:net';

import * as E from 'fp-ts/Either';

/** The address of a Neo4j, without user and password. */
export const neo4jUri = (text: string): E.Either<string, string> => {
  const expected =
    'an address such as bolt://host:7687 or neo4j+s://host, without user and password';
  if (!/^(bolt|neo4j)(\+s|\+ssc)?:\/\//.test(text) || !URL.canParse(text)) return E.left(expected);
  const { hostname, username, password } = new URL(text);
  return hostname !== '' && username === '' && password === '' ? E.right(text) : E.left(expected);
};

const isOrigin = (text: string): boolean =>
  /^https?:\/\//.test(text) && URL.canParse(text) && new URL(text).origin === text;

/** Origins of pages, separated by commas; `*`: all. */
export const origins = (text: string): E.Either<string, readonly string[]> => {
  const all = text.split(',').map((each) => each.trim());
  return all.every((each) => each === '*' || isOrigin(each))
    ? E.right(all)
    : E.left(
        'origins such as https://access.example.org, in lower case and without a path, with commas between, or *',
      );
};

/** The address of a service, possibly with a path, without a slash at its end. */
export const publicUrl = (text: string): E.Either<string, string> => {
  const expected = 'an address such as https://graph.example.org, without query, user and password';
  if (!/^https?:\/\/[^?#\s\\]+$/.test(text) || !URL.canParse(text)) return E.left(expected);
  const { origin, pathname, username, password } = new URL(text);
  if (username !== '' || password !== '') return E.left(expected);
  return E.right(`${origin}${pathname}`.replace(/\/$/, ''));
};

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);

/** The address of an issuer, exactly as its tokens spell it. */
export const issuer = (text: string): E.Either<string, string> => {
  const expected =
    'an address such as https://login.example.org; http only of this machine, such as http://127.0.0.1:8081';
  if (!/^https?:\/\/[^?#\s\\]+$/.test(text) || !URL.canParse(text)) return E.left(expected);
  const { protocol, hostname, username, password } = new URL(text);
  const isSafe = protocol === 'https:' || isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
  return isSafe && username === '' && password === '' ? E.right(text) : E.left(expected);
};

/** A host of an application that the service may call. */
type ApplicationHost = {
  readonly scheme: 'http' | 'https';
  readonly name: string;
  readonly isWildcard: boolean;
  readonly port: number;
};

const HOST =
  /^(?:(https?):\/\/)?(\*\.)?(\[[\da-f:.]+\]|[a-z\d]([a-z\d.-]*[a-z\d])?)(?::(\d{1,5}))?$/;

const applicationHost = (text: string): ApplicationHost | null => {
  const [, scheme = 'https', wildcard, name = '', , port] = HOST.exec(text) ?? [];
  const number = Number(port ?? (scheme === 'https' ? 443 : 80));
  const plain = name.replace(/^\[(.*)\]$/, '$1');
  const isAddress = isIP(plain) !== 0;
  if (plain === '' || number < 1 || number > 65535) return null;
  // `*.org` would allow nearly everything.
  if (wildcard !== undefined && (isAddress || !plain.includes('.'))) return null;
  if (name.startsWith('[') && !isAddress) return null;
  return {
    scheme: scheme === 'http' ? 'http' : 'https',
    // The spelling that addresses use.
    name: isIP(plain) === 6 ? new URL(`http://[${plain}]`).hostname.slice(1, -1) : plain,
    isWildcard: wildcard !== undefined,
    port: number,
  };
};

/** Hosts of applications, separated by commas. */
export const applicationHosts = (text: string): E.Either<string, readonly ApplicationHost[]> => {
  const hosts = text.split(',').map((each) => applicationHost(each.trim().toLowerCase()));
  const known = hosts.flatMap((host) => host ?? []);
  return known.length === hosts.length
    ? E.right(known)
    : E.left(
        'hosts such as app.example.org, *.example.org or app.example.org:8443, with commas between',
      );
};

const isNetwork = (text: string): boolean => {
  const [address = '', prefix, ...more] = text.split('/');
  const most = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1;
  if (most < 0 || more.length > 0 || address.includes('%')) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= most);
};

/** Networks in CIDR notation, separated by commas. */
export const networks = (text: string): E.Either<string, readonly string[]> => {
  const all = text.split(',').map((each) => each.trim());
  return all.every(isNetwork)
    ? E.right(all)
    : E.left('networks such as 10.0.0.0/8 or ::1, with commas between');
};
