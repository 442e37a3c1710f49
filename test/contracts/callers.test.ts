import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Address, zeroHash } from 'viem'
import { type ContractName, loadArtifact } from '../../contracts/artifact.ts'
import { startFundedWorld } from './support/jobs.ts'
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
import { revertAfterEach } from './support/revert.ts'
import { addStrategies, depositParams, REQUEST, type Strategies } from './support/strategies.ts'
import { type World, who } from './support/world.ts'

let world: World
let strategies: Strategies
let people: readonly (readonly [Role, Address])[]

const registry = registryMutators(() => strategies)
const mutators: readonly Mutator[] = [...policyMutators, ...badgeMutators, ...accountMutators, ...escrowMutators, ...registry]

beforeAll(async () => {
  world = await startFundedWorld()
  await world.run(who.owner, 'policy', 'setAgentTransferBroker', EXTRA.transferBroker, true)
  strategies = await addStrategies(world, EXTRA.settler)
  const { escrow, accounts } = world.at
  people = Object.entries({ ...who, ...EXTRA, escrow, accounts }) as [Role, Address][]
})
revertAfterEach(() => world)

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

const named = mutators.map((mutator) => {
  const { contract, name, inputs, pausable } = mutator
  return [`${contract}.${name}${inputs ? ` with ${inputs} arguments` : ''}`, pausable ? 'stops' : 'does not stop', mutator] as const
})

test.each(named)('%s passes for its callers and for no other account', async (_, __, mutator) => {
  await mutator.prepare?.(world)
  expect(await answers(mutator)).toEqual(expected(mutator))
})

describe('the pause', () => {
  test.each(named.map(([name, effect, mutator]) => [effect, name, mutator] as const))('%s %s', async (_, __, mutator) => {
    const { prepare, allowed, pausable, roleFirst } = mutator
    await prepare?.(world)
    await setPaused(true)
    const role = allowed === 'anyone' ? 'stranger' : allowed[0]
    const caller = people.find(([name]) => name === role)?.[1] ?? who.stranger
    expect(await reasonFor(caller, mutator)).toBe(pausable ? 'ProtocolPaused()' : 'it passed')
    const outsider = await reasonFor(who.treasury, mutator)
    if (pausable) expect(outsider).toBe(roleFirst ? 'Unauthorized()' : 'ProtocolPaused()')
  })

  test('lets the refund of a deposit that did not happen through', async () => {
    await world.run(who.worker, 'accounts', 'requestStrategyDeposit', who.worker, depositParams(1_000n))
    await setPaused(true)
    const settle = (status: number) =>
      world.refusal(EXTRA.settler, 'accounts', 'settleStrategyRequest', depositId(world), status, 0n, 0n, zeroHash, zeroHash)
    expect(await settle(REQUEST.succeeded)).toBe('ProtocolPaused()')
    expect(await settle(REQUEST.failed)).toBe('it passed')
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

test.each([
  ['transfer', who.stranger, 1n],
  ['transferFrom', who.worker, who.stranger, 1n],
  ['safeTransferFrom', who.worker, who.stranger, 1n],
  ['safeTransferFrom', who.worker, who.stranger, 1n, '0x'],
])('%s of a badge is refused', async (name, ...args) => {
  expect(await world.refusal(who.worker, 'reputation', `${name}`, ...args)).toBe('Soulbound()')
})
