import { storeContent } from '../../../../activities/content/records.ts'
import {
  type ContentChainActivities,
  type ContentRecordActivities,
  contentDisclosureWorkflowId,
} from '../../../../schemas/content/process.ts'
import { readCommonEnd, shapeOf } from '../end-state.ts'
import type { ProcessRow, Scenario } from '../scenario.ts'
import { post, type Stage, waitFor } from '../stage.ts'

/** A wallet that publishes its content. */
const published = async (stage: Stage): Promise<Scenario> => {
  const agent = await stage.saver(0n)
  const wallet = agent.account.address
  const key = wallet.toLowerCase()
  const { rows } = stage.database
  const hash = await storeContent(rows, { contentType: 'submission', payload: { of: key }, owners: [key], at: Date.now() })
  const row = () => rows.selectFrom('content').selectAll().where('hash', '=', hash).executeTakeFirst()
  return {
    key,
    acts: {
      publish: async () => {
        await post(agent, `/content/${hash}/publish`, {})
        await waitFor('the event', async () => (await row())?.disclosure === 'emitted')
      },
    },
    readEnd: async () => ({
      ...(await readCommonEnd(stage, { workflowId: contentDisclosureWorkflowId(hash, key), wallet, key })),
      content: shapeOf((await row()) ?? {}, ['createdAt', 'publishedAt', 'publishedBy', 'disclosureTxHash'], ['hash', 'owner', 'payload']),
    }),
  }
}

const during = { scenario: 'published', act: 'publish' } as const
const update = { call: '^update "content"', isAlone: true } as const

export const contentDisclosure: ProcessRow<ContentRecordActivities & ContentChainActivities> = {
  scenarios: {
    published: {
      create: published,
      leaves: {
        process: 'COMPLETED',
        transactions: [['discloseFor', 'mined']],
        events: { 'content.disclosed': 1 },
        content: { disclosure: 'emitted', publishedAt: true },
      },
    },
  },
  steps: {
    publishContent: [{ ...during, record: { ...update, of: ['pending'] } }],
    discloseContent: [{ ...during, transaction: [], record: { ...update, of: ['emitted'] } }],
  },
}
