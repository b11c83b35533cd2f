import { parseAmountUnit } from '../../abi/amountUnit.ts';
import { createMessage, foreign, type Message, sanitizeText } from '../../base/text.ts';
import { isPathWithin } from '../layout.ts';
import { teamLabelsPath } from '../readers/addressLists.ts';
import type { UnitFacts } from '../readers/facts.ts';
import { type ContractUnit, type FindUnits, findUnitPlaces, type IndexedContract } from './joinContracts.ts';

/** The units that the labels of teams give fields of contracts. */
export interface UnitTable {
  /** Replaces the units of a file. @returns the names of the contracts that may have other units now. */
  put(path: string, units: readonly UnitFacts[]): ReadonlySet<string>;
  readonly find: FindUnits;
  /** Why units have no effect. */
  listProblems(contractsNamed: (name: string) => readonly IndexedContract[]): readonly UnitProblem[];
}

export interface UnitProblem {
  /** The file with the unit. */
  readonly file: string;
  /** As the file has it. */
  readonly field: string;
  readonly reason: Message;
}

interface LabelUnit extends ContractUnit {
  readonly contract: string;
}

export function createUnitTable(): UnitTable {
  const byPath = new Map<string, readonly UnitFacts[]>();

  return {
    put(path, units) {
      const changed = [...(byPath.get(path) ?? []), ...units].map(({ field }) => parseField(field).contract);
      if (units.length > 0) byPath.set(path, units);
      else byPath.delete(path);
      return new Set(changed);
    },
    find(contract, project) {
      if (byPath.size === 0) return [];
      // The file of the nearest folder counts.
      const files = [...byPath].filter(([path]) => isWithin(project, getLabeledFolder(path)));
      files.sort(([a], [b]) => a.length - b.length);
      const units = files.flatMap(([, units]) => units.map(toLabelUnit));
      return units.filter((unit) => unit.contract === contract && parseAmountUnit(unit.unit) !== undefined);
    },
    listProblems: (contractsNamed) =>
      [...byPath].flatMap(([file, units]) =>
        units.flatMap((unit) => {
          const reason = explainUnit(unit, getLabeledFolder(file), contractsNamed);
          return reason ? [{ file, field: unit.field, reason }] : [];
        }),
      ),
  };
}

const isWithin = (project: string, folder: string) => isPathWithin(`${project}/`, folder);

/**
 * The folder of the project that a labels file belongs to.
 *
 * @example getLabeledFolder('app/.chainside/labels.json') // 'app'
 */
export function getLabeledFolder(path: string): string {
  return path.slice(0, -teamLabelsPath.length).replace(/\/$/, '');
}

/** `Vault.Deposited.amount`, `Vault.totalAssets`, `Vault.position.principal` */
function parseField(field: string): Omit<LabelUnit, 'unit'> {
  const [contract = '', item = '', ...rest] = field.trim().split('.');
  return { contract, item, field: rest.join('.') };
}

const toLabelUnit = ({ field, unit }: UnitFacts): LabelUnit => ({ ...parseField(field), unit });

/**
 * Why a unit in the labels of a team has no effect; undefined if it has one, as far as that does not depend on a chain.
 *
 * @param folder of the project that the labels belong to.
 * @example explainUnit({ field: 'Vault.total', unit: 'PBL' }, '', index.contractNamed);
 */
export function explainUnit(
  { field, unit }: UnitFacts,
  folder: string,
  contractsNamed: (name: string) => readonly IndexedContract[],
): Message | undefined {
  const shown = sanitizeText(field, 120);
  if (parseAmountUnit(unit) === undefined) {
    return createMessage(
      '{0}: {1} is not a unit. Enter the name, symbol or address of a token, ether, gwei, wei, 6 decimals or percent of 10000.',
      foreign(shown),
      foreign(JSON.stringify(sanitizeText(unit, 80))),
    );
  }
  const { contract, item, field: part } = parseField(field);
  const named = contractsNamed(contract).filter(({ project }) => isWithin(project, folder));
  if (named.length === 0) {
    const name = sanitizeText(contract, 80);
    return createMessage('{0}: no contract of the project is called {1}.', foreign(shown), foreign(name));
  }
  if (named.some(({ abi }) => findUnitPlaces(abi, { item, field: part }).length > 0)) return undefined;
  return createMessage(
    '{0}: {1} has no such integer. Enter Contract.Event.parameter, or Contract.function for what it returns.',
    foreign(shown),
    foreign(contract, 80),
  );
}
