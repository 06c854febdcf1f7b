import { type CatalogEntry, entry } from '../../../graph/statements/catalog-entry';

/**
 * The users of a data source, by its id or name, whose id or email may be a value. `$dataSource`,
 * `$value`, folded. Returns how many data sources have that id or name.
 */
export const USERS_OF_CLAIM = `MATCH (source:DataSource)
WHERE source.key = $dataSource OR source.name = $dataSource
WITH collect(source.key) AS sources
CALL (sources) {
  MATCH (user:IdpUser {fold_id: $value})
  WHERE user.data_source IN sources
  RETURN user
UNION
  MATCH (user:IdpUser {fold_email: $value})
  WHERE user.data_source IN sources
  RETURN user
}
RETURN size(sources) AS sources, collect(DISTINCT {
  key: user.key, identity: user.identity, name: user.name, email: user.email,
  is_active: coalesce(user.is_active, true)
}) AS users`;

/**
 * Notes that the answer of an issuer was used. `$hash`: of its state; `$request`, `$at`, `$until`.
 * Says whether this request is the first one.
 */
export const USE_ANSWER = `MERGE (code:SignInCode {key: $hash})
ON CREATE SET code.since = $at, code.used_at = $at, code.expires_at = $until, code.request_id = $request
RETURN code.request_id = $request AS isFirst`;

/** The statements of the sign-in with an issuer. */
export const issuerStatements = (): readonly CatalogEntry[] => [
  entry('Find the users whom a claim may mean', USERS_OF_CLAIM),
  entry('Use the answer of an issuer', USE_ANSWER),
];
