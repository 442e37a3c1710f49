import { beforeAll, describe, expect, test } from '@jest/globals'
import { zeroAddress } from 'viem'
import { loadArtifact } from '../../contracts/artifact.ts'
import { CATEGORY, namesOf, shortText } from './support/jobs.ts'
import { revertAfterEach } from './support/revert.ts'
import { startWorld, type World, who } from './support/world.ts'

let world: World

beforeAll(async () => {
  world = await startWorld()
})
revertAfterEach(() => world)

const set = (name: string, ...args: readonly unknown[]) => world.run(who.owner, 'policy', name, ...args)
const refused = (name: string, ...args: readonly unknown[]) => world.refusal(who.owner, 'policy', name, ...args)

describe('parameters', () => {
  test.each([
    ['dailyOutflowCap', 2n ** 256n - 1n],
    ['perAccountBorrowCap', 2n ** 256n - 1n],
    ['minimumCollateralRatioBps', 15_000n],
    ['defaultClaimStakeBps', 500],
    ['claimFeeBps', 200],
    ['claimFeeVerifierBps', 7_000],
    ['onboardingWaiverClaimCount', 3n],
    ['rejectionSkillPenalty', 10n],
    ['rejectionReliabilityPenalty', 20n],
    ['disputeLossSkillPenalty', 30n],
    ['disputeLossReliabilityPenalty', 50n],
  ])('%s starts at %s', async (name, value) => {
    const { abi, bytecode } = await loadArtifact('TreasuryPolicy')
    const address = await world.create(who.owner, { abi, bytecode })
    expect(await world.client.readContract({ address, abi, functionName: name })).toBe(value)
  })

  test('a ratio below one to one and shares above the whole are refused', async () => {
    expect(await refused('setMinimumCollateralRatioBps', 9_999n)).toBe('"LOW_RATIO"')
    for (const name of ['setDefaultClaimStakeBps', 'setClaimFeeBps', 'setClaimFeeVerifierBps'])
      expect(await refused(name, 10_001)).toBe('"INVALID_BPS"')
  })

  test('ownership moves with all its rights, never to the zero address', async () => {
    expect(await refused('transferOwnership', zeroAddress)).toBe('"ZERO_ADDRESS"')
    const events = await set('transferOwnership', who.stranger)
    expect(events).toEqual([{ name: 'POL.OwnershipTransferred', args: { previousOwner: who.owner, newOwner: who.stranger } }])
    expect(await refused('setPaused', true)).toBe('Unauthorized()')
    expect(await world.refusal(who.stranger, 'escrow', 'setTreasuryAccount', who.treasury)).toBe('it passed')
  })

  test('without a pauser only the owner may pause', async () => {
    await set('setPauser', zeroAddress)
    expect(await world.refusal(who.pauser, 'policy', 'setPaused', true)).toBe('Unauthorized()')
    expect(namesOf(await set('setPaused', true))).toEqual(['POL.PauseUpdated'])
  })
})

describe('windows of a verifier', () => {
  const wasAuthorized = (time: number) => world.read('policy', 'wasAuthorizedAt', who.stranger, BigInt(time))
  const at = async (time: number, approved: boolean) => {
    await world.nextBlockAt(time)
    return set('setVerifier', who.stranger, approved)
  }

  test('are half open and stay readable after a revocation', async () => {
    const start = (await world.now()) + 1_000
    await at(start, true)
    await at(start + 100, false)
    await at(start + 200, true)
    const times = [start - 1, start, start + 99, start + 100, start + 199, start + 200, start + 9_999]
    expect(await Promise.all(times.map(wasAuthorized))).toEqual([false, true, true, false, false, true, true])
    expect(await world.read('policy', 'verifierAuthorizationWindowCount', who.stranger)).toBe(2n)
    expect(await world.read('policy', 'verifierAuthorizationWindow', who.stranger, 0n)).toEqual([BigInt(start), BigInt(start + 100)])
    expect(await world.read('policy', 'verifierAuthorizationWindow', who.stranger, 1n)).toEqual([BigInt(start + 200), 0n])
    expect(await world.read('policy', 'authorizedUntil', who.stranger)).toBe(0n)
  })

  test('do not change when the current value is set again', async () => {
    const start = (await world.now()) + 1_000
    await at(start, true)
    expect(namesOf(await at(start + 5, true))).toEqual(['POL.VerifierUpdated'])
    expect(await world.read('policy', 'authorizedSince', who.stranger)).toBe(BigInt(start))
    await at(start + 10, false)
    await at(start + 20, false)
    expect(await world.read('policy', 'authorizedUntil', who.stranger)).toBe(BigInt(start + 10))
    expect(await world.read('policy', 'verifierAuthorizationWindowCount', who.stranger)).toBe(1n)
  })
})

describe('the outflow meter', () => {
  const record = (name: string, account: string, amount: bigint) => world.attempt(world.at.accounts, 'policy', name, account, amount)

  test('refuses the zero address as an account', async () => {
    expect((await record('recordOutflow', zeroAddress, 1n)).error).toBe('"ZERO_ACCOUNT"')
    expect((await record('recordProtocolOutflow', zeroAddress, 1n)).error).toBe('"ZERO_ACCOUNT"')
  })

  test('counts what leaves by rule, enforces only what accounts take', async () => {
    await set('setDailyOutflowCap', 10n)
    expect((await record('recordProtocolOutflow', who.worker, 11n)).error).toBeUndefined()
    expect((await record('recordOutflow', who.worker, 1n)).error).toBe('OutflowCapExceeded()')
    expect((await record('recordOutflow', who.poster, 10n)).error).toBeUndefined()
    expect(await world.read('policy', 'outflowToday')).toBe(21n)
    expect(await world.read('policy', 'accountOutflowToday', who.worker)).toBe(11n)
  })
})

describe('badges', () => {
  const write = (name: string, ...args: readonly unknown[]) => world.run(world.at.escrow, 'reputation', name, ...args)

  test('count from one and keep the highest level of a category', async () => {
    await write('mintBadge', who.worker, CATEGORY, 2n, 'first')
    await write('mintBadge', who.worker, CATEGORY, 1n, 'second')
    const read = (name: string, ...args: readonly unknown[]) => world.read('reputation', name, ...args)
    expect(await read('balanceOf', who.worker)).toBe(2n)
    expect(await read('tokensByOwner', who.worker, 1n)).toBe(2n)
    expect(await read('ownerOf', 1n)).toBe(who.worker)
    expect(await read('tokenURI', 2n)).toBe('second')
    expect(await read('categoryLevels', who.worker, CATEGORY)).toBe(2n)
    expect(await read('nextTokenId')).toBe(3n)
    expect([await read('ownerOf', 9n), await read('tokenURI', 9n)]).toEqual([zeroAddress, ''])
    expect([await read('name'), await read('symbol')]).toEqual(['Agent Reputation Badge', 'ARB'])
  })

  test('scores are overwritten by updates and floored at zero by slashes', async () => {
    await write('updateReputation', who.worker, 100n, 40n, 5n)
    const [slashed] = await write('slashReputation', who.worker, 30n, 50n, 5n, shortText('DISPUTE_LOST'))
    expect(slashed?.args).toMatchObject({ newSkill: 70n, newReliability: 0n, newEconomic: 0n, reliabilityDelta: 50n })
    await write('updateReputation', who.worker, 1n, 2n, 3n)
    expect(await world.read('reputation', 'reputations', who.worker)).toEqual([1n, 2n, 3n])
  })
})
