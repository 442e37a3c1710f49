import type { Hex } from 'viem'
import { type PostingActivities, postingWorkflowId } from '../../../../schemas/postings/process.ts'
import { readCommonEnd, shapeOf } from '../end-state.ts'
import { event, type ProcessRow, type Scenario } from '../scenario.ts'
import { post, type Stage, waitFor } from '../stage.ts'

const FUNDS_RAW = 2_000_000n
const INSTANTS = ['funding', 'refund', 'fundingReceipt', 'createdAt', 'quotedAt', 'expiresAt', 'openedAt', 'handedOutAt']
/** What another draft has otherwise, and how often something was tried. */
const OF_THE_DRAFT = ['jobId', 'draftId', 'poster', 'definition', 'specHash', 'quoteBlock', 'attemptCount', 'version']

interface Template {
  to: Hex
  data: Hex
}

/** A draft that its poster funds and, later, cancels. */
const cancelled = async (stage: Stage): Promise<Scenario> => {
  const agent = await stage.saver(FUNDS_RAW)
  const wallet = agent.account.address
  const definition = {
    title: `Retry policy of the client ${wallet.slice(2, 10)}`,
    description: 'Design the retry policy of a client.',
    category: 'coding',
    rewardAmount: 1,
    verifierMode: 'benchmark',
    verifierTerms: ['exponential backoff', 'jitter', 'retry budget'],
  }
  const { jobId, draftId } = await post(agent, '/jobs/draft', { definition })
  const row = () => stage.database.rows.selectFrom('posting').selectAll().where('jobId', '=', jobId).executeTakeFirst()
  const hasStatus = (status: string) => waitFor(`the posting that is ${status}`, async () => (await row())?.status === status)
  const sendAll = async (templates: readonly Template[]): Promise<void> => {
    for (const { to, data } of templates) await stage.view.send(agent.account, { to, data })
  }
  return {
    key: jobId,
    acts: {
      fund: async () => {
        const { templates } = await post(agent, `/jobs/draft/${draftId}/transactions`, {})
        await sendAll(templates)
        await hasStatus('live')
      },
      passTerms: async () => {
        await stage.passTerms()
        const { templates } = await post(agent, `/poster/jobs/${jobId}/cancel/transactions`, {})
        await sendAll(templates)
        await hasStatus('cancelled')
      },
    },
    readEnd: async () => ({
      ...(await readCommonEnd(stage, { workflowId: postingWorkflowId(jobId), wallet, key: jobId })),
      posting: shapeOf((await row()) ?? {}, INSTANTS, OF_THE_DRAFT),
      listed: (await stage.database.rows.selectFrom('job').select('delistReason').where('id', '=', jobId).execute()).map(
        ({ delistReason }) => delistReason,
      ),
    }),
  }
}

/** The claims that it brings home are crashed with those of the claims. */
export const externalPosting: ProcessRow<Pick<PostingActivities, 'reconcilePosting'>> = {
  scenarios: {
    cancelled: {
      create: cancelled,
      leaves: {
        process: 'COMPLETED',
        transactions: [],
        posting: { status: 'cancelled', funding: true, refund: true, fundingReceipt: true },
        listed: ['poster_cancelled'],
        money: { account: [String(FUNDS_RAW), '0', '0', '0', '0', '0'] },
      },
    },
  },
  steps: {
    reconcilePosting: [
      { name: 'listing', scenario: 'cancelled', act: 'fund', record: event('posting.funded') },
      { name: 'refund', scenario: 'cancelled', act: 'passTerms', record: event('posting.refunded') },
    ],
  },
}
