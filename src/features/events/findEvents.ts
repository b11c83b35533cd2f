import { type EventSignature, isAppError, parseEventSignature } from '../../core/index.ts';

/** An event that a Solidity source declares, and where. */
export interface DeclaredEvent extends EventSignature {
  readonly name: string;
  /** Index of the word `event` in the source. */
  readonly offset: number;
}

const COMMENT_OR_STRING = /\/\/[^\n\r]*|\/\*[\s\S]*?(?:\*\/|$)|"(?:\\.|[^"\\\n\r])*"|'(?:\\.|[^'\\\n\r])*'/g;
const DECLARATION = /\bevent\s+([A-Za-z_$][\w$]*)\s*\([^()]*\)\s*(?:anonymous\s*)?;/g;

/**
 * The events that a Solidity source declares and whose logs can be asked for by topic0: not the anonymous ones, and
 * none with a parameter of a type that has another name in the ABI (a contract, an enum, a struct).
 */
export function findEvents(source: string): readonly DeclaredEvent[] {
  const code = source.replace(COMMENT_OR_STRING, (text) => text.replace(/[^\n\r]/g, ' '));
  return [...code.matchAll(DECLARATION)].flatMap(({ 0: declaration, 1: name = '', index: offset }) => {
    const event = signatureOf(declaration);
    return event ? [{ ...event, name, offset }] : [];
  });
}

function signatureOf(declaration: string): EventSignature | undefined {
  try {
    return parseEventSignature(declaration);
  } catch (error) {
    if (isAppError(error, 'badInput')) return undefined;
    throw error;
  }
}
