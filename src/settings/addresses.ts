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

/** Whether only this machine can reach an address. */
export const isLoopback = (host: string): boolean =>
  host === 'localhost' || host === '::1' || /^127(\.\d{1,3}){3}$/.test(host);
