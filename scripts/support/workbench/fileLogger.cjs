// What VS Code writes its log files with is a native module, which the workbench from npm comes without: nothing that an
// extension logs is kept then. This takes its place, with no more than that needs.
const { appendFileSync } = require('node:fs');
const Module = require('node:module');

const levels = ['trace', 'debug', 'info', 'warn', 'error', 'critical'];

class Logger {
  #file;
  #least = 2;

  constructor(_kind, _name, file) {
    this.#file = file;
    for (const [level, name] of levels.entries()) this[name] = (text) => this.#write(level, text);
  }

  #write(level, text) {
    if (level < this.#least) return;
    appendFileSync(this.#file, `${new Date().toISOString()} [${levels[level]}] ${text}\n`);
  }

  getLevel() {
    return this.#least;
  }

  setLevel(level) {
    this.#least = level;
  }

  clearFormatters() {}
  setPattern() {}
  setAsyncMode() {}
  flush() {}
  drop() {}
}

const binding = { version: 0, setLevel() {}, setFlushOn() {}, Logger };
const load = Module._load;
Module._load = function (request, parent, ...rest) {
  if (request === 'bindings' && parent?.filename?.includes('spdlog')) return () => binding;
  return load.call(this, request, parent, ...rest);
};
