/** How large a push may be. */
export interface PushSizes {
  /** The largest body, as sent and also once its `Content-Encoding` is undone. */
  readonly bodyBytes: number;
  /** The largest payload, once it is uncompressed. */
  readonly jsonBytes: number;
  /** JavaScript heap that a push may use. */
  readonly heapBytes: number;
  /** Push threads that share the memory. */
  readonly threads: number;
}
