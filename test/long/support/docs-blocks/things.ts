// Real things of a stack for the variables of the documentation.
import { createHmac } from 'node:crypto'
import type { Client } from '@temporalio/client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { disputeId } from '../../../../domain/common/ids.ts'
import { createRemoteSide } from '../../../../local/chain/remote-side.ts'
import { LOCAL_HOOK_SECRET } from '../../../../local/codehost/start.ts'
import { OPERATIONS } from '../../../../schemas/operations/registry.ts'
import { buyRun } from '../../../e2e/paid-verification/buying.ts'
import { disputePath, RATIONALE, rejectedBy, reviewedBy } from '../../../e2e/support/disputes.ts'
import type { Agent, Reply } from '../../../e2e/support/http.ts'
import { claim, createJob, deposit, GOOD_WORK, leaves, lend, lendingAgent } from '../../../e2e/support/jobs.ts'
import type { World } from '../../../e2e/support/world.ts'
import { eventually } from '../../../support/eventually.ts'
import { addDivergedSession } from '../../../support/records/diverged-session.ts'
import { idleConsent, lock, signedQuote } from '../../../support/records/locked-deposits.ts'
import { ageJob, newDraft, newPosting } from '../../../support/records/postings.ts'
import { WEBHOOK_HOST } from '../../../support/webhooks/receiver.ts'

/** Name of a variable → its value. */
export type Variables = Record<string, string>

const WEBHOOK_URL = `http://${WEBHOOK_HOST}/webhooks`
export const METRICS_SECRET = 'a-metrics-secret-of-the-documentation'

const consentOf = ({ terms, termsHash, consentSignature }: Awaited<ReturnType<typeof signedQuote>>): Variables => ({
  TERMS: JSON.stringify(terms),
  TERMS_HASH: termsHash,
  CONSENT_SIGNATURE: consentSignature,
})

