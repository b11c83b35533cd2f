import type { SourceFacts } from '../sources/sourceFacts.ts';
import { keptSource } from './kept/keptSource.ts';
import type { KnownSource } from './kept/knownFile.ts';

/**
 * Characters of the sources that are held parsed, while sources are linked: those of a thousand files with all that they
 * import. Parsed they take about five times as many bytes.
 */
const MOST_PARSED = 8 * 1024 * 1024;

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
  let characters = 0;

  function dropOldest(): void {
    for (const [json] of parsed) {
      if (characters <= MOST_PARSED) return;
      parsed.delete(json);
      characters -= json.length;
    }
  }

  return {
    of({ json }) {
      const known = parsed.get(json);
      if (parsed.delete(json)) characters -= json.length;
      const facts = known ?? parse(json);
      parsed.set(json, facts);
      characters += json.length;
      dropOldest();
      return facts;
    },
    clear() {
      parsed.clear();
      characters = 0;
    },
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
