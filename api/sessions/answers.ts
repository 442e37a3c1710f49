import { definitionPath } from '../../domain/catalogue/job-definition.ts'
import { submissionContract } from '../../domain/catalogue/submission-contract.ts'
import { checksumAddress } from '../../domain/common/ids.ts'
import { disclosureFooter, disclosureRequired } from '../../domain/pull-requests/disclosure.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { pendingSessionView, sessionView } from '../../domain/sessions/view.ts'
import type { PendingClaim, SessionRecord } from '../../schemas/sessions/record.ts'
import { REPLAYED } from '../http/idempotency.ts'

/** Seconds after which a client should poll a pending claim again. */
const PENDING_RETRY_SECONDS = 2

/** A session with the texts its worker needs: the submission contract, and the filled-in footer of a pull-request job. */
export const sessionAnswer = (session: SessionRecord, now: number, baseUrl: string) => {
  const definition = pinnedDefinition(session.jobSnapshot)
  const footer = disclosureRequired(definition)
    ? disclosureFooter({
        wallet: checksumAddress(session.wallet) ?? session.wallet,
        sessionId: session.sessionId,
        definitionUrl: `${baseUrl}${definitionPath(session.jobId)}`,
        ...(session.evidenceHash !== null && { submissionHash: session.evidenceHash }),
      })
    : undefined
  return sessionView(session, now, { disclosureFooter: footer, submissionContract: submissionContract(definition) })
}

/** The answer with a session; `replayed` marks a repeat of an earlier one. */
export const servedSession = (session: SessionRecord, { now, baseUrl, replayed }: { now: number; baseUrl: string; replayed: boolean }) => ({
  status: 200 as const,
  body: sessionAnswer(session, now, baseUrl),
  ...(replayed && { headers: REPLAYED }),
})

/** A session beside its verdict. */
export const sessionSummary = ({ sessionId, jobId, wallet, status, chainState }: SessionRecord) => ({
  ...{ sessionId, jobId, wallet, status, chainState },
})

export const pendingAnswer = (pending: PendingClaim) => pendingSessionView(pending, PENDING_RETRY_SECONDS)
