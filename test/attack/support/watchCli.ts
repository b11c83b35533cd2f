import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import files from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { watchStrain } from './strain.ts';

// Loaded into the headless runner before its own program; leaves what it saw in the file that the attack names.
const { CHAINSIDE_STRAIN_FILE = '' } = process.env;
const watch = watchStrain();
// What it takes to load the program is no part of an attack: that begins with the first folder or the first request.
const { readdir } = files;
const begin = () => {
  unsubscribe('undici:request:create', begin);
  files.readdir = readdir;
  syncBuiltinESMExports();
  watch.reset();
};
subscribe('undici:request:create', begin);
files.readdir = ((...args: Parameters<typeof readdir>) => {
  begin();
  return readdir(...args);
}) as typeof readdir;
syncBuiltinESMExports();
process.on('exit', () => writeFileSync(CHAINSIDE_STRAIN_FILE, JSON.stringify(watch.read())));
