import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, zeroHash } from 'viem'
import { type ContractName, loadArtifact } from '../../local/contracts/artifact.ts'
import { fund } from './support/jobs.ts'
import {
  accountMutators,
  badgeMutators,
  depositId,
  EXTRA,
  escrowMutators,
  type Mutator,
  policyMutators,
  type Role,
  registryMutators,
} from './support/mutators.ts'
import { addStrategies, depositParams, REQUEST } from './support/strategies.ts'
import { startWorld, type World, who } from './support/world.ts'

let world: World
let people: readonly (readonly [Role, Address])[]

// The registry rows need addresses of this run; the names are known before.
const mutators: Mutator[] = [...policyMutators, ...badgeMutators, ...accountMutators, ...escrowMutators]
const REGISTRY = ['registerStrategy', 'setStrategyActive']

beforeAll(async () => {
  world = await startWorld()
  await fund(world, who.poster, 100_000_000n)
  await fund(world, who.worker, 10_000_000n)
  await world.run(who.owner, 'policy', 'setAgentTransferBroker', EXTRA.transferBroker, true)
  mutators.push(...registryMutators(await addStrategies(world, EXTRA.settler)))
  const { escrow, accounts } = world.at
  people = Object.entries({ ...who, ...EXTRA, escrow, accounts }) as [Role, Address][]
})

const row = (contract: string, name: string, inputs?: number): Mutator => {
  const found = mutators.find((one) => one.contract === contract && one.name === name && one.inputs === inputs)
  if (!found) throw new Error(`no row for ${contract}.${name}`)
  return found
}

const reasonFor = async (from: Address, { contract, name, args }: Mutator): Promise<string> =>
  (await world.attempt(from, contract, name, ...(await args(world)))).error ?? 'it passed'

const setPaused = (paused: boolean) => world.run(who.pauser, 'policy', 'setPaused', paused)

/** What each role would be answered in the prepared situation. */
async function answers({ contract, name, args }: Mutator): Promise<Record<string, string>> {
  const given = await args(world)
  const found = people.map(async ([role, address]) => [role, await world.simulate(address, contract, name, ...given)] as const)
  return Object.fromEntries(await Promise.all(found))
}

function expected(mutator: Mutator): Record<string, string> {
  const { allowed, otherwise = 'Unauthorized()' } = mutator
  return Object.fromEntries(people.map(([role]) => [role, allowed === 'anyone' || allowed.includes(role) ? 'it passed' : otherwise]))
}

const listed = [
  ...mutators.map(({ contract, name, inputs }) => ({ contract, name, inputs })),
  ...REGISTRY.map((name) => ({ contract: 'registry', name, inputs: undefined })),
]

describe('who may call what', () => {
  for (const { contract, name, inputs } of listed) {
    test(`${contract}.${name}${inputs ? ` with ${inputs} arguments` : ''} passes for its callers and for nobody else`, async () => {
      const mutator = row(contract, name, inputs)
      await world.undone(async () => {
        await mutator.prepare?.(world)
        expect(await answers(mutator)).toEqual(expected(mutator))
      })
    })
  }
})

describe('the pause', () => {
  for (const { contract, name, inputs } of listed) {
    const { pausable } = contract === 'registry' ? { pausable: false } : row(contract, name, inputs)
    test(`${pausable ? 'stops' : 'does not stop'} ${contract}.${name}${inputs ? ` with ${inputs} arguments` : ''}`, async () => {
      const mutator = row(contract, name, inputs)
      await world.undone(async () => {
        await mutator.prepare?.(world)
        await setPaused(true)
        const role = mutator.allowed === 'anyone' ? 'stranger' : mutator.allowed[0]
        const caller = people.find(([name]) => name === role)?.[1] ?? who.stranger
        expect(await reasonFor(caller, mutator)).toBe(pausable ? 'ProtocolPaused()' : 'it passed')
        const outsider = await reasonFor(who.treasury, mutator)
        if (pausable) expect(outsider).toBe(mutator.roleFirst ? 'Unauthorized()' : 'ProtocolPaused()')
      })
    })
  }

  test('lets the refund of a deposit that did not happen through', async () => {
    await world.undone(async () => {
      await world.run(who.worker, 'accounts', 'requestStrategyDeposit', who.worker, depositParams(1_000n))
      await setPaused(true)
      const settle = (status: number) =>
        world.refusal(EXTRA.settler, 'accounts', 'settleStrategyRequest', depositId(world), status, 0n, 0n, zeroHash, zeroHash)
      expect(await settle(REQUEST.succeeded)).toBe('ProtocolPaused()')
      expect(await settle(REQUEST.failed)).toBe('it passed')
    })
  })
})

test('every state-changing function of the protocol has its row', async () => {
  const contracts: Readonly<Record<string, ContractName>> = {
    policy: 'TreasuryPolicy',
    registry: 'StrategyAdapterRegistry',
    accounts: 'AgentAccountCore',
    reputation: 'ReputationSBT',
    escrow: 'EscrowCore',
  }
  for (const [key, artifact] of Object.entries(contracts)) {
    const { abi } = await loadArtifact(artifact)
    const wanted = abi
      .filter((item) => item.type === 'function' && item.stateMutability === 'nonpayable')
      .map((item) => 'name' in item && item.name)
    expect(
      mutators
        .filter(({ contract }) => contract === key)
        .map(({ name }) => name)
        .sort(),
    ).toEqual(wanted.sort())
  }
})

test('badges cannot be moved', async () => {
  const [from, to] = [who.worker, who.stranger]
  for (const [name, ...args] of [
    ['transfer', to, 1n],
    ['transferFrom', from, to, 1n],
    ['safeTransferFrom', from, to, 1n],
    ['safeTransferFrom', from, to, 1n, '0x'],
  ] as const) {
    expect(await world.refusal(from, 'reputation', name, ...args)).toBe('Soulbound()')
  }
})
