/** What a JSON-RPC server says in the error of an answer. */
export interface RefusalWords {
  readonly code?: number | undefined;
  readonly message: string;
}

// HTTP's own in place of one of JSON-RPC (Alchemy); -32016: Base, Optimism and others behind proxyd; -32029: TheRPC.
const RATE_LIMIT_CODES = new Set([429, -32016, -32029, -32097]);
// Every repetition is bounded: it reads what a server says.
const RATE_LIMIT_WORDS =
  /\brate[ -]?limit|\brequest rate|too many requests|over (?:the )?rate\b|\b(?:requests?|calls|credits|units) (?:per|a) (?:second|minute|day)\b|\/sec(?:ond)?\b|\brequest (?:count|limit) (?:exceeded|reached)/i;
/** What a contract says is no word of the server: code 3, and the texts of a revert. */
const REVERT_CODE = 3;

/**
 * Whether the error of a JSON-RPC answer, which may come with HTTP 200, is a rate limit. Codes such as -32005 and
 * -32000 stand for other limits too (Infura: `query returned more than 10000 results`): there the words tell.
 */
export function isRateLimitError({ code, message }: RefusalWords): boolean {
  if (code !== undefined && RATE_LIMIT_CODES.has(code)) return true;
  return code !== REVERT_CODE && RATE_LIMIT_WORDS.test(message) && !/revert/i.test(message);
}
