// How the operations of postings handle repeated requests.
import type { Agent } from '../../e2e/support/http.ts'
import type { FleetWorld } from '../fleet/world.ts'
import { draftedBy, newDefinition, newDraft, newPosting } from '../records/postings.ts'

interface Stage {
  world: FleetWorld
  secondAdmin: Agent
}

/** Effect and answer are one transaction. */
const AT_ONCE = { kind: 'keyed', oneTransaction: true, protectsItself: false, inBetween: [] } as const

export const POSTING_CASES = {
  draftJob: {
    ...AT_ONCE,
    prepare: async ({ world }: Stage) => {
      const [agent, another] = await Promise.all([world.agent(), world.agent()])
      const bodyOf = () => ({ definition: newDefinition() })
      return { agent, body: bodyOf(), other: bodyOf(), stranger: { agent: another, body: bodyOf(), answer: 201 } }
    },
  },

  buildPostJobTransactions: {
    ...AT_ONCE,
    prepare: async ({ world }: Stage) => {
      const [{ agent, draft }, theirs] = await Promise.all([newDraft(world), newDraft(world)])
      const other = await draftedBy(agent)
      const stranger = { agent: theirs.agent, params: { id: theirs.draft.draftId }, body: {}, answer: 200 }
      return { agent, params: { id: draft.draftId }, body: {}, other: {}, otherParams: { id: other.draft.draftId }, stranger }
    },
  },

  delistJob: {
    ...AT_ONCE,
    prepare: async ({ world, secondAdmin }: Stage) => {
      const [mine, other, theirs] = await Promise.all([newPosting(world), newPosting(world), newPosting(world)])
      const body = { reason: 'Asks for credentials.' }
      const stranger = { agent: secondAdmin, params: { jobId: theirs.draft.jobId }, body, answer: 200 }
      return {
        ...{ agent: world.admin, params: { jobId: mine.draft.jobId }, body },
        ...{ other: body, otherParams: { jobId: other.draft.jobId }, stranger },
      }
    },
  },

  buildCancelTransactions: { kind: 'exempt', because: 'it builds an unsigned transaction, which the poster signs and sends' },
  rehearseDraft: { kind: 'exempt', because: 'it judges again, and keeps nothing but its last result' },
} as const
