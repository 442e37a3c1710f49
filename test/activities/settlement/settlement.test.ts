import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createChainClients } from '../../../activities/chain/clients.ts'
import { findEventTransaction } from '../../../activities/chain/escrow-events.ts'
import { BlockedStepError } from '../../../activities/common/blocked.ts'
import { loadSigningKey, type SigningKey } from '../../../activities/common/document-signing.ts'
import { createDocumentSigner, createKeySource } from '../../../activities/identity/signing-keys.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import { localKeys } from '../../../local/keys.ts'
import type { AdmittedClaim } from '../../../schemas/claims/process.ts'
import { fund, terms } from '../../contracts/support/jobs.ts'
import { who } from '../../contracts/support/world.ts'
import { makePem } from '../../support/api.ts'
import { spanOf, startNodeGate } from '../support/node-gate.ts'
import { verifyEveryDocument } from '../support/receipts.ts'
import { brokenClients, failingDatabase, type Service, startService, walletAt } from '../support/service.ts'
import { codeOf, HOUR, openSettlements } from '../support/settlements.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
})
afterAll(() => service.stop())

const settlements = openSettlements(() => service)
const { admit, bondInput, claimed, submissionOf, offered, judged, liquidOf, gained, sent, rowsOf, openOnChain } = settlements
const sessionOf = ({ sessionId }: AdmittedClaim) => getSession(service.rows, sessionId)
/** Expects that the claim was paid once, with one badge and one entry of the ledger. */
const expectPaidOnce = async (claim: AdmittedClaim): Promise<void> => {
  expect((await sent(claim, 'resolveSinglePayout')).map(({ status }) => status)).toEqual(['mined'])
  expect((await sessionOf(claim)).status).toBe('resolved')
  expect([await rowsOf('badge', claim), await rowsOf('reputation_event', claim)]).toEqual([1, 1])
}

describe('the key of badges and receipts', () => {
  const signerOf = (readKey: () => Promise<SigningKey>) =>
    createDocumentSigner({ database: service.database, clock: service.clock, readKey })
  const retired = async () => {
    const key = await loadSigningKey(makePem(), 'old')
    const { fingerprint, jwk } = key
    const record = {
      kid: 'badge-0',
      purpose: 'receipt' as const,
      fingerprint,
      x: jwk.x,
      y: jwk.y,
      validFrom: 0,
      retiredAt: 1,
      verifiesUntil: null,
    }
    await service.rows.insertInto('signing_key').values(record).execute()
    return signerOf(async () => key)
  }
  const unreadable = async () =>
    signerOf(createKeySource({ RECEIPT_KEY: '', RECEIPT_KEY_FILE: '/none/key', RECEIPT_KEY_FINGERPRINT: undefined }))

  test.each([
    ['cannot be read', unreadable],
    ['is retired', retired],
  ])('that %s blocks the record of a payment, and the next attempt records it without a second one', async (_name, makeSigner) => {
    const claim = await judged()
    const steps = service.stepsOn({ sign: await makeSigner() })
    for (const _try of [1, 2]) {
      const error = await steps.settleApproval(claim).catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(BlockedStepError)
      expect(error).toMatchObject({ code: 'receipt_key_unavailable' })
    }
    expect(await sessionOf(claim)).toMatchObject({ status: 'submitted', workReceiptId: null, payoutTx: null })
    expect(await service.steps.settleApproval(claim)).toEqual({ status: 'resolved' })
    expect((await sessionOf(claim)).workReceiptId).toMatch(/^0x[0-9a-f]{64}$/)
    await expectPaidOnce(claim)
  })
})

