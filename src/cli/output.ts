import { once } from 'node:events';
import { setImmediate } from 'node:timers/promises';
import { type AppError, sanitizeText } from '../core/index.ts';
import { createProgress, type Env, formatStyled, type OutputStream, type Progress } from './terminal.ts';

/** What a run prints. */
export interface Output {
  /** Writes values to standard output as JSON, one per line, or as `formatRows` says, with back pressure. */
  printLines(values: Iterable<unknown>): Promise<void>;
  /** Has rows printed for people from now on. */
  setRowFormat(formatRows: (values: readonly unknown[]) => string): void;
  /** Writes text to standard output, with back pressure. */
  printText(text: string): Promise<void>;
  /** Writes one line for people to standard error, as {@link formatMessageLine} makes it. */
  printMessage(line: string): void;
  /** Writes text that is ours to standard error. */
  printPlainLine(line: string): void;
  /** Writes an error for people, with the message of the server. */
  printErrorMessage(error: AppError): void;
  readonly progress: Progress;
  /** Prints nothing from now on. */
  mute(): void;
  /** Resolves when all is written, or cannot be. */
  flush(): Promise<void>;
}

const PRINT_BATCH_CHARS = 256 * 1024;

export function createOutput({ stdout, stderr, env }: OutputOptions): Output {
  const progress = createProgress(stderr, env);
  let isMuted = false;
  let formatRows: ((values: readonly unknown[]) => string) | undefined;

  async function printText(text: string): Promise<void> {
    if (text === '' || isMuted) return;
    progress.clear();
    if (!stdout.write(text)) await once(stdout, 'drain');
  }

  function printPlainLine(line: string): void {
    if (isMuted) return;
    progress.clear();
    stderr.write(`${line}\n`);
  }

  return {
    printText,
    printPlainLine,
    progress,
    setRowFormat(format) {
      formatRows = format;
    },
    async printLines(values) {
      if (formatRows) {
        await printText(formatRows([...values]));
        return;
      }
      let text = '';
      let count = 0;
      for (const value of values) {
        count += 1;
        for (const piece of cutJson(JSON.stringify(value))) {
          text += escapeJson(piece);
          if (text.length < PRINT_BATCH_CHARS) continue;
          await printText(text);
          text = '';
          await setImmediate();
        }
        text += '\n';
      }
      await printText(text);
      progress.countLines(count);
    },
    printMessage: (line) => printPlainLine(formatMessageLine(line)),
    printErrorMessage({ message, details: { serverMessage } }) {
      const isComplete = serverMessage === undefined || message.includes(serverMessage);
      const line = formatMessageLine(isComplete ? message : `${message} The server says: ${serverMessage}`);
      printPlainLine(formatStyled(line, 'red', { stream: stderr, env }));
    },
    mute() {
      progress.clear();
      isMuted = true;
    },
    async flush() {
      progress.clear();
      const streams = [stdout, stderr];
      await Promise.all(streams.map((stream) => new Promise((resolve) => stream.write('', resolve))));
    },
  };
}

interface OutputOptions {
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly env: Env;
}

/** Makes one line for people. Untrusted text in it is sanitized and cut, and commands no CI. */
export function formatMessageLine(line: string, maxChars = MAX_LINE_CHARS): string {
  return escapeCiCommands(sanitizeText(line, maxChars));
}

const MAX_LINE_CHARS = 500;

/**
 * Makes the commands of CI systems visible in a line, so that none is run: `##[error]` of GitHub, `##vso[…]` of Azure
 * Pipelines and `##teamcity[…]` anywhere in it; at its start `::error::` of GitHub and the groups of Buildkite (`---`,
 * `+++`, `~~~`, `^^^`).
 */
export function escapeCiCommands(line: string): string {
  return line
    .replace(CI_COMMAND, '#<U+0023>')
    .replace(
      CI_COMMAND_START,
      (mark) => `<U+${mark.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}>`,
    );
}

/** https://github.com/actions/runner (ActionCommand.cs) looks for the old form anywhere in a line. */
const CI_COMMAND = /##(?=[\w.-]{0,40}\[)/g;
const CI_COMMAND_START = /^(?::(?=:)|[+~^-](?=[+~^-]{2}))/;

/** An error as JSON. */
export function errorToJson(error: AppError) {
  const { status, code, serverMessage, retryAfterMs, field, revert } = error.details;
  const { kind, message } = error;
  return { kind, message, status, code, serverMessage, retryAfterMs, field, revert };
}

/** Formats a value as one line of JSON that is safe to print in a terminal and in CI. It parses to the same value. */
export function formatJsonLine(value: unknown): string {
  return `${escapeJson(JSON.stringify(value))}\n`;
}

function escapeJson(json: string): string {
  // A value may be a text of many megabytes, and most have no such characters.
  if (!json.includes('##') && !/[^ -~]/.test(json)) return json;
  // In JSON these characters stand only within strings.
  return json.replace(CI_COMMAND, '#\\u0023').replace(UNSAFE_CHARACTERS, escapeCharacters);
}

/** Cuts a long line into pieces that can be escaped apart: within no command of a CI system, and within no character. */
function* cutJson(json: string): Generator<string, void> {
  let from = 0;
  for (let to = PRINT_BATCH_CHARS; to < json.length; to += MAX_CI_COMMAND_CHARS) {
    const isWithin = json.slice(to - MAX_CI_COMMAND_CHARS, to).includes('#');
    if (isWithin || /^[\udc00-\udfff]/.test(json.slice(to, to + 1))) continue;
    yield json.slice(from, to);
    from = to;
    to += PRINT_BATCH_CHARS;
  }
  yield json.slice(from);
}

/** See {@link CI_COMMAND}. */
const MAX_CI_COMMAND_CHARS = 43;

function escapeCharacters(characters: string): string {
  return Array.from(
    { length: characters.length },
    (_, index) => `\\u${characters.charCodeAt(index).toString(16).padStart(4, '0')}`,
  ).join('');
}

// Characters that JSON may contain unescaped, but that a terminal executes, hides or reorders: controls from
// DEL on, format and ignorable characters, line separators, the blank Braille pattern.
const UNSAFE_CHARACTERS = /[\u007f-\u009f\p{Cf}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
