import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { writeFileSync } from 'node:fs';
import { watchStrain } from './strain.ts';

// Loaded into the headless runner before its own program; leaves what it saw in the file that the attack names.
const { CHAINSIDE_STRAIN_FILE = '' } = process.env;
const watch = watchStrain();
// What it takes to load the program is no part of an attack.
const begin = () => {
  unsubscribe('undici:request:create', begin);
  watch.reset();
};
subscribe('undici:request:create', begin);
process.on('exit', () => writeFileSync(CHAINSIDE_STRAIN_FILE, JSON.stringify(watch.read())));
