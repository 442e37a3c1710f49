// Proof-gated escrow on a whole stack: the money of each end, to the base unit.
import { describe, expect, test } from '@jest/globals'
import { checkRecord } from '../../../examples/verify-record/check.ts'
import { moveTime } from '../../../local/time/move.ts'
import { bookMoves } from '../../e2e/support/balances.ts'
import { decide, openDispute } from '../../e2e/support/disputes.ts'
import type { Reply } from '../../e2e/support/http.ts'
import { encode, leaves, sessionOf } from '../../e2e/support/jobs.ts'
import { serviceNow } from '../../e2e/support/time.ts'
import { useWorld } from '../../e2e/support/world.ts'
import { eventually } from '../../support/eventually.ts'
import { machineProbe, reportSkipped } from '../../support/sandbox/runner.ts'
import { type Agreement, agreementOf, claimed, definitionFor, drafted, fund, submitted, useArtefacts } from './escrows.ts'

const env: Record<string, string> = {}
const artefacts = useArtefacts(env)
const world = useWorld({ env })
const DAY = 86_400
const HOUR = 3_600

const HONEST = { 'src/sum.js': 'export const sum = (a, b) => a + b\n' }
const WRONG = { 'src/sum.js': 'export const sum = (a, b) => a * b\n' }
const EDITED_TEST = { ...HONEST, 'test/sum.test.js': "import test from 'node:test'\ntest('zero is neutral', () => undefined)\n" }

const pass = async (seconds: number, { poster, worker }: Agreement): Promise<void> => {
  await moveTime(world().info, { plusSeconds: seconds })
  for (const agent of [poster, worker, world().admin, world().verifier]) await agent.signInAgain()
}
const work = (agreement: Agreement, changes: Record<string, string>, isServed = true) =>
  artefacts().work(changes, agreement.worker.account.address, isServed)

/** Claims and submits; the session once the verifier, or a later act, has ended its state. */
const judged = async (agreement: Agreement, changes: Record<string, string>): Promise<string> => {
  const { sessionId } = await claimed(world(), agreement)
  await submitted(world(), agreement, sessionId, work(agreement, changes))
  await leaves(agreement.worker, sessionId, 'submitted')
  return sessionId
}
const ends = (agreement: Agreement, sessionId: string, status: string) =>
  eventually(
    `${sessionId} is ${status}`,
    () => sessionOf(agreement.worker, sessionId),
    (session) => session.status === status,
  )
const finalised = (agreement: Agreement, sessionId: string) =>
  eventually(
    `the rejection of ${sessionId} is final`,
    () => sessionOf(agreement.worker, sessionId),
    ({ disputableUntil, status, timestamps }) =>
      status === 'rejected' && (timestamps?.rejectionFinalizedAt != null || disputableUntil === undefined),
  )

/** The receipt of a session, checked with the public verifier against the keys of the service. */
const receiptOf = async ({ worker }: Agreement, sessionId: string): Promise<Reply['body']> => {
  const { receipts } = await worker.get('/receipts?limit=100')
  const { receiptId } = receipts.find((one: Reply['body']) => one.sessionId === sessionId)
  const receipt = await worker.get(`/receipts/${receiptId}`)
  const { body: keySet } = await world().call('/.well-known/jwks.json')
  expect(await checkRecord(receipt, { keySet, heads: [], chainId: null, now: serviceNow(world()), unpublished: false })).toMatchObject({
    kind: 'work receipt',
  })
  return receipt
}
const JUDGED_BY = {
  ...{ profile: 'verification_profile', profileRef: 'git-patch-tests-v1@1' },
  ...{ profileDigest: expect.stringMatching(/^0x[0-9a-f]{64}$/), contractDigest: expect.stringMatching(/^0x[0-9a-f]{64}$/) },
}

