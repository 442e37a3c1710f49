import { toFunctionSelector } from 'viem'
import type { PostingReads } from '../../activities/postings/chain-reads.ts'
import { contractRefusal } from '../../domain/chain/contract-refusals.ts'
import { CANCEL_FLOOR_SECONDS, MAX_POSTER_FEE_BPS } from '../../domain/common/constants.ts'
import { iso } from '../../domain/common/instants.ts'
import { bondPolicyView } from '../../domain/eligibility/claim-economics.ts'
import { CANCELLATION_WORDS } from '../../domain/postings/views.ts'
import { isServiceError } from '../../schemas/errors.ts'
import type { LIVE_READ_FAILURES, PosterOnboarding } from '../../schemas/postings/onboarding.ts'
import type { ApiDeps } from '../deps.ts'
import { workerTerms } from '../discovery/bond-terms.ts'
import { WITHDRAWAL_BUILDER } from '../discovery/starter-flow.ts'
import { FLOW, VERIFICATION } from './guide.ts'
import { postingChain } from './policy.ts'

type Failure = (typeof LIVE_READ_FAILURES)[number]
type LiveRead<T> = { available: true; value: T } | { available: false; reason: Failure }

const found = <T>(value: T): LiveRead<T> => ({ available: true, value })
const missing = (reason: Failure): LiveRead<never> => ({ available: false, reason })

/** A live read, or why it has no value. */
const liveRead = async <T>(read: () => Promise<LiveRead<T>>): Promise<LiveRead<T>> => {
  try {
    return await read()
  } catch (error) {
    // The failed read is logged where it happens.
    if (isServiceError(error)) return missing('live_chain_read_failed')
    throw error
  }
}

const status = (read: LiveRead<unknown>): PosterOnboarding['liveReads']['claimBond'] =>
  read.available ? { available: true } : { available: false, reason: read.reason }

const whyMissing = (read: LiveRead<unknown>) => (read.available ? undefined : { status: 'unavailable', reason: read.reason })

const FAILURES: readonly [signature: string, remedy: string][] = [
  ['InsufficientLiquidity()', 'Deposit the difference to posterReservedRaw, then create the job.'],
  ['InvalidState()', 'The job id is on chain already: do not deposit again, read the draft.'],
]

const failureModes = (): PosterOnboarding['failureModes'] =>
  FAILURES.map(([error, remedy]) => ({
    error,
    selector: toFunctionSelector(error),
    meaning: contractRefusal(error.replace('()', '')).meaning,
    remedy,
  }))

const GAS_POLICY = {
  operatorBrokeredGas: false,
  appliesTo: 'posted jobs',
  workerPays: ['claimJob', 'submitWork'],
  apiBehavior:
    'POST /jobs/claim and POST /jobs/submit answer 409 with the transaction that the worker sends; the same request afterwards converges.',
  curatedException: 'The operator pays the gas of claim and submission on its own jobs.',
}

/** Body of `GET /poster/onboarding`. A value that could not be read is left out and never has a default. */
export const createPosterOnboarding = (deps: ApiDeps, reads: PostingReads) => async (): Promise<PosterOnboarding> => {
  const { chain, settings, clock, baseUrl, liveReads } = deps
  const place = postingChain(chain)
  const [fee, recipient, bond, window, worker] = await Promise.all([
    liveRead(async () => {
      const terms = await reads.feeTerms()
      if (terms === null) return missing('protocol_fee_read_not_supported')
      return terms.posterFeeBps > MAX_POSTER_FEE_BPS ? missing('live_protocol_fee_invalid') : found(terms)
    }),
    liveRead(async () => found((await reads.feeRecipient()).toLowerCase())),
    liveRead(async () => found(await liveReads.bondPolicy())),
    liveRead(async () => {
      const seconds = await reads.disputeWindowSeconds()
      return Number.isSafeInteger(seconds) && seconds > 0 ? found(seconds) : missing('live_dispute_window_invalid')
    }),
    workerTerms(deps),
  ])
  const { EXTERNAL_POSTING_MODE: mode } = settings
  const { claimBond: _bond, disputeWindow, liveReads: _reads, ...workerRest } = worker
  return {
    version: 'poster-onboarding-v1',
    chainId: chain.chainId,
    escrowCore: place.escrow,
    agentAccountCore: chain.contracts.agentAccount.address.toLowerCase(),
    token: place.asset,
    mode,
    ...(mode !== 'open' && { allowlistEnrollment: 'Ask the operator, whom GET /.well-known/security.txt and GET /health name.' }),
    economics: {
      ...(fee.available && {
        protocolFeeBps: fee.value.posterFeeBps,
        posterFeeBps: fee.value.posterFeeBps,
        posterFeeFloorRaw: fee.value.posterFeeFloorRaw.toString(),
      }),
      ...(recipient.available && { feeRecipient: recipient.value }),
      availability: { protocolFeeBps: whyMissing(fee), feeRecipient: whyMissing(recipient) },
      feeSemantics: 'poster_additive',
      feeExplanation:
        'The poster pays the fee on top of the reward; an approved worker gets the whole reward. A cancelled job gets the fee back.',
      posterReserveFormula: 'reward + opsReserve + contingencyReserve + max(floor(reward * posterFeeBps / 10000), posterFeeFloorRaw)',
      minRewardUsdc: String(settings.EXTERNAL_POSTING_MIN_REWARD_USDC),
      maxRewardUsdc: String(settings.EXTERNAL_POSTING_MAX_REWARD_USDC),
      draftTtlHours: settings.EXTERNAL_POSTING_DRAFT_TTL_HOURS,
      quotePersistence: 'demand_signal_only_until_funded',
      quoteIdentity: 'poster_and_content_hash',
    },
    flow: FLOW,
    verification: VERIFICATION,
    failureModes: failureModes(),
    posterFacts: {
      withdrawal: { statement: 'What is not reserved for a job can be withdrawn at any time.', builder: WITHDRAWAL_BUILDER },
    },
    workerFacts: {
      ...workerRest,
      claimBond: bond.available
        ? { available: true, ...bondPolicyView(chain.asset.symbol, bond.value) }
        : { available: false, reason: bond.reason },
      gasPolicy: GAS_POLICY,
      catalogEstimate: { method: 'GET', path: '/jobs/{id}/estimate', statement: 'Bond, gas and net reward before a claim.' },
      disputeWindow: window.available
        ? { ...disputeWindow, seconds: window.value, warning: 'A rejection without a dispute in time is final: the bond is slashed.' }
        : { available: false, reason: window.reason },
    },
    cancellation: {
      selfServeCancel: true,
      method: 'cancelOpenJob',
      onChain: { address: place.escrow, abiFragment: 'cancelOpenJob(bytes32)', args: ['jobId'], value: '0' },
      ...CANCELLATION_WORDS,
      minimumOpenSeconds: CANCEL_FLOOR_SECONDS,
      refund: ['reward', 'poster fee', 'ops reserve', 'contingency reserve'],
    },
    docs: `${baseUrl}/docs`,
    liveReads: {
      asOf: iso(clock.now()),
      protocolFeeBps: status(fee),
      feeRecipient: status(recipient),
      claimBond: status(bond),
      disputeWindow: status(window),
    },
  }
}
