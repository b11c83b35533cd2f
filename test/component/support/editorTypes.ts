/** The classes of VS Code's API that panels make objects of. */

type Listener<T> = (event: T) => unknown;

export class Disposable {
  readonly #dispose: () => unknown;

  constructor(dispose: () => unknown) {
    this.#dispose = dispose;
  }

  static from(...parts: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const part of parts) part.dispose();
    });
  }

  dispose(): unknown {
    return this.#dispose();
  }
}

export class EventEmitter<T> {
  readonly #listeners = new Set<Listener<T>>();

  readonly event = (listener: Listener<T>, self?: unknown, disposables?: Disposable[]): Disposable => {
    const bound: Listener<T> = (event) => listener.call(self, event);
    this.#listeners.add(bound);
    const registered = new Disposable(() => this.#listeners.delete(bound));
    disposables?.push(registered);
    return registered;
  };

  fire(event: T): void {
    for (const listener of [...this.#listeners]) listener(event);
  }

  dispose(): void {
    this.#listeners.clear();
  }
}

export class CancellationTokenSource {
  readonly #cancelled = new EventEmitter<void>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#cancelled.event };

  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#cancelled.fire();
  }

  dispose(): void {
    this.#cancelled.dispose();
  }
}

export class FileSystemError extends Error {
  readonly code: string;

  constructor(message: string, code = 'Unknown') {
    super(message);
    this.code = code;
  }

  static FileNotFound(uri: unknown): FileSystemError {
    return new FileSystemError(`${uri} is not there.`, 'FileNotFound');
  }
}

export class ThemeIcon {
  static readonly File = new ThemeIcon('file');
  readonly id: string;

  constructor(id: string) {
    this.id = id;
  }
}

export class ThemeColor extends ThemeIcon {}

export class MarkdownString {
  value: string;

  constructor(value = '') {
    this.value = value;
  }
}

export class Position {
  readonly line: number;
  readonly character: number;

  constructor(line: number, character: number) {
    this.line = line;
    this.character = character;
  }
}

export class Range {
  readonly start: Position;
  readonly end: Position;

  constructor(start: Position, end: Position) {
    this.start = start;
    this.end = end;
  }
}

export class RelativePattern {
  readonly baseUri: unknown;
  readonly pattern: string;

  constructor(base: unknown, pattern: string) {
    this.baseUri = base;
    this.pattern = pattern;
  }
}

export class Selection extends Range {}

export interface Tab {
  readonly label: string;
}
