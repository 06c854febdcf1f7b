/** What is wrong with a file of the kit, and where. */
export class FileFault extends Error {
  constructor(file: string, line: number, message: string) {
    super(`cypher/queries/${file}, line ${line}: ${message}`);
  }
}