/** A worker with a paid job, money in its account and in a strategy, a public profile, a dispute and a cross-chain request. */
export const seed = async (world: World, engine: Client) => {
  const key = generatePrivateKey()
  const agent = await world.agent(privateKeyToAccount(key))
  const wallet = agent.account.address
  await deposit(world, agent, 60_000_000n)
  await lend(world, agent)
  await world.view.fund(wallet, 20_000_000n)
  const paid = await claim(agent, await createJob(world))
  await agent.post('/jobs/submit', { sessionId: paid.sessionId, submission: GOOD_WORK })
  await leaves(agent, paid.sessionId, 'submitted')
  await agent.post('/agents/consent', { publicProfileOptIn: true })
  const [review, decided] = [await reviewedBy(world, engine, agent), await reviewedBy(world, engine, agent)]
  await world.admin.post(`${disputePath(decided)}/verdict`, { verdict: 'upheld', rationale: RATIONALE })
  await leaves(agent, decided.sessionId, 'disputed')
  const { reasoningHash } = await agent.get(disputePath(decided))
  const receipts = await eventually(
    'a receipt is there',
    async () => (await agent.get('/receipts?limit=1')).receipts,
    ({ length }) => length > 0,
  )
  const crossChain = (): Promise<string> => createRemoteSide(world.chain, world.info.rpcUrl).deposit(wallet, 1_000_000n)
  const heads = await eventually(
    'a head is published',
    async () => (await agent.get('/log/heads?limit=1')).heads,
    ({ length }) => length > 0,
  )
  const share = await agent.post('/shares', { surface: 'session', sessionId: paid.sessionId }, 201)
  const arbitrator = await world.agent(privateKeyToAccount(world.info.keys.arbitrator))
  const operator = await world.agent(world.operatorAccount)

  const usual: Variables = {
    TOKEN: agent.token(),
    ADMIN_TOKEN: world.admin.token(),
    VERIFIER_TOKEN: world.verifier.token(),
    ARBITRATOR_TOKEN: arbitrator.token(),
    METRICS_SECRET,
    WALLET: wallet,
    WEBHOOK_URL,
    JOB_ID: await createJob(world),
    SESSION_ID: paid.sessionId,
    SUBMISSION: JSON.stringify(GOOD_WORK),
    DISPUTE_ID: disputeId(review.sessionId),
    SHARE_ID: share.share.id,
    SHARE_TOKEN: share.token,
    RECEIPT_ID: receipts[0].receiptId,
    CONTENT_HASH: reasoningHash,
    RUN_ID: (await buyRun(world)).body.runId,
    REQUEST_ID: await crossChain(),
    DAY: heads[0].day,
  }

  const signInMessage = async (): Promise<Variables> => {
    const { message } = await world.expectCall(200, '/auth/nonce', { body: { wallet } })
    return { MESSAGE: JSON.stringify(message), SIGNATURE: await agent.account.signMessage({ message }) }
  }
  const webhook = async (): Promise<Variables> => {
    const owner = await world.agent()
    const { id } = await owner.post('/webhooks', { url: WEBHOOK_URL, topics: ['content.disclosed'] }, 201)
    return { TOKEN: owner.token(), WEBHOOK_ID: id }
  }
  const ownToken = async (): Promise<Variables> => ({ TOKEN: (await world.agent(agent.account)).token() })
  const granted = { subject: wallet, capabilities: ['jobs:claim'] }
  const serviceToken = async (): Promise<Variables> => ({
    GRANT_ID: (await world.admin.post('/admin/service-tokens', granted, 201)).grant.id,
  })
  const drafted = async (): Promise<Variables> => {
    const { agent: poster, draft } = await newDraft(world)
    return { TOKEN: poster.token(), DRAFT_ID: draft.draftId }
  }
  const claimed = async (owner: Agent): Promise<Reply['body']> => claim(owner, await createJob(world, { onboardingWaiverEligible: true }))

  const newTemplate = async () => ({ TEMPLATE_ID: await createJob(world, { recurring: true, schedule: { cron: '0 0 1 1 *' } }) })

  /** Operations that use their thing up, or need one in another state: a new one for each block. */
  const own: Record<string, () => Promise<Variables>> = {
    verifySignature: signInMessage,
    logout: ownToken,
    refreshToken: ownToken,
    // Of a wallet of its own: it ends the sign-ins of every other block.
    revokeAuthSessions: async () => ({ TOKEN: (await world.agent()).token() }),
    claimJob: async () => ({ JOB_ID: await createJob(world) }),
    submitWork: async () => ({ SESSION_ID: (await claimed(agent)).sessionId }),
    fireTemplate: newTemplate,
    pauseTemplate: newTemplate,
    resumeTemplate: newTemplate,
    setJobLifecycle: async () => ({ JOB_ID: await createJob(world) }),
    closeSession: async () => {
      const another = await world.agent()
      return { SESSION_ID: await addDivergedSession(world.database, await claimed(another), await createJob(world)) }
    },
    overturnSession: async () => ({ SESSION_ID: (await rejectedBy(world, agent)).sessionId }),
    buildRecallTransactions: async () => ({ TOKEN: (await lendingAgent(world)).token() }),
    getDisputeFile: async () => ({ DISPUTE_ID: disputeId(decided.sessionId) }),
    runVerifier: async () => ({ SESSION_ID: review.sessionId }),
    observeXcmRequest: async () => ({ REQUEST_ID: await crossChain() }),
    finalizeXcmRequest: async () => {
      const requestId = await crossChain()
      await world.admin.post('/admin/xcm/observe', { requestId, status: 'cancelled' })
      return { REQUEST_ID: requestId }
    },
    decideReview: async () => ({ SESSION_ID: review.sessionId }),
    ...Object.fromEntries(['getWebhook', 'deleteWebhook', 'pauseWebhook', 'resumeWebhook', 'testWebhook'].map((id) => [id, webhook])),
    ...Object.fromEntries(['getJobDraft', 'buildPostJobTransactions', 'rehearseDraft'].map((id) => [id, drafted])),
    buildCancelTransactions: async () => {
      const { agent: poster, draft } = await newPosting(world)
      await ageJob(world, draft.jobId, 3_600)
      return { TOKEN: poster.token(), JOB_ID: draft.jobId }
    },
    delistJob: async () => ({ JOB_ID: (await newPosting(world)).draft.jobId }),
    revokeShare: async () => ({
      SHARE_ID: (await agent.post('/shares', { surface: 'session', sessionId: paid.sessionId, ttlSeconds: 600 }, 201)).share.id,
    }),
    rotateServiceToken: serviceToken,
    revokeServiceToken: serviceToken,
    revokeCapabilityGrant: async () => ({ GRANT_ID: (await world.admin.post('/admin/capability-grants', granted, 201)).id }),
    fundAccount: async () => ({ TOKEN: operator.token() }),
    createLockedDeposit: async () => consentOf(await signedQuote(agent)),
    exitLockedDeposit: async () => ({ DEPOSIT_ID: (await lock(agent)).id }),
    consentToIdleAllocation: async () => consentOf(await idleConsent(agent)),
    receiveCodehostEvent: async () => {
      const raw = JSON.stringify(OPERATIONS.receiveCodehostEvent.examples.body)
      return {
        X_GITHUB_EVENT: 'pull_request',
        X_GITHUB_DELIVERY: crypto.randomUUID(),
        X_HUB_SIGNATURE_256: `sha256=${createHmac('sha256', LOCAL_HOOK_SECRET).update(raw).digest('hex')}`,
      }
    },
  }
  return {
    agent,
    key,
    /** Values for a block of an operation, of the variables that its page names. */
    valuesFor: async (operation: string, names: readonly string[]): Promise<Variables> => {
      const all: Variables = { ...usual, ...(await own[operation]?.()) }
      return Object.fromEntries(names.flatMap((name) => (all[name] === undefined ? [] : [[name, all[name]]])))
    },
  }
}
export type Seeded = Awaited<ReturnType<typeof seed>>
