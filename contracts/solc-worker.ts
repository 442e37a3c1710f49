// Compiles contracts in a worker thread, one after the other; the parent gets each artefact or the compiler's errors.
import { createRequire } from 'node:module'
import { parentPort } from 'node:worker_threads'
import type { ContractArtifact, ContractName } from './artifact.ts'
import type { CompilerInput } from './sources.ts'

// The compiler package has no types of its own.
const solc: { compile(standardInput: string): string } = createRequire(import.meta.url)('solc')

export interface Job {
  readonly name: ContractName
  /** Path of its source. */
  readonly path: string
  readonly input: CompilerInput
  readonly sourceHash: string
}

interface SolcOutput {
  readonly errors?: readonly { readonly severity: string; readonly formattedMessage: string }[]
  readonly contracts?: Record<string, Record<string, SolcContract>>
}

interface SolcContract {
  readonly abi: ContractArtifact['abi']
  readonly evm: {
    readonly bytecode: { readonly object: string }
    /** Places of the immutables, by the number of their declaration. */
    readonly deployedBytecode: { readonly object: string; readonly immutableReferences?: Record<string, ContractArtifact['immutables']> }
  }
}

function compile({ name, path, input, sourceHash }: Job): ContractArtifact {
  const output: SolcOutput = JSON.parse(solc.compile(JSON.stringify(input)))
  const complaints = (output.errors ?? []).map((error) => error.formattedMessage)
  const contract = output.contracts?.[path]?.[name]
  if (!contract || complaints.length > 0) throw new Error(`${name} does not compile cleanly:\n${complaints.join('\n')}`)
  const { object: deployed, immutableReferences = {} } = contract.evm.deployedBytecode
  return {
    contractName: name,
    abi: contract.abi,
    bytecode: `0x${contract.evm.bytecode.object}`,
    deployedBytecode: `0x${deployed}`,
    immutables: Object.values(immutableReferences)
      .flat()
      .sort((a, b) => a.start - b.start),
    sourceHash,
  }
}

parentPort?.on('message', (job: Job) => parentPort?.postMessage(compile(job)))
