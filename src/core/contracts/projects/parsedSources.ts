import type { SourceFacts } from '../sources/sourceFacts.ts';
import { keptSource } from './kept/keptSource.ts';
import type { KnownSource } from './kept/knownFile.ts';

/** Sources that are held parsed: more than one source and its libraries import. */
const MOST_PARSED = 256;

/** What a source declares, as text; an `emit` of one event counts once in a contract, wherever it stands. */
export function sourceText(facts: SourceFacts): string {
  const uses = new Map(facts.uses.map((use) => [`${use.contract} ${use.kind} ${use.name}`, use]));
  return JSON.stringify({ ...facts, uses: [...uses.values()] });
}

export interface ParsedSources {
  /** Undefined for text that is none of {@link sourceText}, as what was kept may be. */
  of(source: KnownSource): SourceFacts | undefined;
  clear(): void;
}

/** Parses sources when they are needed, and holds the last ones. */
export function createParsedSources(): ParsedSources {
  const parsed = new Map<KnownSource['json'], SourceFacts | undefined>();
  return {
    of({ json }) {
      const known = parsed.get(json);
      parsed.delete(json);
      const facts = known ?? parse(json);
      parsed.set(json, facts);
      const [oldest] = parsed.size > MOST_PARSED ? parsed.keys() : [];
      if (oldest !== undefined) parsed.delete(oldest);
      return facts;
    },
    clear: () => parsed.clear(),
  };
}

function parse(json: string): SourceFacts | undefined {
  try {
    const facts = keptSource.safeParse(JSON.parse(json));
    return facts.success ? facts.data : undefined;
  } catch {
    return undefined;
  }
}
