import { readNeedChecks } from '../../activities/catalogue/verdict-needs.ts'
import { findRehearsed, rehearse, storeRehearsal } from '../../activities/postings/rehearse.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as rehearsalOperations from '../../schemas/postings/rehearsal-operations.ts'
import type { ApiDeps } from '../deps.ts'

type Deps = Pick<ApiDeps, 'database' | 'clock' | 'verifierSources'>

/** Rehearsals of drafts. The body of a request is judged and forgotten. */
export const createRehearsalHandlers = ({ database, clock, verifierSources: sources }: Deps): HandlersOf<typeof rehearsalOperations> => ({
  rehearseDraft: async ({ params: { id }, body: { submissions }, caller }) => {
    const draftId = id as `0x${string}`
    const posting = await findRehearsed(database.rows, draftId)
    if (posting === null) throw new ServiceError('external_draft_not_found', { details: { draftId } })
    if (posting.poster !== caller.wallet) throw new ServiceError('external_draft_not_owned', { details: { draftId } })
    const checks = await readNeedChecks(database.rows)
    const rehearsal = await rehearse(posting, submissions, { sources, checks, now: clock.now() })
    await storeRehearsal(database.rows, posting.jobId, rehearsal)
    return { status: 200, body: { draftId, jobId: posting.jobId, rehearsal } }
  },
})
