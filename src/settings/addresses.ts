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
