import { parseAmountUnit } from '../../abi/amountUnit.ts';
import type { SourceParameter } from './declarations.ts';

/** The text after `@custom:unit` in a doc comment: `PBL`, or `amount PBL` of one of several values. */
export type SourceUnit = string;

const TAG = '@custom:unit';
/** In one comment. */
const MAX_UNITS = 64;
const MAX_UNIT_CHARS = 200;

/** The units in a doc comment, which may have one per line. */
export function readUnits(source: string, start: number, end: number): readonly SourceUnit[] {
  const units: SourceUnit[] = [];
  const comment = source.slice(start, end);
  for (let at = comment.indexOf(TAG); at >= 0; at = comment.indexOf(TAG, at + 1)) {
    if (units.length === MAX_UNITS) break;
    const rest = comment.slice(at + TAG.length, at + TAG.length + MAX_UNIT_CHARS);
    const [line = ''] = rest.split(/[\r\n]|\*\//, 1);
    if (/^[ \t]/.test(line)) units.push(line.trim());
  }
  return units;
}

/** Gives the parameters the units that begin with their names. */
export function addNamedUnits(
  parameters: readonly SourceParameter[],
  units: readonly SourceUnit[],
): readonly SourceParameter[] {
  if (units.length === 0) return parameters;
  return parameters.map((parameter) => {
    const prefix = `${parameter.name} `;
    const named = parameter.name === '' ? undefined : units.find((unit) => unit.startsWith(prefix));
    const unit = named?.slice(prefix.length).trim();
    return unit !== undefined && isUnit(unit) ? { ...parameter, unit } : parameter;
  });
}

/** Gives the only value of a declaration its unit. */
export function addUnit(
  value: SourceParameter | undefined,
  units: readonly SourceUnit[],
): SourceParameter | undefined {
  const unit = units.find(isUnit);
  return value && value.unit === undefined && unit !== undefined ? { ...value, unit } : value;
}

/** Other text after the tag is prose, and no unit. */
function isUnit(text: string): boolean {
  const unit = parseAmountUnit(text);
  return unit !== undefined && (unit.kind === 'fixed' || !/\s/.test(unit.token));
}
