import { createAccountReads } from '../../activities/accounts/reads.ts'
import { depositSteps } from '../../activities/accounts/templates.ts'
import { escrowCoreAbi } from '../../activities/chain/abi/escrow-core.ts'
import { accountBalances, walletTokens } from '../../activities/chain/simulation.ts'
import { amountUnit, contractCall, type TemplateStep } from '../../activities/chain/templates.ts'
import { approvalView, assetView, buildTransactions } from '../../activities/chain/unsigned-transactions.ts'
import { liveLocks } from '../../activities/locked-deposits/records.ts'
import type { PostingReads } from '../../activities/postings/chain-reads.ts'
import { assertFundable, assertRoomForAgreement, getOwnDraft, handOut, idTaken } from '../../activities/postings/drafts.ts'
import { findPosting } from '../../activities/postings/records.ts'
import { spendableRaw } from '../../domain/chain/account-position.ts'
import { CANCEL_FLOOR_SECONDS } from '../../domain/common/constants.ts'
import { iso, plusSeconds, secondsUntil } from '../../domain/common/instants.ts'
import { amount, amounts, assetAmount, floorSubtract } from '../../domain/common/money.ts'
import { sumOf } from '../../domain/locked-deposits/lock.ts'
import { assertMayPost } from '../../domain/postings/poster.ts'
import { assertFeeUnchanged, quotePosting, reservedRaw } from '../../domain/postings/quote.ts'
import { cancellationView, creationArgs, fundedAsset, quotedReservedRaw } from '../../domain/postings/views.ts'
import { liveEscrow } from '../../schemas/chain/chain-file.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Answer, HandlersOf } from '../../schemas/operations/operation.ts'
import type * as operations from '../../schemas/postings/operations.ts'
import type { PostingRecord } from '../../schemas/postings/record.ts'
import { assertDepositable } from '../accounts/deposit.ts'
import type { ApiDeps } from '../deps.ts'
import { withIdempotentTransaction } from '../http/idempotency.ts'
import { readForQuote } from './drafts.ts'
import { posterPolicy, postingChain } from './policy.ts'

const instructions = (wallet: string, steps: readonly TemplateStep[], expiresAt: number): string[] => [
  `Sign and send each template from ${wallet} before ${iso(expiresAt)}, unchanged: a job with other terms is never listed.`,
  ...(steps.length > 1 ? ['Wait until each transaction is mined before you send the next one.'] : []),
  'Compare the balances afterwards with `expected`, then read GET /poster/jobs.',
]

