import type { Settings } from './server.ts';

/** Where nothing answers. */
export const NOWHERE = 'http://127.0.0.1:1';

/** What every test begins with. */
export const testSettings: Settings = {
  // Else a part of the processor goes into drawing what moves by itself.
  'workbench.reduceMotion': 'on',
  'editor.cursorBlinking': 'solid',
  // Else a test that allows these services without naming its own would ask the public ones.
  'chainside.sources.sourcifyUrl': NOWHERE,
  'chainside.sources.signaturesUrl': NOWHERE,
  // The extension then runs in a worker of the page, as where there is no server.
  ...(process.env.CHAINSIDE_EXTENSION_HOST === 'web' && {
    'remote.extensionKind': { 'chainside.chainside': ['web'] },
  }),
};
