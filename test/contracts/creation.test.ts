import { beforeAll, describe, expect, test } from '@jest/globals'
import { type Hex, hashTypedData, zeroAddress, zeroHash } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import {
  approve,
  argsOf,
  create,
  eventsOf,
  fund,
  hashOf,
  JOB,
  jobOf,
  milestoneTerms,
  namesOf,
  observe,
  STATE,
  submit,
  terms,
} from './support/jobs.ts'
import { revertAfterEach } from './support/shared-chain.ts'
import { highS, SCHEMA_TYPES } from './support/signing.ts'
import { startWorld, type World, who } from './support/world.ts'

const issuer = privateKeyToAccount('0x47e179ec197488593b187f80a00eb0da91f1b9d0b13f8733639f19c30a34926a')
const SCHEMA = { schemaHash: hashOf('schema'), schemaUrl: 'https://example.org/schemas/a.json' }
const TEMPLATE = hashOf('template')
const NO_SCHEMA = { schemaHash: zeroHash, schemaUrl: '', schemaIssuer: zeroAddress, schemaSignature: '0x' } as const

let world: World

beforeAll(async () => {
  world = await startWorld()
  await fund(world, who.poster, 100_000_000n)
  await fund(world, who.worker, 10_000_000n)
  await world.run(who.owner, 'policy', 'setTrustedSchemaIssuer', issuer.address, true)
})
revertAfterEach(() => world)

const domain = (chainId = 31_337) => ({ name: 'Service EscrowCore', version: '1', chainId, verifyingContract: world.at.escrow })
const typed = { types: SCHEMA_TYPES, primaryType: 'ExternalSchemaRegistration' } as const
const sign = (chainId?: number, more: object = {}): Promise<Hex> =>
  issuer.signTypedData({ ...typed, domain: domain(chainId), message: { ...SCHEMA, jobId: JOB, ...more } })
const registration = (schemaSignature: Hex, more: object = {}) => ({ ...SCHEMA, schemaIssuer: issuer.address, schemaSignature, ...more })
const withSchema = (schema: object) => world.attempt(who.poster, 'escrow', 'createSinglePayoutJob', ...terms(world), schema)

/** Arguments of the broker's call that creates a job out of a template reserve. */
const recurring = (more: object = {}) => {
  const [jobId, asset, reward, opsReserve, contingencyReserve, claimTtl, verifierMode, category, specHash] = terms(world)
  const job = { jobId, asset, reward, opsReserve, contingencyReserve, claimTtl, verifierMode, category, specHash }
  return { ...job, templateId: TEMPLATE, poster: who.poster, ...NO_SCHEMA, protocolFeeWaived: false, ...more }
}

describe('the poster fee', () => {
  test.each([
    [200_000n, 50_000n],
    [1_000_000n, 50_000n],
    [2_500_000n, 125_000n],
    [10_000_000n, 500_000n],
  ])('of a reward of %s is %s', async (reward, fee) => {
    expect(await world.read('escrow', 'previewPosterFee', reward)).toBe(fee)
    expect(await world.read('escrow', 'previewProtocolFee', reward)).toBe(fee)
  })

  test('is a snapshot: a later schedule does not change a job', async () => {
    await create(world)
    await world.run(who.owner, 'escrow', 'setFeeSchedule', 0n, 0, 1_000, 0n)
    expect(await jobOf(world)).toMatchObject({ protocolFee: 50_000n, protocolFeeBps: 500 })
  })

  test('can be waived by a broker for its own job', async () => {
    const { moved, events } = await observe(world, () =>
      world.run(who.operator, 'escrow', 'createSinglePayoutJobFeeWaived', ...terms(world)),
    )
    expect(moved).toEqual({ operator: { liquid: -1_000_000n, reserved: 1_000_000n } })
    expect(namesOf(events)).toEqual(['AAC.Reserved', 'JobFunded', 'JobCreated'])
    expect(await jobOf(world)).toMatchObject({ poster: who.operator, protocolFee: 0n, protocolFeeBps: 0, protocolFeeWaived: true })
    await submit(world)
    expect(argsOf(await approve(world), 'SettlementSplit').protocolFeeAmount).toBe(0n)
  })

  test('schedule refuses values above its limits one by one, and announces old and new', async () => {
    const set = (...values: readonly unknown[]) => world.refusal(who.owner, 'escrow', 'setFeeSchedule', ...values)
    expect(await set(500_001n, 2_501, 1_001, 500_001n)).toBe('RetentionFlatTooHigh()')
    expect(await set(500_000n, 2_501, 1_001, 500_001n)).toBe('RetentionCapTooHigh()')
    expect(await set(500_000n, 2_500, 1_001, 500_001n)).toBe('ProtocolFeeTooHigh()')
    expect(await set(500_000n, 2_500, 1_000, 500_001n)).toBe('PosterFeeFloorTooHigh()')
    const [changed] = await world.run(who.owner, 'escrow', 'setFeeSchedule', 500_000n, 2_500, 1_000, 500_000n)
    expect(changed?.args).toMatchObject({
      previousRetentionFlatRaw: 50_000n,
      previousPosterFeeBps: 500,
      newRetentionCapBps: 2_500,
      newPosterFeeFloorRaw: 500_000n,
    })
  })
})

