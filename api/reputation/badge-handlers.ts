import { z } from 'zod'
import { pendingClaim } from '../../activities/claims/intents.ts'
import { findTracked, type TrackedDelivery, trackedOfSessions } from '../../activities/deliveries/records.ts'
import { type NativeAccountView, nativeAccountMember, nativeAccountViews } from '../../activities/identity/native-accounts.ts'
import { type BadgeRow, findBadge, listBadges } from '../../activities/reputation/badges.ts'
import { findSession } from '../../activities/sessions/records.ts'
import { normaliseSessionId } from '../../domain/common/ids.ts'
import { iso } from '../../domain/common/instants.ts'
import { publicDelivery } from '../../domain/deliveries/view.ts'
import { type AgentBadge, badgeUrl } from '../../domain/reputation/badge.ts'
import { canBeApproved, effectiveStatus } from '../../domain/sessions/state-machine.ts'
import { sessionNextActions } from '../../domain/sessions/view.ts'
import { type NextAction, ServiceError } from '../../schemas/errors.ts'
import type { HandlersOf } from '../../schemas/operations/operation.ts'
import type * as reputationOperations from '../../schemas/reputation/operations.ts'
import type { ApiDeps } from '../deps.ts'
import { InstantKey, listPage, TextKey } from '../http/pagination.ts'
import { type BadgeTransactions, badgePage } from './badge-page.ts'
import { badgePicture, PICTURE_POLICY } from './badge-picture.ts'
import { createPngs } from './picture-png.ts'

const Position = z.object({ issuedAt: InstantKey, sessionId: TextKey })

/** Documents are stored as signed; the issuing step has validated them. */
const documentOf = ({ document }: BadgeRow): AgentBadge => document as unknown as AgentBadge

const pollResult = (sessionId: string): NextAction => ({
  kind: 'http',
  method: 'GET',
  path: `/verifier/result?sessionId=${encodeURIComponent(sessionId)}`,
  description: 'Poll the verification result until it is approved; the badge comes with the payout.',
})

/** Public reads of badges. */
export const createBadgeHandlers = (
  deps: ApiDeps,
): Pick<HandlersOf<typeof reputationOperations>, 'listBadges' | 'getBadge' | 'getBadgePicture' | 'getBadgeImage'> => {
  const { clock, baseUrl } = deps
  const { rows } = deps.database
  const pngOf = createPngs()

  const rowView = (row: BadgeRow, nativeAccount: NativeAccountView | undefined, delivery: TrackedDelivery | undefined) => {
    const { sessionId, jobId, worker, level, category, evidenceHash, chainJobId, issuedAt } = row
    const badge = documentOf(row)
    return {
      sessionId,
      jobId,
      worker,
      ...(nativeAccount !== undefined && { nativeAccount }),
      level,
      category,
      evidenceHash,
      badge,
      kind: 'badge',
      issuedAt: iso(issuedAt),
      signers: badge.signers,
      blockRef: chainJobId,
      canonicalUrl: badgeUrl(baseUrl, sessionId),
      ...(delivery !== undefined && { delivery: publicDelivery(delivery) }),
    }
  }

  const notReady = (sessionId: string, status: string, nextActions: NextAction[]): ServiceError =>
    new ServiceError('badge_not_ready', {
      reason: status,
      detail: `The session is ${status}; only approved work has a badge.`,
      details: { sessionId, status },
      nextActions,
    })

  /** The error for a session without a badge: unknown session, a badge that may still come, or one that never does. */
  const noBadge = async (sessionId: string): Promise<ServiceError> => {
    const session = await findSession(rows, sessionId)
    if (session === null)
      return (await pendingClaim(rows, sessionId)) === null
        ? new ServiceError('session_not_found', { details: { sessionId } })
        : notReady(sessionId, 'pending', [pollResult(sessionId)])
    const now = clock.now()
    const status = effectiveStatus(session, now)
    const remaining = sessionNextActions(session, now)
    if (canBeApproved(session, now)) return notReady(sessionId, status, status === 'rejected' ? remaining : [pollResult(sessionId)])
    return new ServiceError('badge_not_earned', {
      reason: status,
      detail: `The session ended as ${status} without approved work.`,
      details: { sessionId, status },
      nextActions: remaining,
    })
  }

  /** The badge of a session, in any case of its address. Throws the reason for which there is none. */
  const getDocument = async (given: string): Promise<AgentBadge> => {
    const sessionId = normaliseSessionId(given)
    if (sessionId === null) throw new ServiceError('session_not_found', { details: { sessionId: given } })
    const badge = await findBadge(rows, sessionId)
    if (badge === null) throw await noBadge(sessionId)
    return documentOf(badge)
  }

  const transactionsOf = async ({ service }: AgentBadge): Promise<BadgeTransactions> => {
    const session = await findSession(rows, service.sessionId)
    return {
      claimed: session?.claimTxHash ?? null,
      submitted: session?.submitTxHash ?? null,
      paid: session?.payoutTx?.txHash ?? null,
    }
  }

  /** The page shows beside the signed document what it cannot hold. */
  const pageOf = async (document: AgentBadge): Promise<string> => {
    const [transactions, { nativeAccount }, delivery] = await Promise.all([
      transactionsOf(document),
      nativeAccountMember(rows, document.service.worker.toLowerCase()),
      findTracked(rows, document.service.sessionId),
    ])
    return badgePage(document, { transactions, nativeAccount, delivery }, baseUrl)
  }

  return {
    listBadges: async ({ query }) => {
      const page = listPage({ ...query, operationId: 'listBadges', filters: {}, position: Position })
      const found = await listBadges(rows, { limit: page.readLimit, after: page.after })
      const { rows: shown, ...envelope } = page.cut(found, ({ issuedAt, sessionId }) => ({ issuedAt, sessionId }))
      const [accounts, tracked] = await Promise.all([
        nativeAccountViews(rows, [...new Set(shown.map(({ worker }) => worker))]),
        trackedOfSessions(
          rows,
          shown.map(({ sessionId }) => sessionId),
        ),
      ])
      return {
        status: 200,
        body: { badges: shown.map((row) => rowView(row, accounts.get(row.worker), tracked.get(row.sessionId))), ...envelope },
      }
    },

    getBadge: async ({ params }) => {
      const document = await getDocument(params.sessionId)
      return { status: 200, body: document, page: () => pageOf(document) }
    },

    getBadgePicture: async ({ params }) => ({
      status: 200,
      body: badgePicture(await getDocument(params.sessionId)),
      headers: { 'content-security-policy': PICTURE_POLICY },
    }),

    getBadgeImage: async ({ params, request }) => ({
      status: 200,
      body: await pngOf(badgePicture(await getDocument(params.sessionId)), request),
    }),
  }
}
