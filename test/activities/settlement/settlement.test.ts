import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import type { Hex } from 'viem'
import { createChainClients } from '../../../activities/chain/clients.ts'
import { findEventTransaction } from '../../../activities/chain/escrow-events.ts'
import { BlockedStepError } from '../../../activities/common/blocked.ts'
import { loadSigningKey, type SigningKey } from '../../../activities/common/document-signing.ts'
import { createDocumentSigner, createKeySource } from '../../../activities/identity/signing-keys.ts'
import { getSession } from '../../../activities/sessions/records.ts'
import { createFixtureSources } from '../../../activities/verification/fixtures/fixture.ts'
import type { VerifierHandler, VerifierInput } from '../../../activities/verification/handler.ts'
import { createVerifications, findVerdict, latestVerdict } from '../../../activities/verification/records.ts'
import { createVerifierHandlers } from '../../../activities/verification/registry.ts'
import { localKeys } from '../../../local/keys.ts'
import type { AdmittedClaim, ClaimInput } from '../../../schemas/claims/process.ts'
import { isServiceError } from '../../../schemas/errors.ts'
import type { Verdict } from '../../../schemas/verification/verdict.ts'
import { fund, terms } from '../../contracts/support/jobs.ts'
import { who } from '../../contracts/support/world.ts'
import { makePem } from '../../support/api.ts'
import { claimInput } from '../../workflows/support/claim-input.ts'
import { spanOf, startNodeGate } from '../support/node-gate.ts'
import { verifyEveryDocument } from '../support/receipts.ts'
import { brokenClients, failingDatabase, type Service, startService, walletAt } from '../support/service.ts'

let service: Service
beforeAll(async () => {
  service = await startService()
}, 60_000)
afterAll(() => service.stop())

const GOOD = { summary: 'Exponential backoff with jitter.', output: 'A retry budget bounds the load.', status: 'complete' }
const BAD = { summary: 'Try again.', output: 'Sometimes.', status: 'complete' }
const HOUR = 3_600

let count = 0
/** A claim of a new job by a new wallet that has money for its bond, as far as the admission. */
const admit = async (changes: Partial<ClaimInput> & { poor?: boolean } = {}) => {
  const { poor = false, ...claimed } = changes
  count += 1
  const wallet = walletAt(count)
  if (!poor) await fund(service.world, wallet, 10_000_000n)
  const jobId = claimed.jobId ?? (await service.addJob(`job-${count}`))
  const claim = { ...claimInput(jobId, { wallet, idempotencyKey: `${wallet}:${jobId}`, ...claimed }), runId: `run-${count}` }
  return { claim, admitted: await service.admission.admitClaim(claim) }
}

const bondInput = (admitted: AdmittedClaim) => ({ ...admitted, requestId: 'request-1' })
const claimed = async () => {
  const one = await admit()
  const bond = await service.steps.lockBond(bondInput(one.admitted))
  await service.claims.recordClaim({ ...one, bond })
  return { ...one.admitted, bond }
}
type Claimed = Awaited<ReturnType<typeof claimed>>

const submissionOf = (claim: AdmittedClaim) => ({ ...claim, requestId: 'request-2', submitNumber: 1 })
const submitted = async (submission: unknown = GOOD, claim?: Claimed): Promise<Claimed> => {
  if (claim === undefined) return submitted(submission, await claimed())
  await service.claims.admitSubmission({ ...claim, submission, requestId: 'request-2', protocol: 'http' })
  await service.claims.recordSubmission({ ...claim, protocol: 'http', ...(await service.steps.submitOnChain(submissionOf(claim))) })
  return claim
}

const judged = async (submission: unknown = GOOD, owner?: Claimed) => {
  const claim = await submitted(submission, owner)
  const evaluated = { sessionId: claim.sessionId, runId: `verify-${claim.runId}`, attempt: 1, requestedBy: 'test' }
  const result = await service.verifications.evaluateSubmission(evaluated)
  if (result.kind !== 'verdict') throw new Error('no verdict')
  return { ...claim, verdictId: result.verdictId, outcome: result.outcome }
}
type Judged = Awaited<ReturnType<typeof judged>>

