import { beforeAll, describe, expect, test } from '@jest/globals'
import { assertWired } from '../../../activities/chain/wiring.ts'
import { ChainFile } from '../../../schemas/chain/chain-file.ts'
import { revertAfterEach } from '../../contracts/support/revert.ts'
import { startWorld, type World, who } from '../../contracts/support/world.ts'

let world: World
let chain: ChainFile

beforeAll(async () => {
  world = await startWorld()
  chain = ChainFile.parse({
    ...world.deployment,
    caip2: `eip155:${world.deployment.chainId}`,
    name: 'test',
    local: true,
    rpc: { primary: 'http://127.0.0.1' },
    nativeSymbol: 'DOT',
  })
})
revertAfterEach(() => world)

const roles = { operator: who.operator, verifier: who.verifier, arbitrator: who.arbitrator }

describe('the start check of a process', () => {
  test('passes on a complete deployment', async () => {
    await expect(assertWired(world.client, chain, roles)).resolves.toBeUndefined()
  })

  test('names the role that a configured key does not hold', async () => {
    await expect(assertWired(world.client, chain, { ...roles, verifier: who.worker })).rejects.toThrow(/policy\.verifiers\(.*\) is false/)
  })

  test('does not ask for the role of a key that is not configured', async () => {
    await expect(assertWired(world.client, chain, { operator: who.operator })).resolves.toBeUndefined()
  })

  test.each([
    ['settlementBroker', 'setSettlementBroker'],
    ['reputationWriter', 'setReputationWriter'],
  ])('names %s when the escrow has lost it', async (line, setter) => {
    await world.run(who.owner, 'policy', setter, world.deployment.contracts.escrow.generations[0]?.address, false)
    await expect(assertWired(world.client, chain, roles)).rejects.toThrow(new RegExp(`policy\\.${line}\\(.*\\) is false`))
  })

  test('names pools that do not name each other', async () => {
    const { depositPool } = chain.contracts
    if (!depositPool) throw new Error('the deployment has a pool')
    const creditPool = { address: depositPool.address, riskDisclosure: '' }
    await expect(assertWired(world.client, { ...chain, contracts: { ...chain.contracts, creditPool } }, roles)).rejects.toThrow(
      /depositPool\.creditPool\(\) is .*; creditPool\.depositPool\(\) at .* cannot be read/,
    )
  })

  test('passes on a chain without pools', async () => {
    const { depositPool, creditPool, ...contracts } = chain.contracts
    await expect(assertWired(world.client, ChainFile.parse({ ...chain, contracts }), roles)).resolves.toBeUndefined()
  })

  test('names an address without code', async () => {
    const broken = { ...chain, contracts: { ...chain.contracts, reputation: { address: who.worker } } }
    await expect(assertWired(world.client, broken, roles)).rejects.toThrow(/escrow\.reputation\(\) is/)
  })
})
