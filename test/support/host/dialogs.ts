import { window } from 'vscode';
import { createDialogs, createNotedItems, User } from '../vscode/dialogs.ts';

export type { User } from '../vscode/dialogs.ts';

interface Options {
  /** Whether items of the status bar and tabs are noted, and not made. Default: false. */
  readonly notesItems?: boolean;
}

/** Has `user` answer for the person at the editor, until that is disposed of. */
export function stubDialogs({ notesItems = false }: Options = {}, user = new User()): User & Disposable {
  const standIns: object = { ...createDialogs(user), ...(notesItems && createNotedItems(user)) };
  const names = Object.keys(standIns) as (keyof typeof window)[];
  const real = Object.fromEntries(names.map((name) => [name, window[name]]));
  Object.assign(window, standIns);
  return Object.assign(user, { [Symbol.dispose]: () => void Object.assign(window, real) });
}

/** The person at the editor for the tests of a suite, a new one for each. */
export function useDialogs(options: Options = {}): User {
  const user = new User();
  let stub: Disposable;
  beforeEach(() => {
    stub = stubDialogs(options, Object.assign(user, new User()));
  });
  afterEach(() => stub[Symbol.dispose]());
  return user;
}
