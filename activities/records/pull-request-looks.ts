import { awaitsVerdict } from '../../domain/session-graph.ts'
import type { CodehostLookup } from '../../schemas/codehost.ts'
import type { LookResult, VerifierHandlerActivities } from '../../schemas/processes/verifier-run.ts'
import type { SessionRecord } from '../../schemas/session-record.ts'
import { evaluateSession, type VerdictRecord } from '../verifiers/verdicts.ts'
import { recordObservation } from './pull-requests.ts'
import { needSession } from './sessions.ts'
import { askedFor, findVerdict, resultOf, storeVerdict, type VerificationDeps } from './verifications.ts'

const isLookup = (value: unknown): value is CodehostLookup => value !== null && typeof value === 'object' && 'status' in value

/**
 * What a pull request settles by itself: an approval, and a fault of the platform, which people must hear of. They hear of it once: after
 * that the session is theirs, and a fault that lasts would be told again at every look.
 */
const settlesItself = ({ outcome }: VerdictRecord, { status }: SessionRecord): boolean =>
  outcome === 'approved' || (outcome === 'platform_fault' && status === 'submitted')

/** Looks at the pull request of a submission. Source: lifecycle, "Review loop". */
export const createPullRequestLooks = ({
  database,
  clock,
  handlers,
  publicBaseUrl,
}: VerificationDeps): Pick<VerifierHandlerActivities, 'lookAtPullRequest'> => ({
  lookAtPullRequest: async ({ sessionId, runId, look, decisive, ...asker }): Promise<LookResult> => {
    const name = `look-${look}`
    const decided = await findVerdict(database.rows, `${runId}/${name}`)
    if (decided !== null) return resultOf(decided)
    const session = await needSession(database.rows, sessionId)
    if (!awaitsVerdict(session)) return { kind: 'over', status: session.status }
    const evaluated = await evaluateSession(session, handlers, { publicBaseUrl, now: clock.now() })
    if ('unavailable' in evaluated) return { kind: 'unavailable', ...evaluated.unavailable }
    const { verdict } = evaluated
    const { codehostLookup } = verdict
    const disposition = isLookup(codehostLookup)
      ? await database.transaction((rows) => recordObservation(rows, sessionId, codehostLookup, clock.now()))
      : null
    if (decisive || settlesItself(verdict, session)) {
      return resultOf(await storeVerdict(database, session, { runId, name, once: 'step' }, askedFor(verdict, asker), clock.now()))
    }
    const { outcome, reasonCode, detail } = verdict
    return { kind: 'held', outcome, reasonCode, detail, disposition: disposition ?? 'awaiting_evidence' }
  },
})
