import { readNativeGas } from '../../activities/chain/native-gas.ts'
import type { Rows } from '../../activities/database/database.ts'
import { findTracked } from '../../activities/deliveries/records.ts'
import { definitionPath } from '../../domain/catalogue/job-definition.ts'
import { submissionContract } from '../../domain/catalogue/submission-contract.ts'
import type { NativeGas } from '../../domain/chain/native-gas.ts'
import { checksumAddress } from '../../domain/common/ids.ts'
import { deliveryView } from '../../domain/deliveries/view.ts'
import { disclosureFooter, disclosureRequired } from '../../domain/pull-requests/disclosure.ts'
import { pinnedDefinition } from '../../domain/sessions/snapshot.ts'
import { isDisputable } from '../../domain/sessions/state-machine.ts'
import { pendingSessionView, sessionView, type WorkerHelp } from '../../domain/sessions/view.ts'
import type { PendingClaim, SessionRecord } from '../../schemas/sessions/record.ts'
import type { VerdictRecord } from '../../schemas/verification/shapes.ts'
import type { ApiDeps } from '../deps.ts'
import { REPLAYED } from '../http/idempotency.ts'

/** Seconds after which a client should poll a pending claim again. */
const PENDING_RETRY_SECONDS = 2

/** What became of the delivery of a session, for its owner and operators; nothing for a session without one. */
export const findDelivery = async (rows: Rows, { sessionId }: Pick<SessionRecord, 'sessionId'>): Promise<Pick<WorkerHelp, 'delivery'>> => {
  const delivery = await findTracked(rows, sessionId)
  return delivery === null ? {} : { delivery: deliveryView(delivery) }
}

/** A session with the texts its worker needs: the submission contract, and the filled-in footer of a pull-request job. */
export const sessionAnswer = (
  session: SessionRecord,
  now: number,
  baseUrl: string,
  more: Pick<WorkerHelp, 'waiting' | 'native' | 'nativeAccount' | 'delivery'> = {},
) => {
  const definition = pinnedDefinition(session.jobSnapshot)
  const footer = disclosureRequired(definition)
    ? disclosureFooter({
        wallet: checksumAddress(session.wallet) ?? session.wallet,
        sessionId: session.sessionId,
        responsiblePerson: session.responsiblePerson,
        definitionUrl: `${baseUrl}${definitionPath(session.jobId)}`,
        ...(session.evidenceHash !== null && { submissionHash: session.evidenceHash }),
      })
    : undefined
  return sessionView(session, now, { ...more, disclosureFooter: footer, submissionContract: submissionContract(definition) })
}

/** Fee and native balance of a worker that can dispute its rejection; null for every other session. */
export const findNativeGas = async (
  { clients, chain, clock }: Pick<ApiDeps, 'clients' | 'chain' | 'clock'>,
  session: SessionRecord,
): Promise<NativeGas | null> => (isDisputable(session, clock.now()) ? readNativeGas(clients, chain, session.wallet) : null)

/** The answer with a session; `replayed` marks a repeat of an earlier one. */
export const servedSession = (session: SessionRecord, { now, baseUrl, replayed }: { now: number; baseUrl: string; replayed: boolean }) => ({
  status: 200 as const,
  body: sessionAnswer(session, now, baseUrl),
  ...(replayed && { headers: REPLAYED }),
})

/** A verdict with its session, for readers of everything. */
export const verdictAnswer = ({ sessionId, jobId, wallet, status, chainState, payoutTx }: SessionRecord, record: VerdictRecord) => ({
  ...record,
  session: { sessionId, jobId, wallet, status, chainState },
  payoutTx,
})

export const pendingAnswer = (pending: PendingClaim) => pendingSessionView(pending, PENDING_RETRY_SECONDS)