const liquidOf = async (wallet: string): Promise<bigint> => (await service.reads.walletFacts(wallet as Hex)).position.liquid
const sent = async (sessionId: string, functionName: string) =>
  service.rows
    .selectFrom('chain_transaction')
    .selectAll()
    .where('sessionId', '=', sessionId)
    .where('functionName', '=', functionName)
    .orderBy('nonce')
    .execute()
const rowsOf = async (table: 'badge' | 'reputation_event', sessionId: string): Promise<number> =>
  (await service.rows.selectFrom(table).select('sessionId').where('sessionId', '=', sessionId).execute()).length

const codeOf = async (work: Promise<unknown>): Promise<string> => {
  try {
    await work
  } catch (error) {
    if (isServiceError(error)) return error.code
    throw error
  }
  throw new Error('it was not refused')
}

/** A job that stands open on chain, since the worker of its first claim could not pay the bond. */
const openOnChain = async (): Promise<string> => {
  const { admitted } = await admit({ poor: true })
  expect(await codeOf(service.steps.lockBond(bondInput(admitted)))).toBe('insufficient_liquidity')
  await service.admission.releaseClaim({ runId: admitted.runId, code: 'insufficient_liquidity' })
  return admitted.jobId
}

describe('the key of badges and receipts', () => {
  const signerOf = (readKey: () => Promise<SigningKey>) =>
    createDocumentSigner({ database: service.database, clock: service.clock, readKey })
  const retired = async () => {
    const key = await loadSigningKey(makePem(), 'old')
    const { fingerprint, jwk } = key
    const record = { kid: 'badge-0', fingerprint, x: jwk.x, y: jwk.y, validFrom: 0, retiredAt: 1 }
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
    expect(await getSession(service.rows, claim.sessionId)).toMatchObject({ status: 'submitted', workReceiptId: null, payoutTx: null })
    expect(await service.steps.settleApproval(claim)).toEqual({ status: 'resolved' })
    expect((await getSession(service.rows, claim.sessionId)).workReceiptId).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await sent(claim.sessionId, 'resolveSinglePayout')).toHaveLength(1)
  })
})

