// Jobs that a poster drafts and funds, and the work of another wallet on them: each sends its own transactions.
import { decodeFunctionData, encodeFunctionData, type Hex } from 'viem'
import { escrowCoreAbi } from '../../../activities/chain/abi/escrow-core.ts'
import { HANDLER_MODES } from '../../../activities/verification/registry.ts'
import { labelHash } from '../../../domain/common/ids.ts'
import { buildPosting } from '../../../domain/postings/draft.ts'
import { screenListing } from '../../../domain/postings/screen.ts'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import { postingWorkflowId } from '../../../schemas/postings/process.ts'
import { verifierWorkflowId } from '../../../schemas/verification/process.ts'
import type { claimSession } from '../../../workflows/index.ts'
import { GOOD_WORK } from '../../e2e/support/jobs.ts'
import type { Print } from '../prints/print.ts'
import { endOf, readCommonEnd, shapeOf } from './end-state.ts'
import type { Scenario } from './scenario.ts'
import { post, type Stage, waitFor } from './stage.ts'

export const POSTER_RAW = 2_000_000n
export const WORKER_RAW = 1_000_000n
const REWARD = 1
/** Place of the reward among the arguments of the funding. */
const REWARD_ARGUMENT = 2

interface Template {
  to: Hex
  data: Hex
}

/** Ids of the content for this poster, which names them before it has drafted anything. */
const idsOf = (definition: object, poster: string, { symbol, decimals }: Stage['chainFile']['asset']) =>
  buildPosting(definition, {
    poster: poster.toLowerCase(),
    asset: { symbol, decimals },
    minRewardRaw: 1n,
    maxRewardRaw: POSTER_RAW,
    handlerModes: HANDLER_MODES,
    deniedRepos: [],
    deriveSalt: () => {
      throw new Error('a benchmark has no salt')
    },
    screen: screenListing,
  })

const POSTING_INSTANTS = ['funding', 'refund', 'fundingReceipt', 'createdAt', 'quotedAt', 'expiresAt', 'openedAt', 'handedOutAt']
/** What another draft has otherwise. How often it was compared with the chain is a matter of turns. */
const OF_THE_DRAFT = ['jobId', 'draftId', 'poster', 'definition', 'specHash', 'quoteBlock', 'version']

/** A draft of a new poster, and what it sends until its job is live and to get its money back. */
export const openPosting = async (stage: Stage) => {
  const poster = await stage.saver(POSTER_RAW)
  const wallet = poster.account.address
  const definition = {
    title: `Retry policy of the client ${wallet.slice(2, 10)}`,
    description: 'Design the retry policy of a client.',
    category: 'coding',
    rewardAmount: REWARD,
    verifierMode: 'benchmark',
    verifierTerms: ['exponential backoff', 'jitter', 'retry budget'],
  }
  const { jobId, draftId } = idsOf(definition, wallet, stage.chainFile.asset)
  const { rows } = stage.database
  let templates: readonly Template[] = []
  const row = () => rows.selectFrom('posting').selectAll().where('jobId', '=', jobId).executeTakeFirst()
  const hasStatus = (status: string) => waitFor(`the posting that is ${status}`, async () => (await row())?.status === status)
  const sendAll = async (from: typeof poster, sent: readonly Template[]): Promise<void> => {
    for (const { to, data } of sent) await stage.view.send(from.account, { to, data })
  }
  return {
    ...{ jobId, wallet, hasStatus, sendAll },
    draft: async () => {
      const drafted = await post(poster, '/jobs/draft', { definition }, { key: `draft-${jobId}` })
      if (drafted.jobId !== jobId) throw new Error(`the draft has the id ${drafted.jobId}`)
    },
    askForFunding: async () => {
      const asked = await post(poster, `/jobs/draft/${draftId}/transactions`, {}, { key: `fund-${jobId}` })
      templates = asked.templates
    },
    fund: async () => {
      await sendAll(poster, templates)
      await hasStatus('live')
    },
    /** Funds the job with a unit more than drafted, so that it is never listed. */
    fundOtherwise: async () => {
      const { to, data } = templates.at(-1) as Template
      const { functionName, args } = decodeFunctionData({ abi: escrowCoreAbi, data })
      if (functionName !== 'createSinglePayoutJob') throw new Error(`the last transaction is ${functionName}`)
      const terms = args.map((value, index) => (index === REWARD_ARGUMENT ? BigInt(String(value)) + 1n : value)) as unknown as typeof args
      await sendAll(poster, [
        ...templates.slice(0, -1),
        { to, data: encodeFunctionData({ abi: escrowCoreAbi, functionName, args: terms }) },
      ])
      await hasStatus('mismatch')
    },
    hasRefund: () => waitFor('the money that went back', async () => (await row())?.refund != null),
    cancel: async () => {
      const asked = await post(poster, `/poster/jobs/${jobId}/cancel/transactions`, {})
      await sendAll(poster, asked.templates)
      await hasStatus('cancelled')
    },
    /** What the posting leaves. */
    readEnd: async (): Promise<Print> => {
      const [end, listed, demands, keys] = await Promise.all([
        readCommonEnd(stage, { workflowId: postingWorkflowId(jobId), wallet, key: jobId }),
        rows.selectFrom('job').select('delistReason').where('id', '=', jobId).execute(),
        rows.selectFrom('posting_demand').select('outcome').where('poster', '=', wallet.toLowerCase()).execute(),
        keysOf(stage, wallet),
      ])
      return {
        ...end,
        posting: shapeOf((await row()) ?? {}, POSTING_INSTANTS, OF_THE_DRAFT),
        listed: listed.map(({ delistReason }) => delistReason),
        demands: demands.map(({ outcome }) => outcome),
        'keys of the poster': keys,
      }
    },
  }
}

