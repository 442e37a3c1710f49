import { beforeAll, describe, expect, test } from '@jest/globals'
import { encodeAbiParameters, type Hex, hashTypedData, keccak256, zeroAddress, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import type { Happening } from './support/decode.ts'
import {
  approve,
  approvePart,
  argsOf,
  create,
  DAY,
  decide,
  dispute,
  eventsOf,
  hashOf,
  JOB,
  jobOf,
  milestoneTerms,
  NO_SCHEMA,
  namesOf,
  observe,
  recurring,
  reject,
  reserveTemplate,
  STATE,
  startFundedWorld,
  submit,
  TEMPLATE,
  TTL,
  terms,
} from './support/jobs.ts'
import { revertAfterEach } from './support/revert.ts'
import { highS, SCHEMA_TYPES } from './support/signing.ts'
import { type World, who } from './support/world.ts'

const issuer = privateKeyToAccount('0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a')

let world: World

beforeAll(async () => {
  world = await startFundedWorld()
  await world.run(who.owner, 'policy', 'setTrustedSchemaIssuer', issuer.address, true)
})
revertAfterEach(() => world)

const run = (from: Hex, name: string, ...args: readonly unknown[]) => world.run(from, 'escrow', name, ...args)
const read = (name: string, ...args: readonly unknown[]) => world.read('escrow', name, ...args)
const claim = () => run(who.worker, 'claimJob', JOB)
const claimFor = (jobId = JOB) => run(who.operator, 'claimJobFor', jobId, who.worker)
const waive = (jobId = JOB) => run(who.operator, 'setOnboardingWaiverEligible', jobId, true)
const createParts = (parts: readonly bigint[], ops = 0n) => run(who.poster, 'createMilestoneJob', ...milestoneTerms(world, parts, { ops }))
const handInMore = () => run(who.worker, 'submitWork', JOB, hashOf('more evidence'))
const timeOut = async (): Promise<readonly Happening[]> => {
  await world.pass(TTL + 1)
  return run(who.stranger, 'handleClaimTimeout', JOB)
}

describe('the fees of a job', () => {
  test.each([
    [200_000n, 50_000n],
    [1_000_000n, 50_000n],
    [2_500_000n, 125_000n],
    [10_000_000n, 500_000n],
  ])('the poster fee of a reward of %s is %s', async (reward, fee) => {
    expect([await read('previewPosterFee', reward), await read('previewProtocolFee', reward)]).toEqual([fee, fee])
  })

  test.each([
    [100_000n, 20_000n],
    [200_000n, 40_000n],
    [250_000n, 50_000n],
    [1_000_000n, 50_000n],
  ])('the retention of a reward of %s is %s, for a brokered claim without a waiver', async (reward, retained) => {
    const preview = (...flags: readonly [brokered: boolean, waived: boolean]) => read('previewGasRetention', reward, ...flags)
    expect([await preview(true, false), await preview(false, false), await preview(true, true)]).toEqual([retained, 0n, 0n])
  })

  test('the poster fee of a job does not follow a later schedule', async () => {
    await create(world)
    await run(who.owner, 'setFeeSchedule', 0n, 0, 1_000, 0n)
    expect(await jobOf(world)).toMatchObject({ protocolFee: 50_000n, protocolFeeBps: 500 })
  })

  test('the retention of a claim does not follow a later schedule', async () => {
    await create(world)
    await submit(world)
    await run(who.owner, 'setFeeSchedule', 1n, 1, 500, 50_000n)
    expect(argsOf(await approve(world), 'GasRetentionApplied').retainedRaw).toBe(50_000n)
  })

  test('a new schedule is announced with old and new values', async () => {
    const [changed] = await run(who.owner, 'setFeeSchedule', 500_000n, 2_500, 1_000, 500_000n)
    const previous = { previousRetentionFlatRaw: 50_000n, previousPosterFeeBps: 500 }
    expect(changed?.args).toMatchObject({ ...previous, newRetentionCapBps: 2_500, newPosterFeeFloorRaw: 500_000n })
  })

  test('a broker waives the poster fee of its own job', async () => {
    const { moved, events } = await observe(world, () => run(who.operator, 'createSinglePayoutJobFeeWaived', ...terms(world)))
    expect(moved).toEqual({ operator: { liquid: -1_000_000n, reserved: 1_000_000n } })
    expect(namesOf(events)).toEqual(['AAC.Reserved', 'JobFunded', 'JobCreated'])
    expect(await jobOf(world)).toMatchObject({ poster: who.operator, protocolFee: 0n, protocolFeeBps: 0, protocolFeeWaived: true })
    await submit(world)
    expect(argsOf(await approve(world), 'SettlementSplit').protocolFeeAmount).toBe(0n)
  })
})

describe('the waiver of a bond', () => {
  test('ends after the third claim of a worker', async () => {
    for (const count of [1n, 2n, 3n, 4n]) {
      const jobId = hashOf(`job ${count}`)
      await create(world, { jobId })
      await waive(jobId)
      expect(argsOf(await claimFor(jobId), 'ClaimEconomicsLocked')).toMatchObject({ claimNumber: count, waived: count <= 3n })
    }
  })

  test('is for the next claim when it is granted after a claim', async () => {
    await create(world)
    await submit(world)
    await waive()
    expect(namesOf(await approve(world))).toContain('GasRetentionApplied')
  })

  test('is there again after a waived claim that timed out', async () => {
    await create(world)
    await waive()
    await claimFor()
    await timeOut()
    expect(await read('previewClaimEconomics', who.worker, JOB)).toEqual([0n, 0, 0n, 0, true, 1n])
  })

  test('is not shown for an unknown job', async () => {
    await expect(read('previewClaimEconomics', who.worker, JOB)).rejects.toThrow('UnknownJob')
  })
})

describe('the record of a job', () => {
  const FREED = { claimStake: 0n, claimStakeBps: 0, claimFee: 0n, claimFeeBps: 0 }

  test('keeps expiry and amounts after an approval, without the bond', async () => {
    await create(world)
    await submit(world)
    const before = await jobOf(world)
    await approve(world)
    const after = { ...before, ...FREED, state: STATE.closed, released: 1_000_000n, protocolFeeReleased: 50_000n }
    expect(await jobOf(world)).toEqual(after)
  })

  test('keeps worker, times and amounts after a final rejection, without the bond', async () => {
    await create(world)
    await submit(world)
    await reject(world)
    const before = await jobOf(world)
    expect(before.rejectedAt).toBe(BigInt(await world.now()))
    await world.pass(7 * DAY + 1)
    await run(who.stranger, 'finalizeRejectedJob', JOB)
    expect(await jobOf(world)).toEqual({ ...before, ...FREED, state: STATE.closed, claimExpiry: 0n, rejectingVerifier: zeroAddress })
  })

  test('keeps the time of the rejection after a decision', async () => {
    await create(world)
    await submit(world)
    await dispute(world)
    const { rejectedAt } = await jobOf(world)
    await decide(world, 0n, 'REJECTED')
    expect((await jobOf(world)).rejectedAt).toBe(rejectedAt)
  })

  test('is as before the claim after a time-out', async () => {
    await create(world)
    const before = await jobOf(world)
    await claimFor()
    await timeOut()
    expect(await jobOf(world)).toEqual(before)
    const claimed = ['brokeredClaims', 'retentionFlatRawAtClaim', 'retentionCapBpsAtClaim']
    expect(await Promise.all(claimed.map((name) => read(name, JOB)))).toEqual([false, 0n, 0])
  })

  test('has the evidence of an earlier part after a time-out of the next', async () => {
    await createParts([5n, 5n])
    await submit(world)
    await approvePart(world, 0)
    await timeOut()
    expect(await read('latestEvidence', JOB)).toBe(hashOf('evidence'))
  })
})

test('a claim that timed out gives its number back to the next claim', async () => {
  await create(world)
  await claim()
  await timeOut()
  expect(await read('workerClaimCount', who.worker)).toBe(0n)
  expect(argsOf(await claim(), 'ClaimEconomicsLocked').claimNumber).toBe(1n)
  await run(who.worker, 'submitWork', JOB, hashOf('evidence'))
  expect(namesOf(await approve(world))).toContain('JobClosed')
})

test('a time to live of zero is met in the block of the claim alone', async () => {
  await create(world, { ttl: 0n })
  await claim()
  expect((await jobOf(world)).claimExpiry).toBe(BigInt(await world.now()))
  await world.nextBlockAt((await world.now()) + 1)
  expect(await world.refusal(who.worker, 'escrow', 'submitWork', JOB, hashOf('evidence'))).toBe('InvalidState()')
})

describe('milestones', () => {
  const PAID = ['Verified', 'AAC.ReservationSettled', 'AAC.ReservationSettled', 'SettlementSplit', 'AAC.JobStakeReleased']
  const feeOf = (events: readonly Happening[]) => argsOf(events, 'SettlementSplit').protocolFeeAmount

  test('each part pays its leg of the fee, shrinks the stake and restarts the clock', async () => {
    await createParts([300_000n, 300_000n, 400_000n], 7n)
    await submit(world)
    for (const [index, claimStake] of [
      [1, 70_000n],
      [0, 40_000n],
    ] as const) {
      await world.pass(13)
      const events = await approvePart(world, index)
      expect([namesOf(events), feeOf(events)]).toEqual([PAID, 15_000n])
      const claimExpiry = BigInt((await world.now()) + TTL)
      expect(await jobOf(world)).toMatchObject({ state: STATE.claimed, claimExpiry, claimFee: 50_000n, claimStake })
      await handInMore()
    }
    const last = await approvePart(world, 2)
    expect(feeOf(last)).toBe(20_000n)
    expect(namesOf(last)).toEqual([...PAID, 'AAC.ReservationReleased', 'SBT.BadgeMinted', 'SBT.ReputationUpdated', 'JobClosed'])
    expect(argsOf(last, 'AAC.JobStakeReleased').amount).toBe(90_000n)
    expect(argsOf(last, 'SBT.BadgeMinted').level).toBe(2n)
    expect(argsOf(last, 'SBT.ReputationUpdated')).toMatchObject({ skill: 200n, reliability: 150n, economic: 1_000_000n })
    expect(argsOf(last, 'JobClosed').releasedAmount).toBe(1_000_000n)
  })

  test('the last part carries the rest of a fee at its floor', async () => {
    await createParts([100_000n, 100_000n])
    await submit(world)
    const first = await approvePart(world, 0)
    await handInMore()
    expect([feeOf(first), feeOf(await approvePart(world, 1))]).toEqual([5_000n, 45_000n])
    const types = [{ type: 'bytes32' }, { type: 'uint256' }, { type: 'uint256' }] as const
    const settlementId = keccak256(encodeAbiParameters(types, [JOB, 0n, 100_000n]))
    expect(first.find(({ name }) => name === 'AAC.ReservationSettled')?.args.settlementId).toBe(settlementId)
  })
})

describe('a template reserve', () => {
  test('pays for a job without another movement', async () => {
    await reserveTemplate(world, 2_000_000n)
    const create = () => run(who.operator, 'createSinglePayoutJobFromRecurringReserve', recurring(world))
    const { moved, events } = await observe(world, create)
    expect(moved).toEqual({})
    expect(namesOf(events)).toEqual(['RecurringJobFundedFromTemplate', 'JobFunded', 'JobCreated'])
    const funded = { templateId: TEMPLATE, poster: who.poster, totalReserved: 1_050_000n }
    expect(argsOf(events, 'RecurringJobFundedFromTemplate')).toMatchObject(funded)
    expect(await world.read('accounts', 'recurringTemplateReserves', who.poster, world.at.token, TEMPLATE)).toBe(950_000n)
  })

  test('is cancelled while it is unused', async () => {
    await reserveTemplate(world, 500n)
    const args = [who.poster, world.at.token, TEMPLATE, 500n] as const
    const events = await world.run(who.poster, 'accounts', 'cancelRecurringTemplateReserve', ...args)
    expect(namesOf(events)).toEqual(['AAC.RecurringTemplateReserveCancelled', 'AAC.ReservationReleased'])
  })
})

describe('external schemas', () => {
  const SCHEMA = { schemaHash: hashOf('schema'), schemaUrl: 'https://example.org/schemas/a.json' }
  const domain = (chainId = 31_337) => ({ name: 'Service EscrowCore', version: '1', chainId, verifyingContract: world.at.escrow })
  const typed = { types: SCHEMA_TYPES, primaryType: 'ExternalSchemaRegistration' } as const
  const sign = (chainId?: number, more: object = {}): Promise<Hex> =>
    issuer.signTypedData({ ...typed, domain: domain(chainId), message: { ...SCHEMA, jobId: JOB, ...more } })
  const registration = (schemaSignature: Hex, more: object = {}) => ({ ...SCHEMA, schemaIssuer: issuer.address, schemaSignature, ...more })
  const withSchema = (schema: object) => world.attempt(who.poster, 'escrow', 'createSinglePayoutJob', ...terms(world), schema)

  test('a signed registration of a trusted issuer is stored and announced first', async () => {
    const signature = await sign()
    const events = eventsOf(await withSchema(registration(signature)))
    expect(namesOf(events)).toEqual(['ExternalSchemaRegistered', 'AAC.Reserved', 'JobFunded', 'JobCreated'])
    expect(await read('jobExternalSchemas', JOB)).toEqual([SCHEMA.schemaHash, SCHEMA.schemaUrl, issuer.address, signature])
  })

  test('a signature with v 0 or 1 counts like 27 or 28', async () => {
    const signature = await sign()
    const v = Number.parseInt(signature.slice(-2), 16) - 27
    expect((await withSchema(registration(`${signature.slice(0, -2)}0${v}` as Hex))).error).toBeUndefined()
  })

  test('an empty registration is the same as none', async () => {
    expect((await withSchema(NO_SCHEMA)).error).toBeUndefined()
  })

  type Bad = (signature: Hex) => object | Promise<object>
  test.each<[string, Bad]>([
    ['no hash', () => ({ schemaHash: zeroHash })],
    ['no url', () => ({ schemaUrl: '' })],
    ['no issuer', () => ({ schemaIssuer: zeroAddress })],
    ['no signature', () => ({ schemaSignature: '0x' })],
    ['a signature of 64 bytes', (signature) => ({ schemaSignature: signature.slice(0, -2) })],
    ['a signature with high s', (signature) => ({ schemaSignature: highS(signature) })],
    ['a signature for another chain', async () => ({ schemaSignature: await sign(1) })],
    ['a signed empty hash', async () => ({ schemaHash: zeroHash, schemaSignature: await sign(31_337, { schemaHash: zeroHash }) })],
    ['a signed empty url', async () => ({ schemaUrl: '', schemaSignature: await sign(31_337, { schemaUrl: '' }) })],
    ['no issuer and no valid signature', () => ({ schemaIssuer: zeroAddress, schemaSignature: '0x1234' })],
    ['another url', () => ({ schemaUrl: 'https://example.org/other.json' })],
  ])('a registration with %s is refused', async (_, change) => {
    const signature = await sign()
    expect((await withSchema(registration(signature, await change(signature)))).error).toBe('InvalidSchemaSignature()')
  })

  test('an issuer that is not trusted is named', async () => {
    await world.run(who.owner, 'policy', 'setTrustedSchemaIssuer', issuer.address, false)
    expect((await withSchema(registration(await sign()))).error).toBe(`UnauthorizedSchemaIssuer(${issuer.address})`)
  })

  test('the digest is the one of the typed data standard', async () => {
    const message = { ...SCHEMA, jobId: JOB }
    const expected = hashTypedData({ ...typed, domain: domain(), message })
    expect(await read('hashExternalSchemaRegistration', SCHEMA.schemaHash, SCHEMA.schemaUrl, JOB)).toBe(expected)
    const published = { ...domain(), verifyingContract: '0xC2Eb191FB75246667226a5D5Db9d821f95a5f793' } as const
    expect(hashTypedData({ ...typed, domain: published, message })).toBe(
      '0xe97dbef7952b99dd81dff0298ad788f63591792e32bd338bb2978bb64a432fc9',
    )
  })
})
