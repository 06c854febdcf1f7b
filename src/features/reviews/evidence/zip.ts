import { createHash, type Hash } from 'node:crypto';

import { Zip, ZipDeflate } from 'fflate';

/** The files of the evidence, and what each has. */
export const EVIDENCE_FILES = {
  'review.html': 'this page',
  'items.csv': 'each item: who held what, who reviewed it, and what they decided, when and why',
  'remediation.csv': 'each revoke, and what became of it',
  'decisions.csv': 'the chain of decisions: each act, in its order',
  'sources.csv': 'the sources, as of the opening',
  'coverage.csv': 'the coverage, as of the opening',
  'rules.csv': 'the settings of the review, and what each means',
  'review.json': 'the review, and its settings when it was opened',
  'people.jsonl': 'who has which alias (P7) in these files',
  'items.jsonl': 'the items, exactly as the script verifies them',
  'decisions.jsonl': 'the chain, exactly as the script verifies it',
  'manifest.json': 'the SHA-256 of each other file',
} as const;

type EvidenceFile = keyof typeof EVIDENCE_FILES;

/** A fixed time, so that the same review makes the same bytes. */
const AT = new Date(2026, 0, 1);

/** A zip file that is made piece by piece, with a manifest of the digests of its files. */
export class EvidenceZip {
  private readonly chunks: Uint8Array[] = [];
  private readonly zip: Zip;
  private readonly digests: Record<string, string> = {};

  constructor() {
    this.zip = new Zip((error, chunk) => {
      if (error !== null) throw error;
      this.chunks.push(chunk);
    });
  }

  file(name: EvidenceFile): { readonly add: (text: string) => void; readonly end: () => void } {
    const file = new ZipDeflate(name, { level: 6 });
    file.mtime = AT;
    this.zip.add(file);
    const hash: Hash = createHash('sha256');
    return {
      add: (text) => {
        const bytes = Buffer.from(text, 'utf8');
        hash.update(bytes);
        file.push(bytes);
      },
      end: () => {
        this.digests[name] = hash.digest('hex');
        file.push(new Uint8Array(0), true);
      },
    };
  }

  /** Adds a complete file. */
  add(name: EvidenceFile, text: string): void {
    const { add, end } = this.file(name);
    add(text);
    end();
  }

  end(): Buffer {
    this.add('manifest.json', JSON.stringify({ sha256: this.digests }, null, 1));
    this.zip.end();
    return Buffer.concat(this.chunks);
  }
}
