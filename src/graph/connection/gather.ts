import type {
  QueryResult,
  Record as GraphRecord,
  RecordShape,
  Result,
  ResultSummary,
} from 'neo4j-driver';

/**
 * What a statement answers, let go of as soon as it is told. The driver keeps a result within reach of the transaction, and that within reach of
 * what V8 only looks through in a full collection: rows that nobody needs any more would be moved among the old ones first, in pauses of some
 * milliseconds (docs/performance.md, Questions about access).
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

/** All that a statement answers. Whoever waits for it hears of a failure. */
export const gather = <R extends RecordShape>(result: Result<R>): Promise<QueryResult<R>> => {
  const gathered = new Promise<QueryResult<R>>((resolve, reject) => {
    result.subscribe(new Gathering(resolve, reject));
  });
  gathered.catch(() => undefined);
  return gathered;
};