/** The life of a job that is never listed, and that another wallet claims and submits on chain. */
export const unlisted = async (stage: Stage): Promise<Scenario> => {
  const posting = await openPosting(stage)
  const stranger = await stage.saver(WORKER_RAW)
  const { jobId } = posting
  const { rows } = stage.database
  const escrow = stage.chainFile.contracts.escrow.generations.find(({ mode }) => mode === 'live')?.address as Hex
  const call = (functionName: 'claimJob' | 'submitWork', ...work: Hex[]): Template => ({
    to: escrow,
    data: encodeFunctionData({ abi: escrowCoreAbi, functionName, args: [jobId, ...work] as never }),
  })
  const isSent = (functionName: string) =>
    waitFor(`the ${functionName}`, () =>
      rows
        .selectFrom('chain_transaction')
        .select('status')
        .where('jobId', '=', jobId)
        .where('functionName', '=', functionName)
        .where('status', '=', 'mined')
        .executeTakeFirst(),
    )
  return {
    key: jobId,
    acts: {
      fund: async () => {
        await posting.draft()
        await posting.askForFunding()
        await posting.fundOtherwise()
      },
      work: async () => {
        await posting.sendAll(stranger, [call('claimJob'), call('submitWork', labelHash('anything'))])
        await isSent('resolveSinglePayout')
      },
      passTerms: async () => {
        await stage.passTerms()
        await isSent('finalizeRejectedJob')
        await posting.hasRefund()
      },
    },
    readEnd: posting.readEnd,
  }
}

/** Operations under whose keys a wallet has sent requests, with the stored answer. */
const keysOf = async ({ database: { rows } }: Stage, wallet: string) => {
  const found = await rows
    .selectFrom('idempotency_key')
    .select(['operation', 'responseStatus'])
    .where('subject', '=', wallet.toLowerCase())
    .orderBy('operation')
    .execute()
  return found.map(({ operation, responseStatus }) => [operation, responseStatus])
}

const SESSION_INSTANTS = [
  ...['claimedAt', 'claimExpiresAt', 'updatedAt', 'submittedAt', 'reviewEndsAt', 'resolvedAt', 'claimTxHash', 'claimBlock', 'submitTxHash'],
  ...['verificationId', 'payoutTx', 'workReceiptId', 'poster', 'claimReconciliation', 'verificationSummary'],
]
const OF_THE_CLAIM = ['sessionId', 'jobId', 'wallet', 'chainJobId', 'runId', 'idempotencyKey', 'version', 'evidence', 'jobSnapshot']

