import { forgotten, number, service, text } from '../model/table';

/** What the service stores about the newest full payload of a data source. */
export const KnownPayload = service('KnownPayload', {
  holds: { of: 'data source', by: 'key', days: null },
  doc: "What the service remembers of a data source's newest full payload, so that it need not read the same text again; its key is the data source's id.",
  properties: {
    sha256: text("Of the payload's text, in hexadecimal.", 'nobody'),
    digest: text('Digest of the data source after it.', 'nobody'),
    rules_version: number('Version of the rules that made its rows.'),
    turns: number('`turns` of the BindingLock when its warnings were found.'),
    warning_count: number('Warnings in all.'),
    first_warnings: forgotten('Its first 1,000 warnings, as JSON.', 'removal'),
    packed_warnings: forgotten(
      'Base64 of a gzip of all its warnings, as JSON; empty without any.',
      'removal',
    ),
  },
});
