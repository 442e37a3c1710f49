import { z } from 'zod'
import { changeListing, readConsent } from '../../activities/consents/listing.ts'
import { countDirectory, listAgents, readRowFacts } from '../../activities/directory/listing.ts'
import { findPaidReceipt } from '../../activities/receipts/records.ts'
import { normaliseSessionId } from '../../domain/common/ids.ts'
import { iso } from '../../domain/common/instants.ts'
import { amount } from '../../domain/common/money.ts'
import { CONSENT_POLICY_VERSION, CONSENT_STATEMENT } from '../../domain/consents/listing.ts'
import { shownCounts } from '../../domain/directory/aggregate.ts'
import { agentRow } from '../../domain/directory/profile.ts'
import { agentCard, feedbackFile, registrationFile } from '../../domain/directory/standards.ts'
import { PAGE_ROWS } from '../../pages/parts.ts'
import type * as directoryOperations from '../../schemas/directory/operations.ts'
import type { AgentProfile } from '../../schemas/directory/shapes.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { Answer, HandlersOf, Input } from '../../schemas/operations/operation.ts'
import { WorkReceiptShape } from '../../schemas/receipts/shapes.ts'
import type { ApiDeps } from '../deps.ts'
import { NO_STORE } from '../http/answers.ts'
import { memoizeFor } from '../http/cache.ts'
import { withIdempotentTransaction } from '../http/idempotency.ts'
import { listPage, TextKey } from '../http/pagination.ts'
import { agentsPage } from './agents-page.ts'
import { profilePage } from './profile-page.ts'
import { createProfileReader } from './profiles.ts'

const Position = z.object({ score: z.string().regex(/^[0-9]{1,78}$/), wallet: TextKey })
/** Time for which a process keeps the counts over all wallets. */
const COUNTS_MS = 5_000

/** The directory of workers: list, profiles, their forms by other standards, and the consent to be listed. */
export const createDirectoryHandlers = (deps: ApiDeps): HandlersOf<typeof directoryOperations> => {
  const { settings, chain, database, reads, clock, baseUrl } = deps
  const { rows } = database
  const identities = settings.OPERATOR_IDENTITIES
  const counts = memoizeFor(COUNTS_MS, () => countDirectory(rows, clock.now()))
  const context = () => ({ identities, asset: chain.asset, now: clock.now() })

  const findProfile = createProfileReader(deps)

  const publicProfile = async (wallet: string): Promise<AgentProfile> => {
    const found = await findProfile(rows, wallet, null)
    if (found === null) throw new ServiceError('agent_not_found')
    return found.profile
  }

  const readAgents = async ({ includeSynthetic = false, ...query }: Input<typeof directoryOperations.listAgents>['query']) => {
    const page = listPage({ ...query, operationId: 'listAgents', filters: { includeSynthetic }, position: Position })
    const hidden = includeSynthetic ? [] : Object.keys(identities)
    const found = await listAgents(rows, { limit: page.readLimit, after: page.after, hidden })
    const { rows: shown, ...envelope } = page.cut(found, ({ score, wallet }) => ({ score: score.toString(), wallet }))
    const [facts, counted] = await Promise.all([readRowFacts(rows, reads, shown, clock.now()), counts.get()])
    const agents = shown.flatMap((agent) => {
      const own = facts.get(agent.wallet)
      if (own === undefined) return []
      const { activeStakeRaw, decimals, ...row } = agentRow(agent, own, context())
      return [{ ...row, activeStake: amount({ raw: activeStakeRaw, decimals }) }]
    })
    return { agents, aggregate: shownCounts(counted), ...envelope }
  }

  return {
    listAgents: async ({ query }) => {
      const { includeSynthetic = false, limit } = query
      const body = await readAgents(query)
      const forPage = async () => (limit > PAGE_ROWS ? readAgents({ ...query, limit: PAGE_ROWS }) : body)
      return { status: 200, body, page: async () => agentsPage(await forPage(), { includeSynthetic, baseUrl }) }
    },

    getAgentProfile: async ({ params: { wallet }, caller }) => {
      const found = await findProfile(rows, wallet, caller?.wallet ?? null)
      if (found === null) throw new ServiceError('agent_not_found')
      const { profile, isPublic } = found
      return { status: 200, body: profile, page: () => profilePage(profile, baseUrl), ...(isPublic ? {} : { headers: NO_STORE }) }
    },

    getAgentRegistration: async ({ params: { wallet } }) => ({
      status: 200,
      body: registrationFile(await publicProfile(wallet), { baseUrl, caip2: chain.caip2 }),
    }),

    getAgentCard: async ({ params: { wallet } }) => ({ status: 200, body: agentCard(await publicProfile(wallet), baseUrl) }),

    getAgentFeedback: async ({ params: { wallet, sessionId }, query }) => {
      if (!(await readConsent(rows, wallet)).publicProfile) throw new ServiceError('agent_not_found')
      const stored = await findPaidReceipt(rows, { worker: wallet, sessionId: normaliseSessionId(sessionId) ?? '' })
      const file = stored && feedbackFile(WorkReceiptShape.parse(JSON.parse(stored.document)), query, chain)
      if (file === null) throw new ServiceError('feedback_not_found')
      return { status: 200, body: file }
    },

    getDomainProof: async () => ({ status: 200, body: { registrations: settings.ERC8004_REGISTRATIONS } }),

    setAgentConsent: (input) =>
      withIdempotentTransaction<Answer<typeof directoryOperations.setAgentConsent>>(deps, input, async (own) => {
        const { wallet, token } = input.caller
        const consent = await changeListing(own, { wallet, jti: token?.jti ?? null, at: clock.now(), ...input.body })
        const { publicProfile: publicProfileOptIn, currentActivity: currentActivityOptIn, updatedAt } = consent
        const policy = { policyVersion: CONSENT_POLICY_VERSION, statement: CONSENT_STATEMENT }
        return { status: 200, body: { wallet, publicProfileOptIn, currentActivityOptIn, updatedAt: iso(updatedAt), ...policy } }
      }),
  }
}