describe('previews', () => {
  test.each([
    [100_000n, 20_000n],
    [200_000n, 40_000n],
    [250_000n, 50_000n],
    [1_000_000n, 50_000n],
  ])('the retention of a reward of %s is %s', async (reward, retained) => {
    expect(await world.read('escrow', 'previewGasRetention', reward, true, false)).toBe(retained)
    expect(await world.read('escrow', 'previewGasRetention', reward, false, false)).toBe(0n)
    expect(await world.read('escrow', 'previewGasRetention', reward, true, true)).toBe(0n)
  })

  test('the onboarding waiver ends after the third claim', async () => {
    for (const count of [1n, 2n, 3n, 4n]) {
      const jobId = hashOf(`job ${count}`)
      await create(world, { jobId })
      await world.run(who.operator, 'escrow', 'setOnboardingWaiverEligible', jobId, true)
      const events = await world.run(who.operator, 'escrow', 'claimJobFor', jobId, who.worker)
      expect(argsOf(events, 'ClaimEconomicsLocked')).toMatchObject({ claimNumber: count, waived: count <= 3n })
    }
  })

  test('claim economics of an unknown job are refused', async () => {
    await expect(world.read('escrow', 'previewClaimEconomics', who.worker, JOB)).rejects.toThrow('UnknownJob')
  })
})

describe('what creation refuses', () => {
  test('a used id comes before everything else', async () => {
    await create(world)
    const call = ['createMilestoneJob', ...milestoneTerms(world, [])] as const
    expect(await world.refusal(who.poster, 'escrow', ...call)).toBe('InvalidState()')
  })

  test('the number of milestones comes before their amounts', async () => {
    const make = (amounts: readonly bigint[]) =>
      world.refusal(who.poster, 'escrow', 'createMilestoneJob', ...milestoneTerms(world, amounts))
    expect(await make([])).toBe('MilestoneLimitExceeded()')
    expect(await make(Array.from({ length: 33 }, () => 0n))).toBe('MilestoneLimitExceeded()')
    expect(await make([1n, 0n])).toBe('ZeroAmount()')
    expect(await make([2n ** 255n, 2n ** 255n])).toBe('Panic(0x11)')
    expect(await make(Array.from({ length: 32 }, () => 1_000n))).toBe('it passed')
  })

  test('a reward of zero, a foreign token, and a poster without funds', async () => {
    const make = (more: object, from: Hex = who.poster) => world.refusal(from, 'escrow', 'createSinglePayoutJob', ...terms(world, more))
    expect(await make({ reward: 0n })).toBe('ZeroAmount()')
    expect(await make({}, who.stranger)).toBe('InsufficientLiquidity()')
    const [jobId, , ...rest] = terms(world)
    expect(await world.refusal(who.poster, 'escrow', 'createSinglePayoutJob', jobId, who.stranger, ...rest)).toBe('UnsupportedAsset()')
  })

  test('a time to live that no clock can reach makes every claim fail, but the job can be cancelled', async () => {
    await create(world, { ttl: 2n ** 256n - 1n })
    expect(await world.refusal(who.worker, 'escrow', 'claimJob', JOB)).toBe('Panic(0x11)')
    await world.pass(3_600)
    await world.run(who.poster, 'escrow', 'cancelOpenJob', JOB)
    expect((await jobOf(world)).state).toBe(STATE.cancelled)
  })
})

describe('jobs out of a template reserve', () => {
  test('consume the reserve without another movement', async () => {
    await world.run(who.poster, 'accounts', 'reserveForRecurringTemplate', who.poster, world.at.token, TEMPLATE, 2_000_000n)
    const { moved, events } = await observe(world, () =>
      world.run(who.operator, 'escrow', 'createSinglePayoutJobFromRecurringReserve', recurring()),
    )
    expect(moved).toEqual({})
    expect(namesOf(events)).toEqual(['RecurringJobFundedFromTemplate', 'JobFunded', 'JobCreated'])
    expect(argsOf(events, 'RecurringJobFundedFromTemplate')).toMatchObject({
      templateId: TEMPLATE,
      poster: who.poster,
      totalReserved: 1_050_000n,
    })
    expect(await world.read('accounts', 'recurringTemplateReserves', who.poster, world.at.token, TEMPLATE)).toBe(950_000n)
  })

  test('need a reserve that covers the fee as well, and a poster', async () => {
    await world.run(who.poster, 'accounts', 'reserveForRecurringTemplate', who.poster, world.at.token, TEMPLATE, 1_049_999n)
    const make = (more: object) => world.refusal(who.operator, 'escrow', 'createSinglePayoutJobFromRecurringReserve', recurring(more))
    expect(await make({})).toBe('InsufficientReserved()')
    expect(await make({ poster: zeroAddress })).toBe('Unauthorized()')
    expect(await make({ protocolFeeWaived: true })).toBe('it passed')
  })

  test('an unused reserve can be taken back, the used part cannot', async () => {
    const cancel = (id: Hex, amount: bigint) =>
      world.attempt(who.poster, 'accounts', 'cancelRecurringTemplateReserve', who.poster, world.at.token, id, amount)
    await world.run(who.poster, 'accounts', 'reserveForRecurringTemplate', who.poster, world.at.token, TEMPLATE, 500n)
    expect((await cancel(zeroHash, 1n)).error).toBe('ZeroAmount()')
    expect((await cancel(TEMPLATE, 0n)).error).toBe('ZeroAmount()')
    expect((await cancel(TEMPLATE, 501n)).error).toBe('InsufficientReserved()')
    const done = await cancel(TEMPLATE, 500n)
    expect(namesOf(eventsOf(done))).toEqual(['AAC.RecurringTemplateReserveCancelled', 'AAC.ReservationReleased'])
  })
})

