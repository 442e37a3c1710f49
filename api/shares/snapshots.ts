import { listContent } from '../../activities/content/records.ts'
import type { Rows } from '../../activities/database/database.ts'
import { findDispute } from '../../activities/disputes/rows.ts'
import { nativeAccountMember } from '../../activities/identity/native-accounts.ts'
import { getSession } from '../../activities/sessions/records.ts'
import { sessionTimeline } from '../../activities/sessions/timeline.ts'
import { normaliseSessionId } from '../../domain/common/ids.ts'
import { contentVisibility } from '../../domain/content/visibility.ts'
import { canReadDispute } from '../../domain/disputes/readers.ts'
import { sessionRow } from '../../domain/sessions/view.ts'
import { disputeSnapshot } from '../../domain/shares/dispute-snapshot.ts'
import { POLICIES } from '../../domain/shares/policies.ts'
import { sessionSnapshot } from '../../domain/shares/session-snapshot.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { WalletPrincipal } from '../../schemas/identity/authorisation.ts'
import type { ShareSurface } from '../../schemas/shares/record.ts'
import type { SharedResource } from '../../schemas/shares/shapes.ts'
import type { ReadProfile } from '../directory/profiles.ts'
import { viewDisputeOf } from '../disputes/views.ts'

/** Where and when a snapshot is taken. `now` in epoch ms. */
interface SnapshotContext {
  rows: Rows
  now: number
  baseUrl: string
  findProfile: ReadProfile
}

type TakeSnapshot = (context: SnapshotContext, ref: string, caller: WalletPrincipal) => Promise<{ ref: string; resource: SharedResource }>

const forbidden = (surface: ShareSurface): ServiceError => new ServiceError('share_forbidden', { details: { surface } })

const takeAgent: TakeSnapshot = async ({ rows, findProfile }, ref, caller) => {
  const wallet = ref.toLowerCase()
  if (wallet !== caller.wallet) throw forbidden('agent')
  const found = await findProfile(rows, wallet, null)
  if (found === null) throw new ServiceError('agent_not_found', { details: { wallet } })
  // What the wallet works on now has a consent of its own, which a copy would outlive.
  const { currentActivity: _, ...profile } = found.profile
  return { ref: wallet, resource: { kind: 'agent_profile', profile } }
}

const takeSession: TakeSnapshot = async ({ rows, now }, ref, caller) => {
  const sessionId = normaliseSessionId(ref) ?? ref
  const session = await getSession(rows, sessionId)
  if (session.wallet !== caller.wallet && !caller.roles.includes('admin'))
    throw new ServiceError('session_not_owned', { details: { sessionId } })
  const timeline = await sessionTimeline(rows, session, session.statusHistory.length)
  return { ref: sessionId, resource: sessionSnapshot(sessionRow(session, now, await nativeAccountMember(rows, session.wallet)), timeline) }
}

/** The rationale of a dispute if its content is public; null otherwise. */
const findPublicRationale = async ({ rows, now }: SnapshotContext, hash: string | undefined, rationale: string | undefined) => {
  if (hash === undefined || rationale === undefined) return null
  const isPublic = (await listContent(rows, hash)).some((row) => contentVisibility(row, now) === 'public')
  return isPublic ? rationale : null
}

const takeDispute: TakeSnapshot = async (context, disputeId, caller) => {
  const dispute = await findDispute(context.rows, disputeId)
  // A dispute that the caller may not read looks like none.
  if (dispute === null || !canReadDispute(dispute, caller)) throw new ServiceError('dispute_not_found', { details: { disputeId } })
  const { timeline, ...view } = await viewDisputeOf(context.rows, dispute.sessionId, context)
  const { reasoningHash, rationale } = { reasoningHash: undefined, rationale: undefined, ...view }
  return { ref: disputeId, resource: disputeSnapshot(view, timeline, await findPublicRationale(context, reasoningHash, rationale)) }
}

const takePolicy: TakeSnapshot = async (_context, tag, caller) => {
  if (!caller.roles.includes('admin')) throw forbidden('policy')
  const policy = POLICIES.find((one) => one.tag === tag)
  if (policy === undefined) throw new ServiceError('policy_not_found', { details: { tags: POLICIES.map((one) => one.tag) } })
  return { ref: tag, resource: { kind: 'policy_snapshot', policy } }
}

/** Takes the redacted copy of a record that the caller may share. Throws 404 for a missing record, 403 for one of another wallet. */
export const TAKE: Readonly<Record<ShareSurface, TakeSnapshot>> = {
  agent: takeAgent,
  session: takeSession,
  dispute: takeDispute,
  policy: takePolicy,
}
