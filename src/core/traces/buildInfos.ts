import type { SliceOptions } from '../base/timeSlices.ts';
import { asRecord } from '../base/values.ts';
import { findMember, type JsonText, pickMembers, scanMembers } from '../project/readers/jsonScan.ts';
import type { BuiltCode } from './builtCode.ts';
import { readCode } from './readCode.ts';

/** A contract in the output of a compiler. */
export interface InfoContract {
  readonly name: string;
  /** As the compiler has it. */
  readonly source: string;
  readonly runtime: BuiltCode;
  readonly creation: BuiltCode;
  readonly metadata: string | undefined;
  /** As the compiler wrote it, unchecked. */
  readonly layout: unknown;
}

/** The largest projects have some thousand. */
const MAX_CONTRACTS = 5_000;

/**
 * Reads the contracts of a build info: the output of a compiler, as Hardhat writes it for each run, and Foundry with
 * `--build-info`. Each is read when it is taken.
 *
 * @throws AppError `badInput` for broken JSON.
 * @example for (const { name } of readInfoContracts(text)) names.push(name);
 */
export async function* readInfoContracts(
  json: JsonText,
  options: SliceOptions,
): AsyncGenerator<InfoContract> {
  const contractsAt = findMember(json, 0, 'output', 'contracts');
  if (contractsAt === undefined) return;
  let left = MAX_CONTRACTS;
  for (const { name: source, from: sourceAt } of scanMembers(json, contractsAt)) {
    if (options.slices.isOver()) await options.slices.rest(options);
    for (const { name, from } of scanMembers(json, sourceAt)) {
      if (left-- <= 0) return;
      if (options.slices.isOver()) await options.slices.rest(options);
      const evmAt = findMember(json, from, 'evm');
      if (evmAt === undefined) continue;
      const { bytecode, deployedBytecode } = pickMembers(json, evmAt, ['bytecode', 'deployedBytecode']);
      const { metadata, storageLayout } = pickMembers(json, from, ['metadata', 'storageLayout']);
      yield {
        ...{ name, source, layout: storageLayout },
        runtime: readCode(asRecord(deployedBytecode)),
        creation: readCode(asRecord(bytecode)),
        metadata: typeof metadata === 'string' ? metadata : undefined,
      };
    }
  }
}