describe('external schemas', () => {
  test('a signed registration of a trusted issuer is stored and announced first', async () => {
    const outcome = await withSchema(registration(await sign()))
    expect(outcome.error).toBeUndefined()
    const events = eventsOf(outcome)
    expect(namesOf(events)).toEqual(['ExternalSchemaRegistered', 'AAC.Reserved', 'JobFunded', 'JobCreated'])
    expect(await world.read('escrow', 'jobExternalSchemas', JOB)).toEqual([
      SCHEMA.schemaHash,
      SCHEMA.schemaUrl,
      issuer.address,
      await sign(),
    ])
  })

  test('a signature with v 0 or 1 counts like 27 or 28', async () => {
    const signature = await sign()
    const v = Number.parseInt(signature.slice(-2), 16) - 27
    expect((await withSchema(registration(`${signature.slice(0, -2)}0${v}` as Hex))).error).toBeUndefined()
  })

  test('an empty registration is the same as none', async () => {
    expect((await withSchema(NO_SCHEMA)).error).toBeUndefined()
  })

  test('missing parts and bad signatures are refused', async () => {
    const signature = await sign()
    const bad: Record<string, object> = {
      'no hash': { schemaHash: zeroHash },
      'no url': { schemaUrl: '' },
      'no issuer': { schemaIssuer: zeroAddress },
      'no signature': { schemaSignature: '0x' },
      'sixty-four bytes': { schemaSignature: signature.slice(0, -2) },
      'high s': { schemaSignature: highS(signature) },
      'another chain': { schemaSignature: await sign(1) },
      'a signed empty hash': { schemaHash: zeroHash, schemaSignature: await sign(31_337, { schemaHash: zeroHash }) },
      'a signed empty url': { schemaUrl: '', schemaSignature: await sign(31_337, { schemaUrl: '' }) },
      'nobody, who signs nothing': { schemaIssuer: zeroAddress, schemaSignature: '0x1234' },
      'another url': { schemaUrl: 'https://example.org/other.json' },
    }
    for (const [name, more] of Object.entries(bad)) {
      expect([name, (await withSchema(registration(signature, more))).error]).toEqual([name, 'InvalidSchemaSignature()'])
    }
  })

  test('an issuer that is not trusted is named', async () => {
    await world.run(who.owner, 'policy', 'setTrustedSchemaIssuer', issuer.address, false)
    expect((await withSchema(registration(await sign()))).error).toBe(`UnauthorizedSchemaIssuer(${issuer.address})`)
  })

  test('the digest is the one of the typed data standard', async () => {
    const expected = hashTypedData({ ...typed, domain: domain(), message: { ...SCHEMA, jobId: JOB } })
    expect(await world.read('escrow', 'hashExternalSchemaRegistration', SCHEMA.schemaHash, SCHEMA.schemaUrl, JOB)).toBe(expected)
    const elsewhere = { ...domain(), verifyingContract: '0xC2Eb191FB75246667226a5D5Db9d821f95a5f793' } as const
    expect(hashTypedData({ ...typed, domain: elsewhere, message: { ...SCHEMA, jobId: JOB } })).toBe(
      '0xe97dbef7952b99dd81dff0298ad788f63591792e32bd338bb2978bb64a432fc9',
    )
  })
})

test('a time to live of zero can be met only in the block of the claim', async () => {
  await create(world, { ttl: 0n })
  await world.run(who.worker, 'escrow', 'claimJob', JOB)
  expect((await jobOf(world)).claimExpiry).toBe(BigInt(await world.now()))
  await world.nextBlockAt((await world.now()) + 1)
  expect(await world.refusal(who.worker, 'escrow', 'submitWork', JOB, hashOf('evidence'))).toBe('InvalidState()')
})
