import { readFile } from 'node:fs/promises'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { abiUrl, artifactUrl, CONTRACTS, type ContractArtifact, type ContractSpec } from '../../../contracts/artifact.ts'
import { abiText, artifactText, compileAll } from '../../../contracts/compile.ts'
import { oneIn } from '../../support/cases/sample.ts'

const CODE_LIMIT = 24_576

let compiled: readonly ContractArtifact[]

/** Compiled anew in any case; of the others the gate compiles those whose sources are not those of their artefact. */
const FORCED: ReadonlySet<ContractSpec> = new Set(oneIn<ContractSpec>(4, CONTRACTS))

beforeAll(async () => {
  compiled = await compileAll((spec) => FORCED.has(spec))
})

const fresh = (name: string): ContractArtifact => {
  const artifact = compiled.find(({ contractName }) => contractName === name)
  if (!artifact) throw new Error(`${name} was not compiled`)
  return artifact
}

describe.each<ContractSpec>(CONTRACTS)('$name', ({ name, abi }) => {
  test('is committed as its sources compile', async () => {
    expect((await readFile(artifactUrl(name), 'utf8')) === artifactText(fresh(name))).toBe(true)
  })

  test('fits into the size limit of deployed code', () => {
    expect((fresh(name).deployedBytecode.length - 2) / 2).toBeLessThan(CODE_LIMIT)
  })

  test('publishes its interface as it was compiled', async () => {
    // Only contracts call these.
    if (!abi) return expect(name).toMatch(/^(Mock|PoolStrategyAdapter$|IDepositPoolVenueAdapter$|IXcm$)/)
    expect((await readFile(abiUrl(abi), 'utf8')) === abiText(abi, fresh(name))).toBe(true)
  })

  test('carries nothing of the machine that compiled it', async () => {
    expect(await readFile(artifactUrl(name), 'utf8')).not.toContain(process.cwd())
  })
})