describe('a bond', () => {
  test('creates the job on chain and claims it for the worker, and a repeat gives the same bond', async () => {
    const { admitted } = await admit()
    const bond = await service.steps.lockBond(bondInput(admitted))
    expect(bond).toMatchObject({ stakeRaw: '200000', feeRaw: '50000', waived: false, brokered: true })
    expect(Date.parse(bond.claimExpiresAt) - Date.parse(bond.claimedAt)).toBe(HOUR * 1_000)
    expect(await service.steps.lockBond(bondInput(admitted))).toEqual(bond)
    expect(await sent(admitted, 'claimJobFor')).toHaveLength(1)
  })

  test('whose outcome was not read is found again, not locked twice', async () => {
    const { admitted } = await admit({ jobId: await openOnChain() })
    const lost = service.stepsOn({ clients: brokenClients(service.clients, { receipts: true }) })
    await expect(lost.lockBond(bondInput(admitted))).rejects.toThrow('the node is away')
    const before = await liquidOf(admitted.wallet)
    await service.steps.lockBond(bondInput(admitted))
    expect(await liquidOf(admitted.wallet)).toBe(before)
    expect(await sent(admitted, 'claimJobFor')).toHaveLength(1)
  })

  test('that the worker cannot pay is refused, and the job stays open for the next one', async () => {
    const next = await admit({ jobId: await openOnChain() })
    expect(await service.steps.lockBond(bondInput(next.admitted))).toMatchObject({ stakeRaw: '200000' })
  })

  test('of a job that another one holds on chain is refused', async () => {
    const { admitted: first } = await admit()
    await service.steps.lockBond(bondInput(first))
    await service.admission.releaseClaim({ runId: first.runId, code: 'insufficient_liquidity' })
    const { admitted } = await admit({ jobId: first.jobId })
    expect(await codeOf(service.steps.lockBond(bondInput(admitted)))).toBe('job_already_claimed')
  })

  test('of a job whose worker has to send it is refused, and nothing is sent', async () => {
    const { admitted } = await admit()
    expect(await codeOf(service.steps.lockBond(bondInput({ ...admitted, adopted: true })))).toBe('job_not_claimable')
    const sent = await service.rows.selectFrom('chain_transaction').select('txHash').where('sessionId', '=', admitted.sessionId).execute()
    expect(sent).toEqual([])
  })
})

describe('a bond on a job that a stranger creates first', () => {
  const LISTED = { rewardRaw: 2_000_000n, ttl: BigInt(HOUR) }

  /** A stranger creates the job of a listed id with its own money. */
  const intrude = async ({ jobId, chainJobId }: AdmittedClaim, changes: Partial<typeof LISTED> & { specHash?: Hex }): Promise<void> => {
    const job = await service.rows.selectFrom('job').select('specHash').where('id', '=', jobId).executeTakeFirstOrThrow()
    const { rewardRaw, ttl, specHash } = { ...LISTED, specHash: job.specHash as Hex, ...changes }
    await fund(service.world, who.poster, 10_000_000n)
    const [, asset, , ops, contingency, , mode, category] = terms(service.world)
    const given = [chainJobId as Hex, asset, rewardRaw, ops, contingency, ttl, mode, category, specHash] as const
    await service.world.run(who.poster, 'escrow', 'createSinglePayoutJob', ...given)
  }

  /** Steps that do something just before each transaction they send. */
  const stepsWith = (beforeSend: () => Promise<void>) => {
    const writers = service.clients.writers.map((writer) => ({
      ...writer,
      sendRawTransaction: async (...args: Parameters<typeof writer.sendRawTransaction>) => {
        await beforeSend()
        return writer.sendRawTransaction(...args)
      },
    }))
    return service.stepsOn({ clients: { ...service.clients, writers } as typeof service.clients })
  }
  /** Steps that are overtaken: `act` is mined after they have read the chain, just before what they send first. */
  const overtakenBy = (act: () => Promise<void>) => {
    let acted: Promise<void> | undefined
    return stepsWith(async () => {
      acted ??= act()
      await acted
    })
  }

  const MISMATCH = 'job_definition_chain_mismatch'

  test.each<[string, Parameters<typeof intrude>[1]]>([
    ['another reward', { rewardRaw: 1n }],
    ['another time to work', { ttl: 1n }],
    ['another definition', { specHash: `0x${'7'.repeat(64)}` }],
  ])('with %s is refused and locks nothing, before the step and under its hands', async (_name, changes) => {
    for (const stepsFor of [
      async (admitted: AdmittedClaim) => {
        await intrude(admitted, changes)
        return service.steps
      },
      async (admitted: AdmittedClaim) => overtakenBy(() => intrude(admitted, changes)),
    ]) {
      const { admitted } = await admit()
      const before = await liquidOf(admitted.wallet)
      const steps = await stepsFor(admitted)
      expect(await codeOf(steps.lockBond(bondInput(admitted)))).toBe(MISMATCH)
      expect(await codeOf(service.steps.lockBond(bondInput(admitted)))).toBe(MISMATCH)
      expect([await liquidOf(admitted.wallet), await sent(admitted, 'claimJobFor')]).toEqual([before, []])
      expect((await service.reads.escrowJob(admitted.chainJobId as Hex)).state).toBe('open')
    }
  })

  test('that the worker itself claimed directly on chain is not taken over', async () => {
    const { admitted } = await admit()
    await intrude(admitted, { rewardRaw: 1n })
    await service.world.run(admitted.wallet as Hex, 'escrow', 'claimJob', admitted.chainJobId as Hex)
    expect(await codeOf(service.steps.lockBond(bondInput(admitted)))).toBe(MISMATCH)
  })

  test('by the listed terms is locked on that job, also under the hands of the step', async () => {
    const { admitted } = await admit()
    const bond = await overtakenBy(() => intrude(admitted, {})).lockBond(bondInput(admitted))
    expect(bond).toMatchObject({ poster: who.poster.toLowerCase(), stakeRaw: '200000' })
    expect((await sent(admitted, 'createSinglePayoutJob')).map(({ status }) => status)).toEqual(['reverted'])
    expect(await service.steps.lockBond(bondInput(admitted))).toEqual(bond)
  })

  test('is locked by a worker that died after the creation of the job, which is not created twice', async () => {
    const { admitted } = await admit()
    let sends = 0
    const dying = stepsWith(async () => {
      sends += 1
      if (sends > 1) throw new Error('the node is away')
    })
    await expect(dying.lockBond(bondInput(admitted))).rejects.toThrow()
    expect(await service.steps.lockBond(bondInput(admitted))).toMatchObject({ stakeRaw: '200000' })
    expect(await sent(admitted, 'createSinglePayoutJob')).toHaveLength(1)
  })
})

