/** The salt of erased names, if a person was ever erased. */
export const READ_SALT = `MATCH (names:ErasedNames {key: 'erased'})
RETURN names.salt AS salt`;

/** Keeps the salt of erased names, unless there is one. `$salt`. */
export const KEEP_SALT = `MERGE (names:ErasedNames {key: 'erased'})
ON CREATE SET names.salt = $salt
RETURN names.salt AS salt`;

/** Keeps erased names. `$keys[0]`, `$at`. */
export const KEEP_ERASED_NAMES = `UNWIND $keys[0] AS key
MERGE (name:ErasedName {key: key})
ON CREATE SET name.since = $at`;

/** Those of these names that were erased. `$keys[0]`. */
export const ERASED_AMONG = `UNWIND $keys[0] AS key
MATCH (name:ErasedName {key: key})
RETURN collect(key) AS keys`;
