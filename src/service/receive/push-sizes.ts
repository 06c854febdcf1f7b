/** How large a push may be. */
export interface PushSizes {
  /** The body, as sent and once its `Content-Encoding` is undone. */
  readonly bodyBytes: number;
  /** The payload, once it is uncompressed. */
  readonly jsonBytes: number;
  /** JavaScript heap that a push may take. */
  readonly heapBytes: number;
  /** Threads that share the memory. */
  readonly threads: number;
}