describe('while the contracts are paused', () => {
  const pause = (paused: boolean) => service.world.run(who.owner, 'policy', 'setPaused', paused)
  afterEach(() => pause(false))

  const createPauseRefusal = (operation: string) => ({
    code: 'blockchain_revert',
    info: {
      reason: 'paused_system',
      retryAfterSeconds: 60,
      nextActions: [{ kind: 'wait' }],
      details: { operation, rawCode: 3, customError: 'ProtocolPaused', rawReason: null, selector: '0x44279255' },
    },
  })

  test('a claim is refused with this reason and the time to come back', async () => {
    const { admitted } = await admit()
    await pause(true)
    await expect(service.steps.lockBond(bondInput(admitted))).rejects.toMatchObject(createPauseRefusal('claimJobFor'))
    expect(await sent(admitted, 'claimJobFor')).toHaveLength(0)
  })

  test('a submission is refused with this reason, and is taken after the pause', async () => {
    const claim = await offered()
    await pause(true)
    await expect(service.steps.submitOnChain(submissionOf(claim))).rejects.toMatchObject(createPauseRefusal('submitWorkFor'))
    expect(await sent(claim, 'submitWorkFor')).toHaveLength(0)
    await pause(false)
    expect(await service.steps.submitOnChain({ ...submissionOf(claim), submitNumber: 2 })).toMatchObject({ txHash: expect.anything() })
  })
})

describe('a submission', () => {
  test('on its way twice is one transaction', async () => {
    const claim = await offered()
    const [first, second] = await Promise.all([1, 2].map(() => service.steps.submitOnChain(submissionOf(claim))))
    expect(second).toEqual(first)
    expect(await sent(claim, 'submitWorkFor')).toHaveLength(1)
  })

  test('whose receipt was lost is found on chain under any later number', async () => {
    const claim = await offered()
    const first = await service.steps.submitOnChain(submissionOf(claim))
    expect(await service.steps.submitOnChain({ ...submissionOf(claim), submitNumber: 2 })).toEqual(first)
    expect(await sent(claim, 'submitWorkFor')).toHaveLength(1)
  })
})