/** Unsigned transactions of posters. */
export const createPostingTransactions = (
  deps: ApiDeps,
  postingReads: PostingReads,
): Pick<HandlersOf<typeof operations>, 'buildPostJobTransactions' | 'buildCancelTransactions'> => {
  const { database, chain, clients, clock, engine } = deps
  const accountReads = createAccountReads(chain, clients)
  const place = postingChain(chain)
  const policy = posterPolicy(deps)
  const { decimals } = chain.asset

  const creationStep = (posting: PostingRecord, isAfterDeposit: boolean): TemplateStep => ({
    step: 'create',
    call: contractCall(
      liveEscrow(chain),
      { abi: escrowCoreAbi, functionName: 'createSinglePayoutJob', args: creationArgs(posting, place) },
      amountUnit(chain.asset),
    ),
    ...(isAfterDeposit && {
      prerequisite: {
        code: 'deposit_confirmed_on_chain',
        reason: 'The creation reverts until the deposit is mined, so its gas cannot be estimated before.',
      } as const,
    }),
  })

  /** The transactions that fund a draft, simulated as one plan at one block. */
  const buildFunding = async (posting: PostingRecord, wallet: `0x${string}`) => {
    const { jobId, draftId, rewardRaw, expiresAt } = posting
    const facts = await readForQuote(() => accountReads.depositFacts(wallet))
    const { fee, job } = await readForQuote(() => postingReads.fundingFacts(jobId, rewardRaw, facts.block))
    // The escrow has the job before the service followed it: a wallet can fund a draft by its call data alone.
    if (job.state !== 'none') await engine.wakePosting(posting)
    const takenBy = job.poster?.toLowerCase()
    if (takenBy !== undefined && takenBy !== posting.poster) throw idTaken({ draftId, jobId, takenBy })
    if (job.state !== 'none')
      throw new ServiceError('external_draft_already_funded', { details: { draftId, jobId, chainState: job.state } })
    assertFeeUnchanged(posting, quotePosting(posting, fee))
    const locks = await liveLocks(database.rows, wallet, clock.now())
    const availableRaw = spendableRaw(facts.position, sumOf(locks))
    const totalRaw = quotedReservedRaw(posting)
    const depositRaw = floorSubtract(totalRaw, availableRaw)
    const spend = { amountRaw: depositRaw, allowanceRaw: facts.allowanceRaw }
    const path = `/jobs/draft/${draftId}/transactions`
    assertDepositable(depositRaw, wallet, facts, chain, path)
    const deposit = depositRaw > 0n ? depositSteps(chain, spend) : []
    const steps = [...deposit, creationStep(posting, depositRaw > 0n)]
    const watched = [walletTokens(chain, wallet), ...accountBalances(chain, wallet)]
    const plan = { steps, watched, statusPath: `/jobs/draft/${draftId}`, instructions: instructions(wallet, steps, expiresAt) }
    return {
      ...(await buildTransactions(deps, wallet, facts.block, plan)),
      ...{ draftId, jobId, chainId: chain.chainId },
      asset: assetView(chain.asset),
      account: amounts({ spendable: availableRaw }, decimals),
      deposit: { required: depositRaw > 0n, amount: amount({ raw: depositRaw, decimals }) },
      posterReserved: assetAmount(totalRaw, place.asset),
      approval: approvalView(spend, decimals),
      expiresAt: iso(expiresAt),
      cancellation: cancellationView(posting, place),
    }
  }

  /** A job of the wallet that is open in the escrow long enough. */
  const getCancellable = async (jobId: `0x${string}`, wallet: string) => {
    const posting = await findPosting(database.rows, jobId)
    if (posting === null) throw new ServiceError('external_job_not_found', { details: { jobId } })
    const found = await postingReads.openJob(jobId)
    const { job, block, createdAt } = found
    const isOwn = job.poster === null ? posting.poster === wallet : job.poster.toLowerCase() === wallet
    if (!isOwn)
      throw new ServiceError('external_job_not_found', {
        ...(posting.poster === wallet && { reason: 'funded_by_another_wallet' }),
        details: { jobId },
      })
    if (job.state !== 'open') throw new ServiceError('external_job_not_open', { details: { jobId, chainState: job.state } })
    const earliest = plusSeconds(createdAt, CANCEL_FLOOR_SECONDS)
    if (block.time < earliest)
      throw new ServiceError('external_cancel_too_early', {
        details: { jobId, earliestAt: iso(earliest), rule: 'minimum_open_seconds', limit: CANCEL_FLOOR_SECONDS },
        retryAfterSeconds: secondsUntil(earliest, block.time),
        nextActions: [{ kind: 'wait', description: 'Wait until `earliestAt`, then repeat.', availableAt: iso(earliest) }],
      })
    return { ...found, earliest }
  }

  return {
    buildPostJobTransactions: async (input) => {
      const { wallet } = input.caller
      assertMayPost(wallet, policy)
      const posting = await getOwnDraft(database.rows, input.params.id, wallet)
      assertFundable(posting, clock.now())
      await assertRoomForAgreement(database.rows, posting)
      const body = await buildFunding(posting, wallet)
      const answer = await withIdempotentTransaction<Answer<typeof operations.buildPostJobTransactions>>(deps, input, async (rows) => {
        await handOut(rows, posting.jobId, clock.now())
        return { status: 200, body }
      })
      await engine.startPosting(posting)
      return answer
    },

    buildCancelTransactions: async ({ caller, params }) => {
      const { wallet } = caller
      const jobId = params.jobId as `0x${string}`
      const { job, block, earliest } = await getCancellable(jobId, wallet)
      const call = contractCall(liveEscrow(chain), { abi: escrowCoreAbi, functionName: 'cancelOpenJob', args: [jobId] })
      const plan = {
        steps: [{ step: 'cancel', call }],
        watched: accountBalances(chain, wallet),
        statusPath: '/poster/jobs',
        instructions: [
          `Sign and send the template from ${wallet}.`,
          'A claim that is mined first keeps the job; the cancellation then reverts.',
          'Compare the balances afterwards with `expected`.',
        ],
      }
      const shown = (raw: bigint) => assetAmount(raw, fundedAsset(job.asset, place.asset))
      const refund = {
        total: shown(reservedRaw(job, job.posterFeeRaw)),
        reward: shown(job.rewardRaw),
        posterFee: shown(job.posterFeeRaw),
        opsReserve: shown(job.opsReserveRaw),
        contingencyReserve: shown(job.contingencyReserveRaw),
      }
      const built = await buildTransactions(deps, wallet, block, plan)
      return { status: 200, body: { ...built, jobId, earliestAt: iso(earliest), refund } }
    },
  }
}
