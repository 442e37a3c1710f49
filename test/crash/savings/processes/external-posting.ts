import type { PostingActivities } from '../../../../schemas/postings/process.ts'
import { selector } from '../../points/places.ts'
import { openPosting, POSTER_RAW, unlisted, worked } from '../posted-work.ts'
import { event, type OutsideEffect, type ProcessRow, type Scenario } from '../scenario.ts'
import type { Stage } from '../stage.ts'

/** A draft that its poster funds and, later, cancels. */
const cancelled = async (stage: Stage): Promise<Scenario> => {
  const { jobId, draft, askForFunding, fund, cancel, readEnd } = await openPosting(stage)
  return {
    key: jobId,
    acts: {
      draft,
      askForFunding,
      fund,
      passTerms: async () => {
        await stage.passTerms()
        await cancel()
      },
    },
    readEnd,
  }
}

const during = (act: string) => ({ scenario: 'cancelled', act })
const request = (act: string, effect: OutsideEffect['effect'], name?: string): OutsideEffect => ({
  ...during(act),
  ...(name !== undefined && { name }),
  in: 'api',
  effect,
})
/** The follower wakes the process of a posting, or starts it, for the first time in an act. */
const notice = (scenario: string, act: string): OutsideEffect => ({
  ...{ scenario, act, in: 'worker' },
  effect: { on: 'engine', call: '/SignalWithStartWorkflowExecution$', of: ['posting/'] },
})

/** A transaction that frees the escrow of a job that is not listed. */
const freed = (act: string, name: Parameters<typeof selector>[0]) => ({
  ...{ scenario: 'unlisted', act },
  record: { call: '^update "chain_transaction"', of: ['mined'], isAlone: true },
  transaction: [selector(name)],
})

export const externalPosting: ProcessRow<PostingActivities> = {
  scenarios: {
    cancelled: {
      create: cancelled,
      leaves: {
        process: 'COMPLETED',
        transactions: [],
        posting: { status: 'cancelled', attemptCount: 1, funding: true, refund: true, fundingReceipt: true },
        demands: ['quoted'],
        listed: ['poster_cancelled'],
        money: { account: [String(POSTER_RAW), '0', '0', '0', '0', '0'] },
      },
    },
    silent: {
      create: (stage) => worked(stage, { asksAgain: false }),
      leaves: { process: 'COMPLETED', posting: { status: 'settled', attemptCount: 1, funding: true }, listed: [null] },
    },
    unlisted: {
      create: unlisted,
      leaves: { process: 'COMPLETED', posting: { status: 'mismatch', funding: true, refund: true }, listed: [] },
    },
  },
  steps: {
    freeEscrow: [
      { name: 'rejection', ...freed('work', 'resolveSinglePayout') },
      { name: 'end', ...freed('passTerms', 'finalizeRejectedJob') },
    ],
    reconcilePosting: [
      { name: 'listing', ...during('fund'), record: event('posting.funded') },
      { name: 'refund', ...during('passTerms'), record: event('posting.refunded') },
      { name: 'payment', scenario: 'silent', act: 'submit', record: event('posting.settled') },
    ],
    bringClaimHome: [
      { scenario: 'silent', act: 'claim', record: { on: 'engine', call: '/StartWorkflowExecution$', of: ['claim/'] }, result: ['true'] },
    ],
  },
  outside: {
    draftJob: [request('draft', { call: '^insert into "posting"', of: [] })],
    buildPostJobTransactions: [
      request('askForFunding', { call: '^update "posting"', of: [] }),
      request('askForFunding', { on: 'engine', call: '/StartWorkflowExecution$', of: ['posting/'] }, 'start'),
    ],
    buildCancelTransactions: [request('passTerms', { on: 'rpc', call: 'eth_simulateV1', of: [] })],
    JobCreated: [notice('cancelled', 'fund')],
    JobCancelled: [notice('cancelled', 'passTerms')],
    JobClaimed: [notice('silent', 'claim')],
    WorkSubmitted: [notice('silent', 'submit')],
  },
}
