import { writeFileSync } from 'node:fs';
import { watchStrain } from './strain.ts';

// Loaded into the headless runner before its own program; leaves what it saw in the file that the attack names.
const { CHAINSIDE_STRAIN_FILE = '' } = process.env;
const watch = watchStrain();
watch.reset();
process.on('exit', () => writeFileSync(CHAINSIDE_STRAIN_FILE, JSON.stringify(watch.read())));
