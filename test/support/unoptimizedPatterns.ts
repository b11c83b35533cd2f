import { setFlagsFromString } from 'node:v8';

// V8 stops optimizing regular expressions once a process has compiled many of them, as an extension host may. Long texts
// overflow the stack of such expressions sooner. Tests with long texts import this and run in that state. The flag holds
// for a whole process, so they have one of their own.
setFlagsFromString('--no-regexp-optimization');