/** Rows of a claim and of what came of it. */
const readWork = async ({ database: { rows }, view }: Stage, jobId: Hex): Promise<Print> => {
  const sessions = await rows.selectFrom('session').selectAll().where('jobId', '=', jobId).execute()
  const ids = ['none', ...sessions.map(({ sessionId }) => sessionId)]
  const [intents, moves, verdicts, badges, receipts, offers, works, onChain, escrow] = await Promise.all([
    rows.selectFrom('claim_intent').selectAll().where('jobId', '=', jobId).orderBy('createdAt').execute(),
    rows.selectFrom('session_event').selectAll().where('sessionId', 'in', ids).orderBy('seq').execute(),
    rows.selectFrom('verification').selectAll().where('jobId', '=', jobId).orderBy('seq').execute(),
    rows.selectFrom('badge').selectAll().where('jobId', '=', jobId).execute(),
    rows.selectFrom('work_receipt').selectAll().where('sessionId', 'in', ids).execute(),
    rows.selectFrom('claim_offer').selectAll().where('jobId', '=', jobId).execute(),
    rows.selectFrom('submission_offer').selectAll().where('sessionId', 'in', ids).execute(),
    rows
      .selectFrom('chain_event')
      .select('event')
      .where('chainJobId', '=', jobId)
      .where('removedAt', 'is', null)
      .orderBy('blockNumber')
      .orderBy('logIndex')
      .execute(),
    view.escrowOf(jobId),
  ])
  return {
    sessions: sessions.map((session) => shapeOf(session, SESSION_INSTANTS, OF_THE_CLAIM)),
    intents: intents.map(({ status, attempt, failureCode, exposureRaw, bondRaw }) => [
      ...[status, attempt, failureCode, String(exposureRaw), String(bondRaw)],
    ]),
    moves: moves.map(({ seq, fromStatus, toStatus, reason }) => [seq, fromStatus, toStatus, reason]),
    verdicts: verdicts.map(({ seq, outcome, reasonCode, score }) => [seq, outcome, reasonCode, score]),
    badges: badges.map(({ category, level }) => [category, level]),
    receipts: receipts.map(({ outcome }) => outcome),
    offers: [offers.length, works.length],
    'events on chain': onChain.map(({ event }) => event),
    escrow: [escrow.state, String(escrow.rewardRaw), String(escrow.releasedRaw)],
  }
}

/** The life of a posted job until its work is paid. The worker asks again once its transactions are mined, or never. */
export const worked = async (stage: Stage, { asksAgain }: { asksAgain: boolean }): Promise<Scenario> => {
  const posting = await openPosting(stage)
  const worker = await stage.saver(WORKER_RAW)
  const { jobId } = posting
  const { rows } = stage.database
  const session = () => rows.selectFrom('session').selectAll().where('jobId', '=', jobId).executeTakeFirst()
  const sessionId = async (): Promise<string> => (await session())?.sessionId ?? 'none'
  let asked: readonly Template[] = []
  const claim = (refusal?: string) =>
    post(worker, '/jobs/claim', { jobId }, { key: `claim-${jobId}`, ...(refusal !== undefined && { refusal }) })
  const submit = async (refusal?: string) =>
    post(
      worker,
      '/jobs/submit',
      { sessionId: await sessionId(), submission: GOOD_WORK },
      { key: `submit-${jobId}`, ...(refusal !== undefined && { refusal }) },
    )
  const answers: string[] = []
  return {
    key: jobId,
    acts: {
      post: async () => {
        await posting.draft()
        await posting.askForFunding()
        await posting.fund()
      },
      ask: async () => {
        asked = (await claim('external_self_paid_claim_required')).details.transactions
      },
      claim: async () => {
        await posting.sendAll(worker, asked)
        if (asksAgain) answers.push((await claim()).sessionId)
        await waitFor('the session', session)
      },
      handIn: async () => {
        asked = (await submit('external_self_paid_submit_required')).details.transactions
      },
      submit: async () => {
        await posting.sendAll(worker, asked)
        if (asksAgain) answers.push((await submit()).sessionId)
        await waitFor('the payment', async () => (await session())?.status === 'resolved')
        await posting.hasStatus('settled')
      },
    },
    readEnd: async () => {
      const id = await sessionId()
      const [posted, { transactions: _sameAsOfThePosting, ...ofWorker }, verification, work, keys] = await Promise.all([
        posting.readEnd(),
        readCommonEnd(stage, { workflowId: claimWorkflowId(jobId), wallet: worker.account.address, key: jobId }),
        endOf(stage, verifierWorkflowId(id)),
        readWork(stage, jobId),
        keysOf(stage, worker.account.address),
      ])
      return {
        ...{ ...posted, worker: ofWorker, verification, ...work, 'keys of the worker': keys },
        'outcome of the claim': (await stage.engine.workflow.getHandle<typeof claimSession>(claimWorkflowId(jobId)).result()).status,
        'answers name the session': answers.map((answered) => answered === id),
      }
    },
  }
}
