import { pathOf } from '../../../contract/parameters/path-of';
import { endpoints } from '../../../push/endpoints';
import type { SourceOfProvider } from '../overview/overview';
import { inShell } from '../parts/shell';

/** Where a connector pushes to, and with which key. */
export interface PushLines {
  readonly of: SourceOfProvider;
  /** The beginning of the addresses of the service: scheme, host, port, and the path of a proxy. */
  readonly base: string;
  readonly accessKey: string;
}

/** The file that the lines push. */
export const PAYLOAD_FILE = 'payload.json';

const urlOf = ({ of: { provider, source }, base }: PushLines): string =>
  base + pathOf(endpoints.push, { providerId: provider.id, dataSourceId: source.id });

/**
 * Three lines that push a file with curl. The payload is base64 of its gzip, so nothing in it needs an
 * escape. No list of processes shows the key.
 */
export const curlLines = (lines: PushLines): string => {
  const { provider, source } = lines.of;
  const envelope = `{"id": "${provider.id}", "data_source_id": "${source.id}", "compression_type": "GZIP", "json_data": "`;
  return [
    `key=${inShell(lines.accessKey)}`,
    `url=${inShell(urlOf(lines))}`,
    `(printf %s ${inShell(envelope)}; gzip -c ${PAYLOAD_FILE} | base64 | tr -d '\\n'; printf '"}') | curl -sS "$url" -H @<(printf 'authorization: Bearer %s' "$key") -H 'content-type: application/json' --data-binary @-`,
  ].join('\n');
};

/** Three lines that push a file with Python and nothing else. */
export const pythonLines = (lines: PushLines): string => {
  const { provider, source } = lines.of;
  const [id, data_source_id, url, key] = [
    provider.id,
    source.id,
    urlOf(lines),
    `Bearer ${lines.accessKey}`,
  ].map((text) => JSON.stringify(text));
  return [
    'import base64, gzip, json, urllib.request',
    `body = json.dumps({"id": ${id}, "data_source_id": ${data_source_id}, "compression_type": "GZIP", "json_data": base64.b64encode(gzip.compress(open("${PAYLOAD_FILE}", "rb").read())).decode()}).encode()`,
    `print(urllib.request.urlopen(urllib.request.Request(${url}, body, {"authorization": ${key}, "content-type": "application/json"})).read().decode())`,
  ].join('\n');
};
