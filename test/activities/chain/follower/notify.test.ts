// Which processes the events of the chain wake, on a real database; the engine records what it was sent.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals'
import { type Client, WorkflowNotFoundError } from '@temporalio/client'
import { sql } from 'kysely'
import { createWorkflowNotifier } from '../../../../activities/chain/follower/notify.ts'
import { createMessageSender } from '../../../../activities/temporal/send.ts'
import type { ChainContract } from '../../../../domain/chain/topics.ts'
import { testChain } from '../../../support/api.ts'
import { claimInput } from '../../../workflows/support/claim-input.ts'
import { movesProcess, subscribers } from '../../support/chain-events.ts'
import { bondAt, type Records, startRecords } from '../../support/service.ts'

const { chainId } = testChain
const ME = `0x${'1'.repeat(40)}`
const OTHER = `0x${'2'.repeat(40)}`
const hash = (number: number): string => `0x${number.toString(16).padStart(64, '0')}`
const OWN = hash(0xffff)

let records: Records
let claim: { jobId: string; sessionId: string; chainJobId: string }
/** Signals that the engine accepted, as `<workflow id> <signal>`, with a plus if the process is started when it does not run. */
let sent: string[] = []
let refused: string | null = null
let payloads: unknown[] = []

const accept = (line: string, args: unknown[]): void => {
  if (refused !== null && line.includes(refused)) throw new Error('the engine is down')
  sent.push(line)
  payloads.push(...args)
}
const send = createMessageSender({
  workflow: {
    getHandle: (workflowId: string) => ({
      signal: async ({ name }: { name: string }, ...args: unknown[]) => {
        if (workflowId.endsWith('lost')) throw new WorkflowNotFoundError('lost', workflowId, undefined)
        accept(`${workflowId} ${name}`, args)
      },
    }),
    signalWithStart: async (type: string, { workflowId, signal }: { workflowId: string; signal: { name: string } }) =>
      accept(`+${workflowId} ${signal.name} (${type})`, []),
  },
} as unknown as Client)

beforeAll(async () => {
  records = await startRecords()
  const input = { ...claimInput(await records.addJob('notified')), runId: 'run-1' }
  const admitted = await records.admission.admitClaim(input)
  await records.claims.recordClaim({ claim: input, admitted, bond: bondAt(records.clock.now()) })
  claim = admitted
  await records.database.transaction(async (rows) => {
    // Rows without those they belong to.
    await sql`alter table session drop constraint settled_has_receipt`.execute(rows)
    await sql`set local session_replication_role = replica`.execute(rows)
    await sql`insert into chain_signature (tx_hash, intent_key, number, raw_transaction, signed_at) values (${OWN}, 'own', 0, '0x', now())`.execute(
      rows,
    )
    for (const id of ['b', 'a'])
      await sql`insert into locked_deposit (id, wallet, tier, amount_raw, wallet_cap_raw, cohort_cap_raw, locked_at, term_days, expires_at, status, public_profile_opt_in, request_id)
        values (${id}, ${ME}, 't30', 1, 1, 1, now(), 30, now() + interval '30 days', 'active', false, 'r')`.execute(rows)
    await sql`insert into idle_consent (terms_hash, wallet, request_id, consented_at, expires_at)
      values ('terms', ${ME}, 'r', now(), now() + interval '90 days')`.execute(rows)
  })
})
afterAll(() => records.stop())
beforeEach(async () => {
  sent = []
  payloads = []
  refused = null
  await records.rows.deleteFrom('chain_event').execute()
})

let logs = 0
interface Given {
  args?: Record<string, unknown>
  chainJobId?: string
  own?: boolean
  revision?: number
}
/** An event that the follower has recorded. */
const record = async (contract: ChainContract, event: string, { args = {}, chainJobId, own = false, revision = 1 }: Given = {}) => {
  logs += 1
  await records.rows
    .insertInto('chain_event')
    .values({
      chainId,
      txHash: own ? OWN : hash(logs),
      logIndex: logs,
      blockNumber: BigInt(logs),
      blockHash: hash(logs),
      blockTime: records.clock.now(),
      address: OTHER,
      contract,
      event,
      args,
      chainJobId: chainJobId ?? null,
      movesProcess: movesProcess(contract, event),
      seenAt: records.clock.now(),
      removedAt: null,
      revision,
      notifiedRevision: 0,
    })
    .execute()
}
const notify = () => createWorkflowNotifier({ send, database: records.database, chainId, subscribers })()
const pending = async (): Promise<string[]> => {
  const found = await records.rows.selectFrom('chain_event').selectAll().where('movesProcess', '=', true).orderBy('blockNumber').execute()
  return found.filter(({ revision, notifiedRevision }) => notifiedRevision < revision).map(({ event }) => event)
}
const setStatus = (status: string) => sql`update session set status = ${status} where session_id = ${claim.sessionId}`.execute(records.rows)

