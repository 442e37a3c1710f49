import type { ClaimChainActivities, ClaimSettlementActivities, ClaimSiblingActivities } from '../../../../schemas/claims/process.ts'
import { selector } from '../../points/places.ts'
import type { Print } from '../../prints/print.ts'
import { POSTER_RAW, WORKER_RAW, worked } from '../posted-work.ts'
import { type Effect, event, type OutsideEffect, type ProcessRow } from '../scenario.ts'

type Steps = Pick<ClaimChainActivities, 'claimJob' | 'bringSubmissionHome'> &
  Pick<ClaimSettlementActivities, 'settleApproval'> &
  Pick<ClaimSiblingActivities, 'startVerifier'>

const REWARD_RAW = 1_000_000n
/** 5 % of the reward, at least this much. */
const FEE_RAW = 50_000n

const ON_CHAIN = [
  ...['Reserved', 'JobFunded', 'JobCreated'],
  ...['JobStakeLocked', 'JobClaimed', 'ClaimRetentionSnapshot', 'ClaimEconomicsLocked'],
  ...['WorkSubmitted', 'Submitted'],
  ...['Verified', 'JobStakeReleased', 'ReservationSettled', 'ReservationSettled', 'SettlementSplit', 'BadgeMinted', 'ReputationUpdated'],
  'JobClosed',
]

const leaves: Print = {
  process: 'COMPLETED',
  verification: 'COMPLETED',
  'outcome of the claim': 'resolved',
  transactions: [['resolveSinglePayout', 'mined']],
  posting: { status: 'settled' },
  sessions: [{ status: 'resolved', chainState: 'closed', brokered: false, countsAsAttempt: true, attempt: 1 }],
  intents: [['recorded', 1, null, '1000000', '150000']],
  verdicts: [[1, 'approved', 'BENCHMARK_THRESHOLD_MET', 100]],
  receipts: ['approved'],
  badges: [['coding', 1]],
  // The work is with the session, and kept nowhere else.
  offers: [1, 0],
  // One claim, one submission, one payment.
  'events on chain': ON_CHAIN,
  money: { account: [String(POSTER_RAW - REWARD_RAW - FEE_RAW), '0', '0', '0', '0', '0'] },
  worker: { process: 'COMPLETED', money: { account: [String(WORKER_RAW + REWARD_RAW), '0', '0', '0', '0', '0'] } },
}

const inBoth = (effect: (scenario: 'silent' | 'asking') => Effect): readonly [Effect, ...Effect[]] => [effect('silent'), effect('asking')]
const nameIn = (scenario: string, name = ''): string => (scenario === 'silent' ? name : `${name}${name && '-'}asked`)

const request = (act: string, name: string, effect: OutsideEffect['effect'], aheadOf?: string): OutsideEffect => ({
  ...{ scenario: 'asking', act, name, in: 'api', effect },
  ...(aheadOf !== undefined && { aheadOf }),
})
const UPDATE = { on: 'engine', call: '/UpdateWorkflowExecution$', of: ['claim/', 'submit/'] } as const
const BIND = { call: '^insert into "idempotency_key"', isAlone: true } as const
const ANSWER = { call: '^insert into "idempotency_key" \\([^)]*"response_status"', of: [], isAlone: true } as const
const RELEASE = { call: '^delete from "idempotency_key"', of: [], isAlone: true } as const
const SIMULATE = { on: 'rpc', call: 'eth_simulateV1', of: [] } as const

/** A claim that its worker sends itself. Those for which the operator sends are crashed on the way to a badge. */
export const claimSession: ProcessRow<Steps> = {
  scenarios: {
    silent: { create: (stage) => worked(stage, { asksAgain: false }), leaves },
    asking: {
      create: (stage) => worked(stage, { asksAgain: true }),
      leaves: { ...leaves, 'answers name the session': [true, true] },
    },
  },
  steps: {
    claimJob: [
      ...inBoth((scenario) => ({
        ...{ name: nameIn(scenario, 'admission'), scenario, act: 'claim', isMidway: true },
        record: { call: '^insert into "claim_intent"', of: [] },
      })),
      ...inBoth((scenario) => ({
        ...{ name: nameIn(scenario, 'record'), scenario, act: 'claim' },
        record: { call: '^insert into "session"', of: [] },
        result: ['"lapsesInMs"'],
      })),
    ],
    bringSubmissionHome: inBoth((scenario) => ({
      ...{ name: nameIn(scenario, 'record'), scenario, act: 'submit' },
      record: event('session.submitted'),
      result: ['"recorded"'],
    })),
    startVerifier: [{ scenario: 'silent', act: 'submit', record: { on: 'engine', call: '/StartWorkflowExecution$', of: ['verify/'] } }],
    settleApproval: [
      {
        ...{ scenario: 'silent', act: 'submit' },
        record: { call: '^insert into "badge"', of: [] },
        transaction: [selector('resolveSinglePayout')],
      },
    ],
  },
  outside: {
    claimJob: [
      request('ask', 'offer', { call: '^insert into "claim_offer"', of: [], isAlone: true }),
      request('ask', 'simulation', SIMULATE),
      request('claim', 'process', { ...BIND, of: ['claim/'] }, 'JobClaimed'),
      request('claim', 'start', { on: 'engine', call: '/ExecuteMultiOperation$', of: ['claim/'] }, 'JobClaimed'),
    ],
    submitWork: [
      request('handIn', 'key', { ...BIND, of: [] }),
      request('handIn', 'offer', { call: '^insert into "submission_offer"', of: [] }),
      request('handIn', 'simulation', SIMULATE),
      request('handIn', 'release', RELEASE),
      request('submit', 'process', { ...BIND, of: ['submit/'] }, 'WorkSubmitted'),
      request('submit', 'update', UPDATE, 'WorkSubmitted'),
      request('submit', 'answer', ANSWER),
    ],
    WorkSubmitted: [
      {
        ...{ scenario: 'silent', act: 'submit', in: 'worker' },
        effect: { on: 'engine', call: '/SignalWorkflowExecution$', of: ['claim/', 'WorkSubmitted'] },
      },
    ],
  },
}
