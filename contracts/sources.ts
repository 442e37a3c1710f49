// Reads one contract with everything it imports and turns it into the compiler's standard input.
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { posix } from 'node:path'
import { type ContractSpec, sourcePath } from './artifact.ts'

export interface CompilerInput {
  readonly language: 'Solidity'
  readonly sources: Record<string, { readonly content: string }>
  readonly settings: object
}

const IMPORT = /^import[^"]*"([^"]+)";/gm

async function collect(path: string, into: Map<string, string>): Promise<void> {
  if (into.has(path)) return
  const content = await readFile(new URL(path, import.meta.url), 'utf8')
  into.set(path, content)
  for (const [, target] of content.matchAll(IMPORT)) {
    if (target) await collect(posix.join(posix.dirname(path), target), into)
  }
}

/** Source names are relative to this folder, so the result is the same on every machine. */
export async function compilerInput(spec: ContractSpec): Promise<CompilerInput> {
  const files = new Map<string, string>()
  const path = sourcePath(spec)
  await collect(path, files)
  const sorted = [...files].sort(([a], [b]) => (a < b ? -1 : 1))
  return {
    language: 'Solidity',
    sources: Object.fromEntries(sorted.map(([path, content]) => [path, { content }])),
    settings: {
      evmVersion: 'cancun',
      viaIR: true,
      optimizer: { enabled: true, runs: spec.optimizerRuns ?? 200 },
      metadata: { bytecodeHash: 'none', appendCBOR: false },
      outputSelection: {
        [path]: { [spec.name]: ['abi', 'evm.bytecode.object', 'evm.deployedBytecode.object', 'evm.deployedBytecode.immutableReferences'] },
      },
    },
  }
}

/** The key of an artefact: sources, settings and the version of the compiler. */
export const sourceHash = (input: CompilerInput, compilerVersion: string): string =>
  createHash('sha256')
    .update(JSON.stringify([compilerVersion, input]))
    .digest('hex')
