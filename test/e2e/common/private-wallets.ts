import type { OperationId } from '../../../schemas/operations/registry.ts'
import type { Agent } from '../support/http.ts'
import { claim, createJob, encode, fundedAgent, GOOD_WORK, leaves } from '../support/jobs.ts'

/** A wallet that worked, and the session, or one that was never seen with an id of the same form. */
export interface Subject {
  wallet: string
  sessionId: string
}

/** What every public operation tells about a wallet: `compared`, or why there is nothing to compare. */
export const PUBLIC: Partial<Record<OperationId, { compared: (subject: Subject) => string } | { because: string }>> = {}
const compare = (id: OperationId, compared: (subject: Subject) => string) => {
  PUBLIC[id] = { compared }
}
const skip = (because: string, ...ids: OperationId[]) => {
  for (const id of ids) PUBLIC[id] = { because }
}

compare('listAgents', () => '/agents?limit=100')
compare('getAgentProfile', ({ wallet }) => `/agents/${wallet}`)
compare('getAgentRegistration', ({ wallet }) => `/agents/${wallet}/registration.json`)
compare('getAgentCard', ({ wallet }) => `/agents/${wallet}/agent-card.json`)
compare(
  'getAgentFeedback',
  ({ wallet, sessionId }) =>
    `/agents/${wallet}/feedback/${encode(sessionId)}?agentRegistry=eip155:1:0x8004a169fb4a3325136eb29fa0ceb6d2e539a432&agentId=1`,
)
skip('badges, receipts and results are public by the specification', 'listBadges', 'getBadge', 'getReceipt', 'getVerificationResult')
skip('a picture shows its badge', 'getBadgePicture', 'getBadgeImage')
skip('the specification lets a reader name the wallet that wants to claim, whose standing is on chain', 'listJobs', 'getJobDefinition')
skip('the answer is about the signed-in wallet, or none', 'getContent', 'getAgentTools', 'getDomainProof')
skip('profiles and prices of verification name no wallet of a worker', 'getX402Manifest', 'getX402ManifestFile')

/** The public operations whose answers about two wallets are compared, each with its path. */
export const COMPARED = Object.entries(PUBLIC).flatMap(([id, row]) => ('compared' in row ? [[id, row.compared] as const] : []))

/** A wallet and a session that the service has never seen. */
export const NEVER_SEEN: Subject = { wallet: `0x${'5'.repeat(40)}`, sessionId: `no-job:0x${'5'.repeat(40)}` }

/** A wallet that was paid for its work, gave its consent to a public profile and withdrew it. */
export const prepareWithdrawnWallet = async (
  world: Parameters<typeof createJob>[0] & Parameters<typeof fundedAgent>[0],
): Promise<{ agent: Agent; worked: Subject }> => {
  const agent = await fundedAgent(world)
  const { sessionId } = await claim(agent, await createJob(world))
  await agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })
  const { status } = await leaves(agent, sessionId, 'submitted')
  if (status !== 'resolved') throw new Error(`the work was not paid: its session is ${status}`)
  const worked = { wallet: agent.account.address.toLowerCase(), sessionId }
  await agent.post('/agents/consent', { publicProfileOptIn: true })
  await agent.get(`/agents/${worked.wallet}`)
  await agent.post('/agents/consent', { publicProfileOptIn: false })
  return { agent, worked }
}
