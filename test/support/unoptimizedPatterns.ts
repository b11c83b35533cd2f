import { setFlagsFromString } from 'node:v8';

// V8 stops to optimize regular expressions once a process has compiled many of them, as an extension host may. Long texts
// overflow the stack of such expressions sooner. Tests with long texts import this, and run in that state in a process of
// their own: it slows all other tests down.
setFlagsFromString('--no-regexp-optimization');
