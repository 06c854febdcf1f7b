import type {
  QueryResult,
  Record as GraphRecord,
  RecordShape,
  Result,
  ResultSummary,
} from 'neo4j-driver';

/**
 * Collects the answer of a statement, and drops it as soon as it is delivered. The driver holds a
 * result reachable from its transaction, and the transaction reachable from old objects. V8 checks
 * old objects only in a full collection. So without this, V8 would move rows that nobody needs to
 * the old objects, in pauses of some milliseconds (docs/performance.md, Questions about access).
 */
class Gathering<R extends RecordShape> {
  private records: GraphRecord<R>[] = [];

  constructor(
    private resolve: ((result: QueryResult<R>) => void) | null,
    private reject: ((error: Error) => void) | null,
  ) {}

  onNext(record: GraphRecord<R>): void {
    this.records.push(record);
  }

  onCompleted(summary: ResultSummary): void {
    const { records, resolve } = this;
    this.letGo();
    resolve?.({ records, summary });
  }

  onError(error: Error): void {
    const { reject } = this;
    this.letGo();
    reject?.(error);
  }

  private letGo(): void {
    this.records = [];
    this.resolve = null;
    this.reject = null;
  }
}

/**
 * Collects the complete answer of a statement. A failure rejects the promise and is never an
 * unhandled rejection.
 */
export const gather = <R extends RecordShape>(result: Result<R>): Promise<QueryResult<R>> => {
  const gathered = new Promise<QueryResult<R>>((resolve, reject) => {
    result.subscribe(new Gathering(resolve, reject));
  });
  gathered.catch(() => undefined);
  return gathered;
};
