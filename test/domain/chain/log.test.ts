import { describe, expect, test } from '@jest/globals'
import type { Abi } from 'viem'
import { agentAccountCoreAbi } from '../../../activities/chain/abi/agent-account-core.ts'
import { creditPoolAbi } from '../../../activities/chain/abi/credit-pool.ts'
import { depositPoolAbi } from '../../../activities/chain/abi/deposit-pool.ts'
import { type ChainLogRecord, jobsOfLogs, partiesOf, plainArgs } from '../../../domain/chain/log.ts'
import { type ChainContract, chainTopicOf } from '../../../domain/chain/topics.ts'
import { CHAIN_TOPICS } from '../../../domain/events/topics.ts'

const JOB = `0x${'1'.repeat(64)}`
const OTHER_JOB = `0x${'2'.repeat(64)}`
const WORKER = `0x${'aB'.repeat(20)}`

const log = (changes: Partial<ChainLogRecord> = {}): ChainLogRecord => ({
  txHash: '0xa',
  logIndex: 0,
  blockNumber: 7n,
  blockHash: '0xb',
  blockTime: 0,
  address: '0xc',
  contract: 'escrow',
  event: 'JobClaimed',
  args: { jobId: JOB },
  ...changes,
})

describe('arguments of an event', () => {
  test('become digit strings and lower-case addresses, however deep they stand', () => {
    const max = 2n ** 256n - 1n
    const [worker, plain] = [WORKER.toLowerCase(), { ok: true, text: 'As It Is', none: null }]
    const args = { max, mode: 1, worker: WORKER, list: [2n, { inner: WORKER }], ...plain }
    expect(plainArgs(args)).toEqual({ max: max.toString(), mode: '1', worker, list: ['2', { inner: worker }], ...plain })
  })

  test('name parties once, and neither assets nor treasuries', () => {
    const worker = WORKER.toLowerCase()
    expect(partiesOf({ worker, opener: worker, asset: `0x${'1'.repeat(40)}`, treasuryAccount: `0x${'2'.repeat(40)}`, jobId: JOB })).toEqual(
      [worker],
    )
  })
})

describe('the job of an event', () => {
  test('is its argument, else the only job of its transaction', () => {
    const stake = log({ contract: 'accounts', event: 'JobStakeLocked', args: { account: WORKER } })
    expect(jobsOfLogs([stake, log(), log({ txHash: '0xd', contract: 'accounts', args: {} })])).toEqual([JOB, JOB, null])
  })

  test('is unknown when the transaction touched two', () => {
    const stake = log({ contract: 'accounts', event: 'JobStakeLocked', args: {} })
    expect(jobsOfLogs([log(), log({ args: { jobId: OTHER_JOB } }), stake])).toEqual([JOB, OTHER_JOB, null])
  })

  test('is not taken from an argument of that name of another contract', () => {
    expect(jobsOfLogs([log({ contract: 'token', args: { jobId: JOB } })])).toEqual([null])
  })
})

describe('topics of the chain', () => {
  test('belong to the contract that emits the event', () => {
    expect(chainTopicOf('escrow', 'DisputeOpened')).toBe('escrow.dispute_opened')
    expect(chainTopicOf('reputation', 'BadgeMinted')).toBe('reputation.badge_minted')
    expect(chainTopicOf('token', 'DisputeOpened')).toBeNull()
    expect(chainTopicOf('escrow', 'Submitted')).toBeNull()
  })

  // The escrow announces the claims, payments and reserves behind these events of the accounts; the others move no balance.
  const ACCOUNTS = [
    ...['EscrowOperatorUpdated', 'RecurringTemplateReserveCancelled', 'ReservationReleased', 'ReservationSettled', 'Reserved'],
    ...['SendToAgentAuthorizationUsed', 'TreasuryAccountUpdated', 'TreasuryCredited'],
  ]
  // A transfer of shares is a deposit or a withdrawal; a fulfilled request pays by a withdrawal; the rest is between pool and venue.
  const CREDIT = ['Approval', 'OperatorPrincipalContributed', 'RedeemFulfilled', 'Transfer']
  const VENUE = ['DeploymentCreated', 'DeploymentSettled', 'PrincipalReturned', 'RecallRequested', 'RecallSettled'].map(
    (name) => `Venue${name}`,
  )
  test.each<[ChainContract, Abi, string[]]>([
    ['accounts', agentAccountCoreAbi, ACCOUNTS],
    ['pool', depositPoolAbi, [...CREDIT, ...VENUE]],
    ['credit', creditPoolAbi, CREDIT],
  ])('of %s name every event but these', (contract, abi, recordedOnly) => {
    const events = abi.flatMap((item) => (item.type === 'event' ? [item.name] : []))
    expect(events.filter((event) => chainTopicOf(contract, event) === null).sort()).toEqual(recordedOnly)
  })

  test('warn of what costs money, and log all others as information', () => {
    const loud = Object.entries(CHAIN_TOPICS).flatMap(([topic, { severity }]) => (severity === 'info' ? [] : [`${topic} ${severity}`]))
    expect(loud.sort()).toEqual([
      'account.claim_fee_slashed warn',
      'account.job_stake_slashed warn',
      'credit.pledge_seized warn',
      'escrow.dispute_opened warn',
      'escrow.job_rejected error',
      'pool.shares_seized warn',
      'pool.venue_loss_written_off warn',
      'reputation.slashed warn',
    ])
  })
})