describe('a bond', () => {
  test('creates the job on chain and claims it for the worker, and a repeat gives the same bond', async () => {
    const { admitted } = await admit()
    const bond = await service.steps.lockBond(bondInput(admitted))
    expect(bond).toMatchObject({ stakeRaw: '200000', feeRaw: '50000', waived: false, brokered: true })
    expect(Date.parse(bond.claimExpiresAt) - Date.parse(bond.claimedAt)).toBe(HOUR * 1_000)
    expect(await service.steps.lockBond(bondInput(admitted))).toEqual(bond)
    expect(await sent(admitted.sessionId, 'claimJobFor')).toHaveLength(1)
  })

  test('whose outcome was not read is found again, not locked twice', async () => {
    const { admitted } = await admit({ jobId: await openOnChain() })
    const lost = service.stepsOn({ clients: brokenClients(service.clients, { receipts: true }) })
    await expect(lost.lockBond(bondInput(admitted))).rejects.toThrow('the node is away')
    const before = await liquidOf(admitted.wallet)
    await service.steps.lockBond(bondInput(admitted))
    expect(await liquidOf(admitted.wallet)).toBe(before)
    expect(await sent(admitted.sessionId, 'claimJobFor')).toHaveLength(1)
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
})

describe('a bond on a job that somebody else creates first', () => {
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

  /** Steps that are overtaken: `act` is mined after they have read the chain, just before what they send first. */
  const overtakenBy = (act: () => Promise<void>) => {
    let acted: Promise<void> | undefined
    const writers = service.clients.writers.map((writer) => ({
      ...writer,
      sendRawTransaction: async (...args: Parameters<typeof writer.sendRawTransaction>) => {
        acted ??= act()
        await acted
        return writer.sendRawTransaction(...args)
      },
    }))
    return service.stepsOn({ clients: { ...service.clients, writers } as typeof service.clients })
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
      expect([await liquidOf(admitted.wallet), await sent(admitted.sessionId, 'claimJobFor')]).toEqual([before, []])
      expect((await service.reads.escrowJob(admitted.chainJobId as Hex)).state).toBe('open')
    }
  })

  test('that the worker itself claimed past the service is not taken over', async () => {
    const { admitted } = await admit()
    await intrude(admitted, { rewardRaw: 1n })
    await service.world.run(admitted.wallet as Hex, 'escrow', 'claimJob', admitted.chainJobId as Hex)
    expect(await codeOf(service.steps.lockBond(bondInput(admitted)))).toBe(MISMATCH)
  })

  test('by the listed terms is locked on that job, also under the hands of the step', async () => {
    const { admitted } = await admit()
    const bond = await overtakenBy(() => intrude(admitted, {})).lockBond(bondInput(admitted))
    expect(bond).toMatchObject({ poster: who.poster.toLowerCase(), stakeRaw: '200000' })
    expect((await sent(admitted.sessionId, 'createSinglePayoutJob')).map(({ status }) => status)).toEqual(['reverted'])
    expect(await service.steps.lockBond(bondInput(admitted))).toEqual(bond)
  })

  test('is locked by a worker that died after the creation of the job, which is not created twice', async () => {
    const { admitted } = await admit()
    let sentOnce = 0
    const writers = service.clients.writers.map((writer) => ({
      ...writer,
      sendRawTransaction: async (...args: Parameters<typeof writer.sendRawTransaction>) => {
        sentOnce += 1
        if (sentOnce > 1) throw new Error('the node is away')
        return writer.sendRawTransaction(...args)
      },
    }))
    const dying = service.stepsOn({ clients: { ...service.clients, writers } as typeof service.clients })
    await expect(dying.lockBond(bondInput(admitted))).rejects.toThrow()
    expect(await service.steps.lockBond(bondInput(admitted))).toMatchObject({ stakeRaw: '200000' })
    expect(await sent(admitted.sessionId, 'createSinglePayoutJob')).toHaveLength(1)
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

  test('a claim is told so, and when to come back', async () => {
    const { admitted } = await admit()
    await pause(true)
    await expect(service.steps.lockBond(bondInput(admitted))).rejects.toMatchObject(createPauseRefusal('claimJobFor'))
    expect(await sent(admitted.sessionId, 'claimJobFor')).toHaveLength(0)
  })

  test('a submission is told so, and is taken after the pause', async () => {
    const claim = await claimed()
    await service.claims.admitSubmission({ ...claim, submission: GOOD, requestId: 'request-2', protocol: 'http' })
    await pause(true)
    await expect(service.steps.submitOnChain(submissionOf(claim))).rejects.toMatchObject(createPauseRefusal('submitWorkFor'))
    expect(await sent(claim.sessionId, 'submitWorkFor')).toHaveLength(0)
    await pause(false)
    expect(await service.steps.submitOnChain({ ...submissionOf(claim), submitNumber: 2 })).toMatchObject({ txHash: expect.anything() })
  })
})

describe('a submission', () => {
  test('on its way twice is one transaction', async () => {
    const claim = await claimed()
    await service.claims.admitSubmission({ ...claim, submission: GOOD, requestId: 'request-2', protocol: 'http' })
    const [first, second] = await Promise.all([1, 2].map(() => service.steps.submitOnChain(submissionOf(claim))))
    expect(second).toEqual(first)
    expect(await sent(claim.sessionId, 'submitWorkFor')).toHaveLength(1)
  })

  test('whose receipt was lost is found on chain under any later number', async () => {
    const claim = await claimed()
    await service.claims.admitSubmission({ ...claim, submission: GOOD, requestId: 'request-2', protocol: 'http' })
    const first = await service.steps.submitOnChain(submissionOf(claim))
    expect(await service.steps.submitOnChain({ ...submissionOf(claim), submitNumber: 2 })).toEqual(first)
    expect(await sent(claim.sessionId, 'submitWorkFor')).toHaveLength(1)
  })
})

describe('a submission whose claim lapses on its way to the chain', () => {
  const late = async (secondsBeforeEnd: number | null) => {
    const claim = await claimed()
    await service.claims.admitSubmission({ ...claim, submission: GOOD, requestId: 'request-2', protocol: 'http' })
    const { claimExpiresAt } = await getSession(service.rows, claim.sessionId)
    const acceptedAt = secondsBeforeEnd === null ? undefined : new Date(claimExpiresAt - secondsBeforeEnd * 1000).toISOString()
    await service.pass(HOUR + 2)
    return service.steps.submitOnChain({ ...submissionOf(claim), acceptedAt })
  }

  test.each([
    ['that came in the last moments is refused as too late, so that the claim ends as without it', 11, 'brokered_submit_expired'],
    ['that came in its very last second, too', -0.85, 'brokered_submit_expired'],
    ['that came earlier is a fault of the platform', 13, 'claim_expired'],
    ['of which nobody knows when it came, too', null, 'claim_expired'],
  ])('%s', async (_what, secondsBeforeEnd, code) => {
    expect(await codeOf(late(secondsBeforeEnd))).toBe(code)
  })
})

describe('an approval', () => {
  test('pays the worker, and badge, reputation and state are one record', async () => {
    const claim = await judged()
    const before = await liquidOf(claim.wallet)
    await service.steps.settleApproval(claim)
    const session = await getSession(service.rows, claim.sessionId)
    expect(session).toMatchObject({ status: 'resolved', chainState: 'closed' })
    // The reward less what is retained for gas, and the bond comes back.
    expect((await liquidOf(claim.wallet)) - before).toBe(2_000_000n - 50_000n + 250_000n)
    expect(session.payoutTx).toMatchObject({ status: 1, settlement: { workerAmountRaw: '1950000' } })
    expect([await rowsOf('badge', claim.sessionId), await rowsOf('reputation_event', claim.sessionId)]).toEqual([1, 1])
  })

  test.each([
    ['before the record', (database: Service['database']) => ({ database: failingDatabase(database, 1) })],
    ['before the receipt was read', () => ({ clients: brokenClients(service.clients, { receipts: true }) })],
  ])('that was cut short after the payout, %s, is recorded by the next try, and nobody is paid twice', async (_name, broken) => {
    const claim = await judged()
    const before = await liquidOf(claim.wallet)
    await expect(service.stepsOn(broken(service.database)).settleApproval(claim)).rejects.toThrow()
    expect((await getSession(service.rows, claim.sessionId)).status).toBe('submitted')
    await service.steps.settleApproval(claim)
    await service.steps.settleApproval(claim)
    expect((await liquidOf(claim.wallet)) - before).toBe(2_200_000n)
    expect(await sent(claim.sessionId, 'resolveSinglePayout')).toHaveLength(1)
    expect((await getSession(service.rows, claim.sessionId)).status).toBe('resolved')
    expect([await rowsOf('badge', claim.sessionId), await rowsOf('reputation_event', claim.sessionId)]).toEqual([1, 1])
  })

  test('from several places at once is one payout and one record', async () => {
    const claim = await judged()
    await Promise.all([1, 2, 3].map(() => service.steps.settleApproval(claim)))
    expect(await sent(claim.sessionId, 'resolveSinglePayout')).toHaveLength(1)
    expect([await rowsOf('badge', claim.sessionId), await rowsOf('reputation_event', claim.sessionId)]).toEqual([1, 1])
  })
})

describe('a claim nobody submits for', () => {
  test('gives the job back after its last second, and a repeat sees it done', async () => {
    const claim = await claimed()
    await service.pass(HOUR + 2)
    const first = await service.steps.timeoutClaim(claim)
    expect(first).toMatchObject({ result: 'expired', observedState: 'open' })
    expect(await service.steps.timeoutClaim(claim)).toMatchObject({ result: 'expired', observedState: 'open' })
    expect(await sent(claim.sessionId, 'handleClaimTimeout')).toHaveLength(1)
  })

  test('and that somebody else gave back already is recorded without a transaction', async () => {
    const claim = await claimed()
    await service.pass(HOUR + 2)
    await service.world.run(walletAt(9_999), 'escrow', 'handleClaimTimeout', claim.chainJobId)
    expect(await service.steps.timeoutClaim(claim)).toMatchObject({ result: 'expired', observedState: 'open', txHash: null })
    expect(await sent(claim.sessionId, 'handleClaimTimeout')).toEqual([])
  })

  test('and that the same worker claimed again past the service is over: its later claim is nobody’s to end here', async () => {
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
    expect(await sent(claim.sessionId, 'handleClaimTimeout')).toEqual([])
  })

  test('is not taken away while its last second runs', async () => {
    const claim = await claimed()
    await expect(service.steps.timeoutClaim(claim)).rejects.toThrow()
    expect((await service.reads.escrowJob(claim.chainJobId as Hex)).state).toBe('claimed')
  })
})

describe('a step that was cut short before it read its receipt', () => {
  const lapsed = async () => {
    const claim = await claimed()
    await service.pass(HOUR + 2)
    return { ...claim, verdictId: '' }
  }
  const giveUp = (sessionId: string) =>
    service.rows
      .updateTable('chain_transaction')
      .set({ status: 'dead' })
      .where('sessionId', '=', sessionId)
      .where('functionName', '=', 'submitWorkFor')
      .execute()

  test('finds a submission on chain that was given up as dead too early', async () => {
    const claim = await claimed()
    await service.claims.admitSubmission({ ...submissionOf(claim), submission: GOOD, protocol: 'http' })
    const landed = await service.steps.submitOnChain(submissionOf(claim))
    await giveUp(claim.sessionId)
    expect(await service.steps.submitOnChain(submissionOf(claim))).toEqual(landed)
  })

  test('hands a submission in again whose transaction can never be mined', async () => {
    const claim = await claimed()
    await service.claims.admitSubmission({ ...submissionOf(claim), submission: GOOD, protocol: 'http' })
    const before = await service.world.rpc('evm_snapshot')
    await service.steps.submitOnChain(submissionOf(claim))
    await service.world.rpc('evm_revert', before)
    const { address } = localKeys().operator
    await service.world.attemptAt(address, address, '0x')
    await giveUp(claim.sessionId)
    await service.steps.submitOnChain(submissionOf(claim))
    expect((await service.reads.escrowJob(claim.chainJobId as Hex)).state).toBe('submitted')
    expect((await sent(claim.sessionId, 'submitWorkFor')).map(({ status }) => status)).toEqual(['dead', 'mined'])
  })

  test.each([
    ['settleApproval', 'resolveSinglePayout', () => judged()],
    ['timeoutClaim', 'handleClaimTimeout', lapsed],
  ] as const)('finds its own doing on chain, and the journal hears of it: %s', async (step, functionName, prepare) => {
    const claim = await prepare()
    const cut = service.stepsOn({ clients: brokenClients(service.clients, { receipts: true }) })
    await expect(cut[step](claim)).rejects.toThrow('the node is away')
    const [{ status: left } = { status: null }] = (await sent(claim.sessionId, functionName)).slice(-1)
    expect(left).toBe('broadcast')
    await service.steps[step](claim)
    expect((await sent(claim.sessionId, functionName)).map(({ status }) => status)).toEqual(['mined'])
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

describe('a verifier that never heard that it decided', () => {
  test('decides nothing anew: one run has one verdict, in whichever of its attempts', async () => {
    const claim = await submitted()
    const attempt = (number: number) =>
      service.verifications.evaluateSubmission({ sessionId: claim.sessionId, runId: 'verify-once', attempt: number, requestedBy: 'test' })
    const [first, second] = [await attempt(1), await attempt(2)]
    expect(second).toEqual(first)
    const { verdictId } = await service.verifications.recordReviewRequired({ sessionId: claim.sessionId, runId: 'verify-once' })
    expect(first).toMatchObject({ kind: 'verdict', verdictId })
    const stored = await service.rows.selectFrom('verification').select('id').where('sessionId', '=', claim.sessionId).execute()
    expect(stored).toEqual([{ id: 'verify-once/1' }])
  })

  test('keeps who asked for it, and the address that was asked for', async () => {
    const { sessionId } = await submitted()
    const asker = { requestedBy: walletAt(9_997), metadataURI: 'https://work.example/own' }
    await service.verifications.evaluateSubmission({ sessionId, runId: 'verify-asked', attempt: 1, ...asker })
    expect(await latestVerdict(service.rows, sessionId)).toMatchObject({ verdict: asker })
  })

  test('and another run decides for itself, as long as nothing is decided', async () => {
    const { sessionId } = await submitted()
    const verifications = ['verify-a', 'verify-ab'].map((runId) => service.verifications.recordReviewRequired({ sessionId, runId }))
    expect(await Promise.all(verifications)).toEqual([{ verdictId: 'verify-a/review' }, { verdictId: 'verify-ab/review' }])
  })
})

describe('a handler that answers a word nobody knows', () => {
  test('decides a fault of the platform, never a rejection', async () => {
    const claim = await submitted()
    const usual = createVerifierHandlers(createFixtureSources()).get('benchmark') as VerifierHandler
    const judge = async (input: VerifierInput) => ({ ...(await usual.evaluate(input)), outcome: 'APPROVED' }) as unknown as Verdict
    const handlers = new Map([['benchmark', { handler: 'benchmark', evaluate: judge }]] as const)
    const verifications = createVerifications({ ...service, handlers, publicBaseUrl: 'https://work.example' })
    const evaluated = { sessionId: claim.sessionId, runId: 'verify-unknown', attempt: 1, requestedBy: 'test' }
    expect(await verifications.evaluateSubmission(evaluated)).toMatchObject({ kind: 'verdict', outcome: 'platform_fault' })
    const stored = await latestVerdict(service.rows, claim.sessionId)
    expect(stored).toMatchObject({ outcome: 'platform_fault', verdict: { outcome: 'platform_fault' } })
  })
})

const ZERO = `0x${'0'.repeat(64)}`
/** Another holder of the verifier's role decides past the service. */
const decideElsewhere = async ({ chainJobId }: Claimed, approved: boolean): Promise<Hex> => {
  const other = walletAt(9_998)
  await service.world.run(who.owner, 'policy', 'setVerifier', other, true)
  const uri = approved ? 'https://work.example/badge' : ''
  await service.world.run(other, 'escrow', 'resolveSinglePayout', chainJobId, approved, ZERO, uri, ZERO)
  return other
}

describe('a verdict that was given on chain past the service', () => {
  const observed = async (claim: Claimed): Promise<string> => {
    const { verdictId } = (await service.steps.observeVerdict(claim)) ?? { verdictId: 'none' }
    return verdictId
  }

  test('is none before it is given, nor once the session has its own', async () => {
    const claim = await submitted()
    expect(await observed(claim)).toBe('none')
    expect(await observed(await judged())).toBe('none')
    const paid = await judged()
    await service.steps.settleApproval(paid)
    expect(await observed(paid)).toBe('none')
  })

  test('is kept once, with who gave it, and pays as it says', async () => {
    const claim = await submitted()
    const other = await decideElsewhere(claim, true)
    const verdictId = await observed(claim)
    expect(await observed(claim)).toBe(verdictId)
    expect(await findVerdict(service.rows, verdictId)).toMatchObject({
      seq: 1,
      outcome: 'approved',
      handler: 'chain',
      reasonCode: 'CHAIN_VERDICT_OBSERVED',
      verdict: { verifier: other.toLowerCase(), txHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
    })
    await service.steps.settleApproval({ ...claim, verdictId })
    expect(await getSession(service.rows, claim.sessionId)).toMatchObject({ status: 'resolved', chainState: 'closed' })
    expect([await rowsOf('badge', claim.sessionId), await rowsOf('reputation_event', claim.sessionId)]).toEqual([1, 1])
    expect(await sent(claim.sessionId, 'resolveSinglePayout')).toEqual([])
  })

  test('stands also for the run that still looks for one', async () => {
    const claim = await submitted()
    await decideElsewhere(claim, true)
    const verdictId = await observed(claim)
    await service.steps.settleApproval({ ...claim, verdictId })
    const asked = { sessionId: claim.sessionId, runId: 'verify-late', attempt: 1, requestedBy: 'test' }
    expect(await service.verifications.evaluateSubmission(asked)).toMatchObject({ kind: 'verdict', verdictId })
    expect(await service.verifications.recordReviewRequired(asked)).toEqual({ verdictId })
    expect((await latestVerdict(service.rows, claim.sessionId))?.id).toBe(verdictId)
  })

  test('stands also when a verifier of our own was just finding another', async () => {
    const claim = await submitted(BAD)
    const usual = createVerifierHandlers(createFixtureSources()).get('benchmark') as VerifierHandler
    const meanwhile = async (input: VerifierInput) => {
      const found = await usual.evaluate(input)
      await decideElsewhere(claim, true)
      await service.steps.settleApproval({ ...claim, verdictId: await observed(claim) })
      return found
    }
    const handlers = new Map([['benchmark', { handler: 'benchmark', evaluate: meanwhile }]] as const)
    const verifications = createVerifications({ ...service, handlers, publicBaseUrl: 'https://work.example' })
    const asked = { sessionId: claim.sessionId, runId: 'verify-overtaken', attempt: 1, requestedBy: 'test' }
    expect(await verifications.evaluateSubmission(asked)).toMatchObject({ kind: 'verdict', outcome: 'approved' })
    expect(await latestVerdict(service.rows, claim.sessionId)).toMatchObject({ seq: 1, outcome: 'approved' })
  })

  test.each([
    ['approval', true],
    ['rejection', false],
  ] as const)('and taken away again by a fork is waited for: nobody gives the %s a second time', async (_word, approved) => {
    const claim = await submitted()
    const taken = await service.world.rpc('evm_snapshot')
    await decideElsewhere(claim, approved)
    const verdictId = await observed(claim)
    await service.world.rpc('evm_revert', taken)
    const take = approved ? service.steps.settleApproval({ ...claim, verdictId }) : service.disputes.takeVerdict({ ...claim, verdictId })
    await expect(take).rejects.toThrow('is not on chain any more')
    expect((await service.reads.escrowJob(claim.chainJobId as Hex)).state).toBe('submitted')
    expect(await sent(claim.sessionId, 'resolveSinglePayout')).toEqual([])
  })

  test('and made final there is both here after one look', async () => {
    const claim = await submitted()
    await decideElsewhere(claim, false)
    await service.pass(7 * 24 * HOUR + 2)
    await service.world.run(walletAt(9_999), 'escrow', 'finalizeRejectedJob', claim.chainJobId)
    await service.disputes.takeVerdict({ ...claim, verdictId: await observed(claim) })
    await service.disputes.reconcileWithChain(claim)
    const session = await getSession(service.rows, claim.sessionId)
    expect([session.status, session.chainState, session.timestamps.rejectionFinalizedAt === null]).toEqual(['rejected', 'closed', false])
    expect(session.statusHistory.at(-1)).toMatchObject({ from: 'submitted', reason: 'CHAIN_VERDICT_OBSERVED' })
    expect(await rowsOf('reputation_event', claim.sessionId)).toBe(1)
  })
})

// The last ones: they take nonces of the service's keys past its journal.
describe('a verdict that comes after the chain', () => {
  /** The verifier's key, past the service. */
  const rejectPast = ({ chainJobId }: Claimed) =>
    service.world.run(localKeys().verifier.address, 'escrow', 'resolveSinglePayout', chainJobId, false, ZERO, '', ZERO)

  test('that approves what another hand rejected leaves it rejected, with its window', async () => {
    const claim = await judged()
    await rejectPast(claim)
    const { rejectedAt } = await service.reads.escrowJob(claim.chainJobId as Hex)
    for (const _try of [1, 2]) expect(await service.steps.settleApproval(claim)).toEqual({ status: 'rejected' })
    const session = await getSession(service.rows, claim.sessionId)
    expect(session).toMatchObject({ status: 'rejected', timestamps: { rejectedAt, rejectionFinalizedAt: null } })
    const told = { outcome: 'rejected', reasonCode: 'CHAIN_VERDICT_OBSERVED', handler: 'chain' }
    expect(session.statusHistory.at(-1)).toMatchObject({ from: 'submitted', reason: told.reasonCode, metadata: told })
    expect([session.verificationSummary, await latestVerdict(service.rows, claim.sessionId)]).toMatchObject([told, told])
    expect(await sent(claim.sessionId, 'resolveSinglePayout')).toEqual([])
  })

  test('that approves what another verifier paid already names that one in the badge', async () => {
    const claim = await judged()
    const other = await decideElsewhere(claim, true)
    await service.steps.settleApproval(claim)
    expect(await sent(claim.sessionId, 'resolveSinglePayout')).toEqual([])
    expect((await getSession(service.rows, claim.sessionId)).status).toBe('resolved')
    const { document } = await service.rows
      .selectFrom('badge')
      .select('document')
      .where('sessionId', '=', claim.sessionId)
      .executeTakeFirstOrThrow()
    const signer = { role: 'verifier', wallet: other.toLowerCase() }
    expect(document).toMatchObject({ service: { verifier: signer.wallet }, signers: [{}, {}, signer] })
  })

  test('and made final is final here too, and nobody is paid', async () => {
    const claim = await judged()
    await rejectPast(claim)
    await service.pass(7 * 24 * HOUR + 2)
    await service.world.run(walletAt(9_999), 'escrow', 'finalizeRejectedJob', claim.chainJobId)
    const before = await liquidOf(claim.wallet)
    expect(await service.steps.settleApproval(claim)).toEqual({ status: 'rejected' })
    await service.disputes.applyTimeout(claim)
    const { status, chainState, timestamps } = await getSession(service.rows, claim.sessionId)
    expect([status, chainState, timestamps.rejectionFinalizedAt === null]).toEqual(['rejected', 'closed', false])
    expect(await liquidOf(claim.wallet)).toBe(before)
  })

  /** A submission that a fork took away after it was judged. */
  const forked = async (submission: unknown) => {
    const owner = await claimed()
    const taken = await service.world.rpc('evm_snapshot')
    const claim = await judged(submission, owner)
    await service.world.rpc('evm_revert', taken)
    // The nonce of the transaction that is gone, for whoever comes later.
    const { address } = localKeys().operator
    await service.world.attemptAt(address, address, '0x')
    return claim
  }

  const SETTLE = {
    approves: (claim: Judged): Promise<unknown> => service.steps.settleApproval(claim),
    rejects: (claim: Judged): Promise<unknown> => service.disputes.takeVerdict(claim),
  }
  test.each([
    ['approves', GOOD],
    ['rejects', BAD],
  ] as const)('that %s what a fork took away waits for it until its claim has lapsed, and then ends it as diverged', async (word, work) => {
    const settle = SETTLE[word]
    const claim = await forked(work)
    await expect(settle(claim)).rejects.toThrow('the escrow job is claimed')
    expect((await getSession(service.rows, claim.sessionId)).status).toBe('submitted')
    await service.pass(HOUR + 2)
    const before = await service.reads.walletFacts(claim.wallet as Hex)
    for (const _try of [1, 2]) await settle(claim)
    expect(await getSession(service.rows, claim.sessionId)).toMatchObject({
      status: 'chain_state_diverged',
      chainState: 'claimed',
      chainStateDivergence: { expected: 'submitted', observed: 'claimed' },
    })
    expect(await service.reads.walletFacts(claim.wallet as Hex)).toEqual(before)
    expect(await sent(claim.sessionId, 'resolveSinglePayout')).toEqual([])
  })
})

test('a stranger can check every receipt and badge of the settlements above', async () => {
  const ends = await verifyEveryDocument(service)
  for (const end of ['resolved verifier approved approved', 'rejected verifier rejected rejected']) expect(ends).toContain(end)
})