describe('a submission whose claim lapses on its way to the chain', () => {
  const late = async (secondsBeforeEnd: number | null) => {
    const claim = await offered()
    const { claimExpiresAt } = await sessionOf(claim)
    const acceptedAt = secondsBeforeEnd === null ? undefined : new Date(claimExpiresAt - secondsBeforeEnd * 1000).toISOString()
    await service.pass(HOUR + 2)
    return service.steps.submitOnChain({ ...submissionOf(claim), acceptedAt })
  }

  test.each([
    ['that came in the last moments is refused as too late, so that the claim ends as without it', 11, 'brokered_submit_expired'],
    ['that came in its very last second, too', -0.85, 'brokered_submit_expired'],
    ['that came earlier is a fault of the platform', 13, 'claim_expired'],
    ['whose time is unknown is one, too', null, 'claim_expired'],
  ])('%s', async (_what, secondsBeforeEnd, code) => {
    expect(await codeOf(late(secondsBeforeEnd))).toBe(code)
  })
})

describe('an approval', () => {
  const approve = (claim: Awaited<ReturnType<typeof judged>>, parts: Parameters<Service['stepsOn']>[0] = {}) =>
    service.stepsOn(parts).settleApproval(claim)

  test('pays the worker the reward less what is retained for gas, and gives the bond back', async () => {
    const claim = await judged()
    expect(await gained(claim, () => approve(claim))).toBe(2_000_000n - 50_000n + 250_000n)
    const { chainState, payoutTx } = await sessionOf(claim)
    expect([chainState, payoutTx]).toMatchObject(['closed', { status: 1, settlement: { workerAmountRaw: '1950000' } }])
    await expectPaidOnce(claim)
  })

  test.each<[string, () => Parameters<typeof approve>[1]]>([
    ['before the record', () => ({ database: failingDatabase(service.database, 1) })],
    ['before the receipt was read', () => ({ clients: brokenClients(service.clients, { receipts: true }) })],
  ])('that was cut short after the payout, %s, is recorded by the next try, and pays once', async (_name, broken) => {
    const claim = await judged()
    const settle = async () => {
      await expect(approve(claim, broken())).rejects.toThrow()
      expect((await sessionOf(claim)).status).toBe('submitted')
      for (const _try of [1, 2]) await approve(claim)
    }
    expect(await gained(claim, settle)).toBe(2_200_000n)
    await expectPaidOnce(claim)
  })

  test('from several places at once is one payout and one record', async () => {
    const claim = await judged()
    await Promise.all([1, 2, 3].map(() => approve(claim)))
    await expectPaidOnce(claim)
  })
})

describe('a claim without a submission', () => {
  test('gives the job back after its last second, and a repeat sees it done', async () => {
    const claim = await claimed()
    await service.pass(HOUR + 2)
    const first = await service.steps.timeoutClaim(claim)
    expect(first).toMatchObject({ result: 'expired', observedState: 'open' })
    expect(await service.steps.timeoutClaim(claim)).toMatchObject({ result: 'expired', observedState: 'open' })
    expect(await sent(claim, 'handleClaimTimeout')).toHaveLength(1)
  })

  test('that a stranger gave back already is recorded without a transaction', async () => {
    const claim = await claimed()
    await service.pass(HOUR + 2)
    await service.world.run(walletAt(9_999), 'escrow', 'handleClaimTimeout', claim.chainJobId)
    expect(await service.steps.timeoutClaim(claim)).toMatchObject({ result: 'expired', observedState: 'open', txHash: null })
    expect(await sent(claim, 'handleClaimTimeout')).toEqual([])
  })

  test('that the same worker claimed again directly on chain is over: the service does not end the later claim', async () => {
    const claim = await claimed()
    await service.pass(HOUR + 2)
    await service.world.run(walletAt(9_999), 'escrow', 'handleClaimTimeout', claim.chainJobId)
    await service.world.run(claim.wallet as Hex, 'escrow', 'claimJob', claim.chainJobId)
    const over = { result: 'expired', observedState: 'claimed', observedWorker: claim.wallet, txHash: null }
    expect(await service.steps.timeoutClaim(claim)).toMatchObject(over)
    await service.pass(HOUR + 2)
    const before = await service.reads.walletFacts(claim.wallet as Hex)
    expect(await service.steps.timeoutClaim(claim)).toMatchObject(over)
    const { block: _, ...after } = await service.reads.walletFacts(claim.wallet as Hex)
    expect(before).toMatchObject(after)
    expect(after.position.jobStakeLocked).toBeGreaterThan(0n)
    expect(await sent(claim, 'handleClaimTimeout')).toEqual([])
  })

  test('is not taken away while its last second runs', async () => {
    const claim = await claimed()
    await expect(service.steps.timeoutClaim(claim)).rejects.toThrow()
    expect((await service.reads.escrowJob(claim.chainJobId as Hex)).state).toBe('claimed')
  })
})

