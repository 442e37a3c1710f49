// What a dispute left behind, without what differs from run to run.
import { keccakOf, sha256Of } from '../../../domain/common/hashes.ts'
import { disputeId } from '../../../domain/common/ids.ts'
import { disputeWorkflowId } from '../../../schemas/disputes/process.ts'
import { isContested, type Kind } from '../acts/journeys.ts'
import type { Answers, Task } from '../acts/work.ts'
import type { CrashWorld } from '../crash-world.ts'

type Print = Record<string, unknown>

/** Ids of the processes that a run has beside claim and verification. */
export const contestedProcesses = (kind: Kind, sessionId: string): string[] => (isContested(kind) ? [disputeWorkflowId(sessionId)] : [])

const HASH = /0x[0-9a-f]{64}/gi

/** The same with every hash by its name; one that has none is only known to be there. */
const named = (value: unknown, names: ReadonlyMap<string, string>): unknown => {
  const text = JSON.stringify(value, (_key, part) => (typeof part === 'bigint' ? part.toString() : part))
  return JSON.parse(text.replaceAll(HASH, (hash) => names.get(hash.toLowerCase()) ?? '<hash>'))
}

/** Address of a rationale: its hash covers the dispute's id. */
const RATIONALE = /("reasoningHash":"|\/content\/)0x[0-9a-f]{64}/g
/** What was prepared for a signature has an id of its own, and its call holds the job and the badge's address. */
const PREPARED = /("preparationId":"|"data":")[^"]+"/g
/** The text with every rationale, and every preparation by one name. */
export const withoutRationales = (text: string): string => text.replaceAll(RATIONALE, '$1<rationale>').replaceAll(PREPARED, '$1<prepared>"')

const ownerOf = (owner: string, disputes: readonly { claimant: string }[]): string =>
  disputes.some(({ claimant }) => claimant === owner) ? 'the worker' : owner

const DAY_MS = 86_400_000

/** People are reminded when a day has gone by, and how days go by depends on who moves time together. */
const isReminder = ({ action }: { action: string }): boolean => action === 'people_reminded'

/** Before an arbitrator the time of the same round begins anew. */
const BEGINS: ReadonlySet<string> = new Set(['review_opened', 'dispute_opened', 'opened_on_chain'])

/** At the earliest a day after the beginning before them, and after one another. */
const areADayApart = (timeline: readonly { at: number; action: string }[]): boolean => {
  const marks = timeline.filter((entry) => isReminder(entry) || BEGINS.has(entry.action))
  return marks.every((entry, index) => !isReminder(entry) || entry.at - (marks[index - 1]?.at ?? entry.at) >= DAY_MS)
}

/** Dispute, verdicts, timeline and rationale as the records hold them; a transaction is called by what it did. */
export const disputeRecords = async ({ database: { rows } }: CrashWorld, jobId: string): Promise<Print> => {
  const [disputes, sent, sessions] = await Promise.all([
    rows.selectFrom('dispute').selectAll().where('jobId', '=', jobId).execute(),
    rows.selectFrom('chain_transaction').select(['txHash', 'functionName']).where('jobId', '=', jobId).execute(),
    rows.selectFrom('session').selectAll().where('jobId', '=', jobId).execute(),
  ])
  const ids = ['none', ...disputes.map((dispute) => dispute.disputeId)]
  const [verdicts, timeline, verifications] = await Promise.all([
    rows.selectFrom('dispute_verdict').selectAll().where('disputeId', 'in', ids).orderBy('round').execute(),
    rows.selectFrom('dispute_event').selectAll().where('disputeId', 'in', ids).orderBy('seq').execute(),
    rows.selectFrom('verification').select(['id', 'seq']).where('jobId', '=', jobId).execute(),
  ])
  const hashes = ['none', ...verdicts.flatMap(({ reasoningHash }) => reasoningHash ?? [])]
  const rationales = await rows.selectFrom('content').selectAll().where('hash', 'in', hashes).orderBy('owner').execute()
  const names = new Map(sent.map(({ txHash, functionName }) => [txHash.toLowerCase(), `<${functionName}>`]))
  return {
    disputes: disputes.map(({ stage, origin, round, status, reasonCode, remainingRaw, claimant, respondent, arbitrator }) => [
      ...[stage, origin, round, status, reasonCode, remainingRaw, claimant, respondent, arbitrator],
    ]),
    'days to the deadline': disputes.map(({ openedAt, deadlineAt }) => (deadlineAt - openedAt) / DAY_MS),
    'the evidence is sealed': disputes.map(({ evidence, evidenceHash }) => keccakOf(evidence) === evidenceHash),
    'verdicts of the dispute': named(
      verdicts.map(({ disputeId: _id, decidedAt: _at, decisionRequestId, verificationId, ...verdict }) => ({
        ...verdict,
        requested: decisionRequestId !== null,
        verification: verifications.find(({ id }) => id === verificationId)?.seq ?? verificationId,
      })),
      names,
    ),
    'the timeline is numbered from one': timeline.every(({ seq }, index) => seq === index + 1),
    timeline: named(
      timeline.filter((entry) => !isReminder(entry)).map(({ actor, action, data }) => [actor, action, data]),
      names,
    ),
    'people are reminded once a day': ids.every((id) => areADayApart(timeline.filter((entry) => entry.disputeId === id))),
    rationales: rationales
      .map(({ owner, contentType, hash, payload }) => ({
        owner: ownerOf(owner, disputes),
        contentType,
        fits: sha256Of(payload) === hash,
        payload,
      }))
      .sort((left, right) => left.owner.localeCompare(right.owner)),
    outcome: named(
      sessions.map(({ disputeResolution, humanReview, operatorOverturn, rejectionFinalizedAt }) => [
        ...[disputeResolution, humanReview, operatorOverturn, rejectionFinalizedAt !== null],
      ]),
      names,
    ),
  }
}

/** The dispute as the API shows it to its party. */
export const readDisputeResponse = async ({ agent }: Task, { claimed }: Answers): Promise<Print> => {
  const { status, body } = await agent.call(`/disputes/${disputeId(claimed.body.sessionId)}`)
  const { arbitration } = body
  const { secondsRemaining, ...sla } = arbitration?.sla ?? {}
  const timeline = body.timeline
    ?.filter((entry: { action: string }) => !isReminder(entry))
    .map(({ id: _numbered, ...entry }: { id: string }) => entry)
  const shown = { ...body, timeline, arbitration: { ...arbitration, sla: { ...sla, isRunning: secondsRemaining > 0 } } }
  return { 'the dispute as it is shown': [status, named(shown, new Map())] }
}
