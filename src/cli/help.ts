import { badInput, editDistance, englishMessage, sanitizeText } from '../core/index.ts';
import {
  COMMANDS,
  COMMON_OPTIONS,
  ENDPOINT_OPTIONS,
  OPTIONS,
  type Option,
  type OptionName,
} from './commandTable.ts';
import { EXIT_CODES } from './exitCode.ts';
import { type Env, formatStyled, type OutputStream } from './terminal.ts';

const MAX_LINE_CHARS = 100;
const MANUAL = 'https://github.com/chainside/chainside/blob/HEAD/docs/cli.md';

interface HelpContext {
  readonly env: Env;
  readonly stdout: OutputStream;
}

/** How the user has started the program. */
export function getProgramName({ npm_lifecycle_event: script }: Env): string {
  return script === 'headless' ? 'npm run -s headless --' : 'chainside';
}

/** Formats how to use the program, or one command. @throws AppError `badInput` if there is no such command. */
export function formatHelp(command: string | undefined, context: HelpContext): string {
  return command === undefined ? formatProgramHelp(context) : formatCommandHelp(command, context);
}

function formatProgramHelp(context: HelpContext): string {
  const program = getProgramName(context.env);
  const { formatExamples, formatSection } = createHelpFormat(context);
  const examples = [COMMANDS.block, COMMANDS.check].map((command) => command?.examples[0] ?? '');
  const commands = Object.entries(COMMANDS).map(([name, { summary }]) => [name, summary] as const);
  return [
    `Usage: ${program} COMMAND [ARGUMENTS] [OPTIONS]`,
    'Prints chain data on standard output, as JSON unless it is a terminal, and messages on standard error.',
    formatExamples(examples),
    formatSection('Commands', commands),
    formatSection('Options of commands that ask an endpoint', listOptions(ENDPOINT_OPTIONS)),
    formatSection('Other options', listOptions(COMMON_OPTIONS)),
    formatSection('Exit codes', Object.entries(EXIT_CODES)),
    `Run ${program} help COMMAND for the options and examples of a command.\n${MANUAL}`,
  ].join('\n\n');
}

function formatCommandHelp(name: string, context: HelpContext): string {
  const command = COMMANDS[name];
  if (command === undefined || !Object.hasOwn(COMMANDS, name)) throw createUnknownCommandError(name);
  const { takes, summary, details, options, examples } = command;
  const asksEndpoint = takes.includes('--rpc');
  const { formatExamples, formatSection } = createHelpFormat(context);
  const about = `Prints ${summary}.${details === undefined ? '' : ` ${details}`}`;
  const sections = [
    `Usage: ${getProgramName(context.env)} ${name} ${takes} [OPTIONS]`,
    formatExamples(examples),
    wrapText(about, MAX_LINE_CHARS).join('\n'),
    options.length > 0 && formatSection('Options', listOptions(options)),
    asksEndpoint && formatSection('Options of the endpoint', listOptions(ENDPOINT_OPTIONS)),
  ];
  return sections.filter((section) => section !== false).join('\n\n');
}

/** The error for a command that does not exist. */
export function createUnknownCommandError(name: string) {
  const hint = formatSuggestion(name, Object.keys(COMMANDS));
  const text = `${sanitizeText(name, 60)} is not a command.${hint}`;
  return badInput('command', englishMessage`${text}`);
}

/** ` Did you mean check?`, with the name that is nearest to what was typed; empty if none is near. */
export function formatSuggestion(typed: string, names: readonly string[]): string {
  for (let distance = 1; distance <= MAX_TYPOS; distance++) {
    const near = names.find((name) => editDistance(name, typed, distance) !== undefined);
    if (near !== undefined) return ` Did you mean ${near}?`;
  }
  return '';
}

const MAX_TYPOS = 2;

/** The option as it is written, such as `--rpc URL`. */
export function formatOption(name: OptionName): string {
  const { short, value }: Option = OPTIONS[name];
  return `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` ${value}`}`;
}

const listOptions = (names: readonly OptionName[]) =>
  names.map((name) => [formatOption(name), OPTIONS[name].about] as const);

function createHelpFormat({ env, stdout }: HelpContext) {
  const formatTitle = (title: string) => formatStyled(`${title}:`, 'bold', { stream: stdout, env });
  return {
    formatExamples(examples: readonly string[]): string {
      const program = getProgramName(env);
      return [formatTitle('Examples'), ...examples.map((example) => `  ${program} ${example}`)].join('\n');
    },
    /** A table of two columns. The second is wrapped. */
    formatSection(title: string, rows: readonly (readonly [string, string])[]): string {
      const width = Math.max(...rows.map(([term]) => term.length));
      const lines = rows.flatMap(([term, about]) =>
        wrapText(about, MAX_LINE_CHARS - width - 4).map(
          (line, index) => `  ${(index === 0 ? term : '').padEnd(width)}  ${line}`,
        ),
      );
      return [formatTitle(title), ...lines].join('\n');
    },
  };
}

/** Lines of whole words. */
function wrapText(text: string, maxChars: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of text.split(' ')) {
    if (line !== '' && line.length + word.length >= maxChars) {
      lines.push(line);
      line = '';
    }
    line = line === '' ? word : `${line} ${word}`;
  }
  return [...lines, line];
}
