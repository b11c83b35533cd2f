import type { QueryForm } from '../../../core/index.ts';

/** Whether two forms say the same, spaces around it and empty values aside. */
export function isSameForm(a: QueryForm, b: QueryForm): boolean {
  return JSON.stringify(said(a)) === JSON.stringify(said(b));
}

function said({ args, ...fields }: QueryForm): unknown {
  const values = Object.entries(args).map(([name, value]) => [name, value.trim()] as const);
  return [
    Object.entries(fields)
      .map(([name, value]) => [name, value.trim()] as const)
      .sort(byName),
    values.filter(([, value]) => value !== '').sort(byName),
  ];
}

function byName([a]: readonly [string, string], [b]: readonly [string, string]): number {
  return a < b ? -1 : 1;
}