/** What the poster of a job gets back once its escrow is open again. */
const cancelled = async ({ poster, jobId }: Agreement): Promise<void> => {
  const { templates } = await poster.post(`/poster/jobs/${jobId}/cancel/transactions`, {})
  for (const { to, data } of templates) await world().view.send(poster.account, { to, data })
  await eventually(
    `${jobId} is cancelled`,
    () => poster.get('/poster/jobs'),
    ({ jobs }) => jobs[0].status === 'cancelled',
  )
}

type Row = readonly [name: string, play: (agreement: Agreement) => Promise<void>, money: object]

/** A bond of 0.48: half of its stake of 0.4 to the poster, of its fee of 0.08 seven tenths to the verifier, the rest to the treasury. */
const SLASHED = {
  poster: { all: 200_000n },
  treasury: { liquid: 224_000n },
  verifier: { tokens: 56_000n },
  worker: { liquid: -480_000n },
}

const ROWS: readonly Row[] = [
  [
    'a passing patch is paid in full, and the poster pays its fee',
    async (agreement) => {
      const sessionId = await judged(agreement, HONEST)
      expect(await sessionOf(agreement.worker, sessionId)).toMatchObject({
        status: 'resolved',
        verificationSummary: { reasonCode: 'VERIFICATION_PROFILE_PASSED' },
      })
      expect((await receiptOf(agreement, sessionId)).verifier).toMatchObject({ ...JUDGED_BY, mode: 'deterministic' })
      expect((await agreement.worker.get(`/badges/${encode(sessionId)}`)).service.verifierMode).toBe('deterministic')
    },
    { poster: { all: -4_200_000n }, treasury: { liquid: 200_000n }, worker: { liquid: 4_000_000n } },
  ],
  [
    'a failing patch is rejected, and its bond is lost when the dispute window ends',
    async (agreement) => {
      const sessionId = await judged(agreement, WRONG)
      expect(await sessionOf(agreement.worker, sessionId)).toMatchObject({
        status: 'rejected',
        verificationSummary: { reasonCode: 'VERIFICATION_PROFILE_FAILED' },
      })
      await pass(7 * DAY + HOUR, agreement)
      await finalised(agreement, sessionId)
      expect(await receiptOf(agreement, sessionId)).toMatchObject({ verifier: JUDGED_BY, verdict: { outcome: 'rejected' } })
    },
    SLASHED,
  ],
  [
    'a patch that edits a test breaks a rule, and no dismissal pays it without a passing run',
    async (agreement) => {
      const sessionId = await judged(agreement, EDITED_TEST)
      const session = await sessionOf(agreement.worker, sessionId)
      expect(session).toMatchObject({ status: 'rejected', verificationSummary: { reasonCode: 'VERIFICATION_PROFILE_POLICY_VIOLATION' } })
      await openDispute(world(), agreement.worker.account, session)
      await ends(agreement, sessionId, 'disputed')
      const refused = await decide(world().admin, { session }, { verdict: 'dismissed' }, 409)
      expect(refused).toMatchObject({
        code: 'dispute_proof_required',
        details: { outcome: 'rejected', reasonCode: 'VERIFICATION_PROFILE_POLICY_VIOLATION' },
      })
      await decide(world().admin, { session }, { verdict: 'upheld' })
      await ends(agreement, sessionId, 'rejected')
    },
    SLASHED,
  ],
  [
    'a patch without a result runs again for fourteen days; then the bond and all but one base unit return',
    async (agreement) => {
      const { sessionId } = await claimed(world(), agreement)
      await submitted(world(), agreement, sessionId, work(agreement, { 'src/sum.js': '// gone\n' }, false))
      await pass(13 * DAY, agreement)
      expect(await sessionOf(agreement.worker, sessionId)).toMatchObject({ status: 'submitted' })
      await eventually(
        'the profile runs again',
        async () => artefacts().misses(),
        (misses) => misses > 1,
      )
      await pass(DAY + HOUR, agreement)
      await world().verifier.call('/verifier/run', { method: 'POST', body: { sessionId } })
      const session = await ends(agreement, sessionId, 'resolved')
      expect(session).toMatchObject({ verificationSummary: { reasonCode: 'VERIFICATION_PROFILE_WITHOUT_RESULT' } })
      expect(await receiptOf(agreement, sessionId)).toMatchObject({
        verifier: JUDGED_BY,
        resolution: { kind: 'timeout', verdict: 'split' },
      })
    },
    { poster: { all: -1n }, worker: { liquid: 1n } },
  ],
  [
    'a claimant that never submits loses its bond, and the poster takes its money back',
    async (agreement) => {
      const { sessionId } = await claimed(world(), agreement)
      await pass(2 * HOUR, agreement)
      await ends(agreement, sessionId, 'expired')
      await cancelled(agreement)
    },
    { poster: { all: 200_000n }, treasury: { liquid: 280_000n }, worker: { liquid: -480_000n } },
  ],
  [
    'a poster that cancels gets everything back',
    async (agreement) => {
      await pass(2 * HOUR, agreement)
      await cancelled(agreement)
    },
    {},
  ],
]

