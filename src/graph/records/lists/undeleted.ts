/**
 * Reads rows again until none of them is a node that something deleted while the statement read:
 * Neo4j returns such a node without any property. Each deletion ends, so reading does too.
 */
export const readUndeleted = async <Row>(
  read: () => Promise<readonly Row[]>,
  isDeleted: (row: Row) => boolean,
): Promise<readonly Row[]> => {
  for (;;) {
    const rows = await read();
    if (!rows.some(isDeleted)) return rows;
  }
};