describe('an event', () => {
  test('of a job wakes its claim, unless this service sent the transaction, and its dispute', async () => {
    const { chainJobId, jobId, sessionId } = claim
    await record('escrow', 'JobClosed', { chainJobId })
    await setStatus('submitted')
    await notify()
    expect(sent).toEqual([`claim/${jobId} chainMoved`, `dispute/${sessionId} chainMoved`])
    const change = { chainJobId, event: 'JobClosed', txHash: hash(logs), blockNumber: String(logs), logIndex: logs }
    expect(payloads).toEqual([change, change])
  })

  test.each([
    ['claimed', ['claim']],
    ['submitted', ['claim', 'dispute']],
    ['rejected', ['dispute']],
    ['disputed', ['dispute']],
    ['expired', []],
  ])('of a job whose session is %s wakes the processes %p', async (status, woken) => {
    await setStatus(status)
    await record('escrow', 'DisputeOpened', { chainJobId: claim.chainJobId })
    await record('escrow', 'DisputeOpened', { chainJobId: hash(7) })
    await notify()
    expect(sent.map((line) => line.split('/')[0])).toEqual(woken)
  })

  test('of a job whose rejection is final wakes nothing', async () => {
    await setStatus('rejected')
    const finalized = (at: string | null) =>
      sql`update session set rejection_finalized_at = ${at} where session_id = ${claim.sessionId}`.execute(records.rows)
    await finalized('2026-01-01T00:00:00Z')
    await record('escrow', 'DisputeOpened', { chainJobId: claim.chainJobId })
    await notify()
    await finalized(null)
    expect(sent).toEqual([])
  })

  test('that this service caused wakes the dispute only if it is no routine, or a fork changed it', async () => {
    const { chainJobId, sessionId } = claim
    await setStatus('submitted')
    for (const event of ['WorkSubmitted', 'JobClaimed']) await record('escrow', event, { chainJobId, own: true })
    await notify()
    expect(sent).toEqual([])
    await record('escrow', 'JobRejected', { chainJobId, own: true })
    await record('escrow', 'WorkSubmitted', { chainJobId, own: true, revision: 2 })
    await notify()
    expect(sent).toEqual([`dispute/${sessionId} chainMoved`, `dispute/${sessionId} chainMoved`])
  })

  test('of the pools wakes the vesting of the wallet, also of a loan that names none', async () => {
    await record('pool', 'Deposit', { args: { owner: ME } })
    await record('credit', 'LoanOriginated', { args: { loanId: '7', borrower: OTHER } })
    await record('credit', 'LoanClosed', { args: { loanId: '7' } })
    await record('credit', 'LoanClosed', { args: { loanId: '8' } })
    await notify()
    expect(sent).toEqual([ME, OTHER, OTHER].map((wallet) => `+vesting/${wallet} depositsMoved (principalVesting)`))
    expect(await pending()).toEqual([])
  })

  test('of an account wakes its active locks and its allocation', async () => {
    await record('accounts', 'Withdrawn', { args: { account: ME } })
    await record('accounts', 'AgentTransfer', { args: { from: OTHER, to: ME } })
    await notify()
    const allocation = `+idle-allocation/${ME} idleBalanceMoved (idleAllocation)`
    const locks = ['a', 'b'].map((id) => `+locked-deposit/${id} balanceMoved (lockedDeposit)`)
    expect(sent).toEqual([allocation, ...locks, allocation])
  })

  test('of a cross-chain request wakes it, unless this service set its status', async () => {
    await record('xcm', 'RequestQueued', { args: { requestId: 'r1' }, own: true })
    await record('xcm', 'RequestStatusUpdated', { args: { requestId: 'r2' } })
    await record('xcm', 'RequestStatusUpdated', { args: { requestId: 'r3' }, own: true })
    await notify()
    expect(sent).toEqual(['r1', 'r2'].map((id) => `+xcm/${id} requestChanged (crossChainRequest)`))
    expect(await pending()).toEqual([])
  })

  test('that no subject wants wakes nothing', async () => {
    await record('escrow', 'ClaimEconomicsLocked', { chainJobId: claim.chainJobId })
    await record('credit', 'Deposit', { args: { owner: ME } })
    expect([await notify(), sent]).toEqual([0, []])
  })
})

describe('a round', () => {
  const queue = (id: string) => record('xcm', 'RequestQueued', { args: { requestId: id } })

  test('takes the oldest hundred, in the order of the chain', async () => {
    for (let number = 1; number <= 101; number += 1) await queue(`q${number}`)
    expect(await notify()).toBe(100)
    expect(sent.map((line) => Number(/q(\d+)/.exec(line)?.[1]))).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
    expect([await notify(), await notify()]).toEqual([1, 0])
  })

  test('that the engine refuses leaves the event and all later ones pending, and sends them again', async () => {
    for (const id of ['first', 'second', 'third']) await queue(id)
    refused = 'second'
    await expect(notify()).rejects.toThrow('the engine is down')
    expect(await pending()).toHaveLength(2)
    refused = null
    await notify()
    expect(sent.map((line) => /xcm\/(\w+)/.exec(line)?.[1])).toEqual(['first', 'second', 'third'])
  })

  test('sends nothing and marks nothing when a subscriber fails', async () => {
    await queue('kept')
    const failing = { events: { xcm: ['RequestQueued'] }, findWakes: () => Promise.reject(new Error('the records are away')) }
    const parts = { send, database: records.database, chainId, subscribers: [...subscribers, failing] }
    await expect(createWorkflowNotifier(parts)()).rejects.toThrow('the records are away')
    expect([sent, await pending()]).toEqual([[], ['RequestQueued']])
  })
})