describe('a step that was cut short before it recorded its transaction', () => {
  const giveUp = (sessionId: string) =>
    service.rows
      .updateTable('chain_transaction')
      .set({ status: 'dead' })
      .where('sessionId', '=', sessionId)
      .where('functionName', '=', 'submitWorkFor')
      .execute()

  test('finds a submission on chain that was given up as dead too early', async () => {
    const claim = await offered()
    const landed = await service.steps.submitOnChain(submissionOf(claim))
    await giveUp(claim.sessionId)
    expect(await service.steps.submitOnChain(submissionOf(claim))).toEqual(landed)
  })

  test('hands a submission in again whose transaction can never be mined', async () => {
    const claim = await offered()
    const before = await service.world.rpc('evm_snapshot')
    await service.steps.submitOnChain(submissionOf(claim))
    await service.world.rpc('evm_revert', before)
    const { address } = localKeys().operator
    await service.world.attemptAt(address, address, '0x')
    await giveUp(claim.sessionId)
    await service.steps.submitOnChain(submissionOf(claim))
    expect((await service.reads.escrowJob(claim.chainJobId as Hex)).state).toBe('submitted')
    expect((await sent(claim, 'submitWorkFor')).map(({ status }) => status)).toEqual(['dead', 'mined'])
  })

  test('finds its own time-out of a claim on chain, and the journal records it', async () => {
    const claim = await claimed()
    await service.pass(HOUR + 2)
    const statuses = async () => (await sent(claim, 'handleClaimTimeout')).map(({ status }) => status)
    const cut = service.stepsOn({ clients: brokenClients(service.clients, { receipts: true }) })
    await expect(cut.timeoutClaim(claim)).rejects.toThrow('the node is away')
    expect(await statuses()).toEqual(['broadcast'])
    await service.steps.timeoutClaim(claim)
    expect(await statuses()).toEqual(['mined'])
  })
})

describe('a node that answers about so many blocks at once and no more', () => {
  const ALLOWED = 20

  test('is asked for an old event page by page', async () => {
    const gate = await startNodeGate(service.chain.rpc.primary)
    const isTooMany = (call: Parameters<typeof spanOf>[0]): boolean => !(spanOf(call) <= ALLOWED)
    gate.spoil((call) => (call.method === 'eth_getLogs' && isTooMany(call) ? { error: 'block range is too wide' } : 'pass'))
    const { reader } = createChainClients({ ...service.chain, rpc: { ...service.chain.rpc, primary: gate.url } })
    try {
      const { chainJobId, bond } = await claimed()
      await service.world.rpc('anvil_mine', `0x${(3 * ALLOWED).toString(16)}`)
      const found = (name: 'JobClaimed' | 'JobClosed') =>
        findEventTransaction(reader, service.reads.escrowAddress, name, chainJobId as Hex, BigInt(bond.blockNumber))
      expect([await found('JobClaimed'), await found('JobClosed')]).toEqual([bond.txHash, null])
    } finally {
      await gate.stop()
    }
  })
})

test('every receipt and badge of the settlements above passes the check of a stranger', async () => {
  expect([...(await verifyEveryDocument(service))].sort()).toEqual(['resolved verifier approved approved'])
})