if (!machineProbe.ok) reportSkipped(ROWS.length + 2)
const inSandbox = machineProbe.ok ? describe : describe.skip

inSandbox('an escrow that opens on proof', () => {
  test.each(ROWS)(
    '%s',
    async (_name, play, money) => {
      const agreement = await agreementOf(world(), artefacts().inputs)
      const { poster, worker, draft, jobId } = agreement
      expect(draft.definition.verifierConfig.contract).toMatchObject({ targetedTests: 3, regressionTests: 1 })
      const subject = { worker: worker.account.address, poster: poster.account.address, jobId }
      const found = await bookMoves(world(), subject, async () => {
        await fund(world(), poster, draft)
        await play(agreement)
      })
      expect(found).toEqual({ money, retained: 0n })
    },
    240_000,
  )

  test('is closed to every other wallet, and its rows do not name the worker', async () => {
    const agreement = await agreementOf(world(), artefacts().inputs)
    await fund(world(), agreement.poster, agreement.draft)
    const { jobId, worker } = agreement
    const stranger = await world().agent()
    expect(await stranger.post('/jobs/claim', { jobId }, 409)).toMatchObject({ code: 'designated_claimants_only' })
    const listed = (await stranger.get('/jobs?format=compact&limit=100')).jobs.find(({ id }: { id: string }) => id === jobId)
    expect(JSON.stringify(listed ?? {}).toLowerCase()).not.toContain(worker.account.address.toLowerCase())
    const definition = await stranger.get(`/jobs/definition?jobId=${jobId}`)
    expect(definition).toMatchObject({ claimState: 'restricted' })
    expect(JSON.stringify(definition).toLowerCase()).not.toContain(worker.account.address.toLowerCase())
    await pass(2 * HOUR, agreement)
    await cancelled(agreement)
  }, 240_000)

  test('is not drafted beyond the agreements that may be in progress, and takes the place of one that has ended', async () => {
    const agreements: Agreement[] = []
    for (let count = 0; count < 5; count += 1) {
      const agreement = await agreementOf(world(), artefacts().inputs)
      await fund(world(), agreement.poster, agreement.draft)
      agreements.push(agreement)
    }
    const [first] = agreements
    if (first === undefined) throw new Error('no agreement')
    const { poster, worker, jobId } = first
    const subject = { worker: worker.account.address, poster: poster.account.address, jobId }
    const definition = definitionFor(worker, artefacts().inputs)
    const { money } = await bookMoves(world(), subject, async () => {
      expect((await drafted(poster, definition)).body).toMatchObject({ code: 'designated_agreement_concurrent_cap_reached' })
    })
    expect(money).toEqual({})
    await judged(first, HONEST)
    await eventually(
      'the place is free',
      () => drafted(poster, definition),
      ({ status }) => status === 201,
    )
  }, 400_000)
})
