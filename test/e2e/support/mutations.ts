// How each operation that is no GET handles repeated requests: by a key, by nature, by changing no record, or by an exemption.
import { Client, Connection } from '@temporalio/client'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { storeContent } from '../../../activities/content/records.ts'
import { disputeId } from '../../../domain/common/ids.ts'
import { createRemoteSide } from '../../../local/chain/remote-side.ts'
import { claimWorkflowId } from '../../../schemas/claims/process.ts'
import type { OPERATIONS, OperationId } from '../../../schemas/operations/registry.ts'
import { webhookProgress, webhookWorkflowId } from '../../../schemas/webhooks/process.ts'
import { grantTo } from '../../api/support/delegates.ts'
import { INGESTION_CASES } from '../../support/cases/ingestion-mutations.ts'
import { LANE_CASES } from '../../support/cases/lane-mutations.ts'
import { OAUTH_CASES } from '../../support/cases/oauth-mutations.ts'
import { PAID_VERIFICATION_CASES } from '../../support/cases/paid-verification-mutations.ts'
import { POSTING_CASES } from '../../support/cases/posting-mutations.ts'
import { TEMPORAL_CASES } from '../../support/cases/temporal-mutations.ts'
import { eventually } from '../../support/eventually.ts'
import type { FleetWorld } from '../../support/fleet/world.ts'
import { addDivergedSession } from '../../support/records/diverged-session.ts'
import { idleConsent, lock, signedQuote } from '../../support/records/locked-deposits.ts'
import { WEBHOOK_HOST } from '../../support/webhooks/receiver.ts'
import { rejectedBy } from './disputes.ts'
import type { Agent, Reply } from './http.ts'
import { beforeVerification, claim, createJob, fundedAgent, GOOD_WORK, leaves, lendingAgent, newJob, submitUnderFault } from './jobs.ts'

/** Operations that a request can change something with, by the registry. */
export type MutationId = { [Id in OperationId]: (typeof OPERATIONS)[Id]['method'] extends 'GET' ? never : Id }[OperationId]

export interface Stage {
  world: FleetWorld
  engine: Client
  /** A second admin and verifier, so that two permitted wallets can send the same key. */
  secondAdmin: Agent
  secondVerifier: Agent
}

/** A new record to act on, and the callers. */
export interface Subject {
  agent: Agent
  /** Members of the path. */
  params?: Record<string, string>
  body: object
  /** Other content that the operation would accept under another key; null for an operation with one content only. */
  other: object | null
  /** Members of the path of the other content, where they differ. */
  otherParams?: Record<string, string>
  /** The same key of another wallet, whose request is independent. */
  stranger: { agent: Agent; params?: Record<string, string>; body: object; answer: number }
  /** Resolves when the accepted content has had all its effects. */
  settled?: () => Promise<unknown>
}

type Keyed = Extract<Case, { kind: 'keyed' }>
export type Case =
  | {
      kind: 'keyed'
      /** True where one transaction stores effect and answer: then exactly one caller gets an answer that is no replay. */
      oneTransaction: boolean
      /** True where repeated requests without a key have one effect, too: the subject accepts one request only. */
      protectsItself: boolean
      /** Members that the first answer and the replays do not share: a secret that is shown once. */
      shownOnce?: readonly string[]
      /** Codes that ask a caller to repeat while it is undecided which of two contents has the key. */
      inBetween: readonly string[]
      prepare: (stage: Stage) => Promise<Subject>
    }
  | {
      kind: 'natural'
      /** Why repeated requests do no damage without a key. */
      because: string
      /** How many of the repeated requests may succeed. */
      accepted: 'one' | 'some'
      refusal: string
      /** Members that equal answers do not share. */
      differing?: readonly string[]
      prepare: (stage: Stage) => Promise<{ token: string | undefined; body: object }>
    }
  | { kind: 'pure'; because: string; prepare: (stage: Stage) => Promise<{ token: string | undefined; body: object }> }
  | { kind: 'exempt'; because: string }

/** A queued cross-chain deposit of a new wallet. */
const queuedRequest = async (world: FleetWorld): Promise<string> => {
  const agent = await world.agent()
  return createRemoteSide(world.chainFile, world.rpcUrl).deposit(agent.account.address, 1_000_000n)
}

const STARTER = { onboardingWaiverEligible: true, rewardAmount: 0.2 } as const

/** A wallet beside the configured ones, which the settings of a fleet must name. */
export const extraWallet = () => privateKeyToAccount(generatePrivateKey())

interface Claimed {
  agent: Agent
  session: Reply['body']
}

const claimed = async ({ world }: Stage): Promise<Claimed> => {
  const [agent, jobId] = await Promise.all([world.agent(), createJob(world, STARTER)])
  return { agent, session: await claim(agent, jobId) }
}

const submit = ({ agent, session: { sessionId } }: Claimed): Promise<Reply['body']> =>
  agent.post('/jobs/submit', { sessionId, submission: GOOD_WORK })

const decided = async ({ agent, session: { sessionId } }: Claimed): Promise<void> => {
  await leaves(agent, sessionId, 'claimed')
  await leaves(agent, sessionId, 'submitted')
}

/** Work that the verifier rejected. */
const rejected = async (stage: Stage): Promise<Claimed> => {
  const agent = await stage.world.agent()
  return { agent, session: await rejectedBy(stage.world, agent, STARTER) }
}

/** Work that people have to decide, since the terms pinned at its claim no longer verify. */
const inReview = async (stage: Stage): Promise<Claimed> => {
  const taken = await claimed(stage)
  await submitUnderFault(stage.world, stage.engine, { agent: taken.agent, sessionId: taken.session.sessionId })
  return taken
}

/** Whether the claim of a job has once started its verification. */
const hasLooked = async ({ engine }: Stage, jobId: string): Promise<boolean> => {
  const { events } = await engine.workflow.getHandle(claimWorkflowId(jobId)).fetchHistory()
  const looks = events?.find((event) => event.activityTaskScheduledEventAttributes?.activityType?.name === 'startVerifier')
  const ended = events?.map(({ activityTaskCompletedEventAttributes }) =>
    activityTaskCompletedEventAttributes?.scheduledEventId?.toString(),
  )
  return looks !== undefined && ended?.includes(looks.eventId?.toString()) === true
}

/** A submission without a verification: its claim started one when none could begin. */
const undecided = async (stage: Stage): Promise<Claimed> => {
  const taken = await claimed(stage)
  const { sessionId, jobId } = taken.session
  await beforeVerification(stage.engine, sessionId, async () => {
    await submit(taken)
    await eventually(`the claim of ${jobId} starts its verifier`, () => hasLooked(stage, jobId))
  })
  return taken
}

const diverged = async (stage: Stage): Promise<string> => {
  const [{ session }, jobId] = await Promise.all([claimed(stage), createJob(stage.world)])
  return addDivergedSession(stage.world.database, session, jobId)
}

const AT_ONCE = { kind: 'keyed', oneTransaction: true, protectsItself: false, inBetween: [] } as const
/** A process has the effect. */
const BY_A_PROCESS = { ...AT_ONCE, oneTransaction: false } as const

/** A subject of the caller's and one of the stranger's. */
const two = (make: (stage: Stage) => Promise<Claimed>, stage: Stage): Promise<[mine: Claimed, theirs: Claimed]> =>
  Promise.all([make(stage), make(stage)])

const TOKEN_MEMBERS = ['token', 'tokenAvailable', 'tokenOmittedReason']
const GRANTED = { capabilities: ['jobs:preflight'] }

/** A request to issue for a wallet that never signs in, so that no two tests share a subject. */
const grantSubject = ({ world, secondAdmin }: Stage): Subject => {
  const bodyOf = () => ({ subject: extraWallet().address, ...GRANTED })
  return { agent: world.admin, body: bodyOf(), other: bodyOf(), stranger: { agent: secondAdmin, body: bodyOf(), answer: 201 } }
}

/** A request about a service token, or a grant of a wallet, that is in force. */
const grantChange =
  (path: '/admin/service-tokens' | '/admin/capability-grants', answer: number): Keyed['prepare'] =>
  async ({ world, secondAdmin }) => {
    const issue = async (): Promise<string> => {
      const { id, grant = { id } } = await world.admin.post(path, { subject: extraWallet().address, ...GRANTED }, 201)
      return grant.id
    }
    const [id, other, theirs] = [await issue(), await issue(), await issue()]
    const stranger = { agent: secondAdmin, params: { id: theirs }, body: {}, answer }
    return { agent: world.admin, params: { id }, body: {}, other: {}, otherParams: { id: other }, stranger }
  }

/** A webhook that gets no event unless a test sends one. */
const WEBHOOK_BODY = { url: `http://${WEBHOOK_HOST}/webhooks`, topics: ['content.disclosed'] }

const webhookSubject = async ({ world, engine }: Stage, hasProcess = false): Promise<Subject> => {
  const [agent, another] = await Promise.all([world.agent(), world.agent()])
  const create = (owner: Agent) => owner.post('/webhooks', WEBHOOK_BODY, 201)
  const [mine, other, theirs] = [await create(agent), await create(agent), await create(another)]
  const stranger = { agent: another, params: { id: theirs.id }, body: {}, answer: 200 }
  const isWaiting = async ({ id }: { id: string }): Promise<boolean> =>
    (
      await engine.workflow
        .getHandle(webhookWorkflowId(id))
        .query(webhookProgress)
        .catch(() => null)
    )?.state === 'waiting'
  // Of two contents under one key either may be the accepted one.
  const settled = () => eventually('a webhook waits', async () => (await isWaiting(mine)) || (await isWaiting(other)))
  const subject = { agent, params: { id: mine.id }, body: {}, other: {}, otherParams: { id: other.id }, stranger }
  return hasProcess ? { ...subject, settled } : subject
}

/** Builds unsigned transactions for a wallet with tokens. */
const unsigned = (body: object, open: (world: FleetWorld) => Promise<Agent> = (world) => world.agent()): Case => ({
  kind: 'pure',
  because: 'it builds unsigned transactions, which the caller signs and sends',
  prepare: async ({ world }) => {
    const agent = await open(world)
    await world.view.fund(agent.account.address, 1_000_000n)
    return { token: agent.token(), body }
  },
})

/** A row of two wallets that both may send the request. */
const ofTwo = (
  open: (world: FleetWorld) => Promise<Agent>,
  prepare: (agent: Agent, another: Agent, world: FleetWorld) => Promise<Subject> | Subject,
): Pick<Keyed, 'prepare'> => ({
  prepare: async ({ world }) => {
    const [agent, another] = await Promise.all([open(world), open(world)])
    return prepare(agent, another, world)
  },
})
const withoutMoney = (world: FleetWorld): Promise<Agent> => world.agent()

/** One row per mutation of the registry; a new one does not compile, and fails the test, until it has its own. */
export const CASES = {
  createJob: {
    ...AT_ONCE,
    prepare: async ({ world, secondAdmin }) => {
      return { agent: world.admin, body: newJob(), other: newJob(), stranger: { agent: secondAdmin, body: newJob(), answer: 201 } }
    },
  },

  setJobLifecycle: {
    ...AT_ONCE,
    prepare: async ({ world, secondAdmin }) => {
      const [jobId, theirs] = await Promise.all([createJob(world), createJob(world)])
      const stranger = { agent: secondAdmin, body: { jobId: theirs, action: 'pause' }, answer: 200 }
      return { agent: world.admin, body: { jobId, action: 'pause' }, other: { jobId, action: 'archive' }, stranger }
    },
  },

  closeSession: {
    ...AT_ONCE,
    prepare: async (stage) => {
      const [mine, other, theirs] = await Promise.all([diverged(stage), diverged(stage), diverged(stage)])
      const body = (sessionId: string) => ({ sessionId, outcome: 'closed', note: 'Paid back by hand.' })
      const stranger = { agent: stage.secondAdmin, body: body(theirs), answer: 200 }
      return { agent: stage.world.admin, body: body(mine), other: body(other), stranger }
    },
  },

  fundAccount: {
    ...AT_ONCE,
    prepare: async ({ world }) => {
      const [agent, unprivileged] = await Promise.all([world.agent(privateKeyToAccount(world.keys.operator.privateKey)), world.agent()])
      return { agent, body: { amount: '1' }, other: { amount: '2' }, stranger: { agent: unprivileged, body: { amount: '1' }, answer: 403 } }
    },
  },

  claimJob: {
    ...BY_A_PROCESS,
    protectsItself: true,
    inBetween: ['claim_in_progress'],
    ...ofTwo(fundedAgent, async (agent, another, world) => {
      const [jobId, other, theirs] = await Promise.all([createJob(world), createJob(world), createJob(world)])
      return { agent, body: { jobId }, other: { jobId: other }, stranger: { agent: another, body: { jobId: theirs }, answer: 200 } }
    }),
  },

  submitWork: {
    ...BY_A_PROCESS,
    protectsItself: true,
    prepare: async (stage) => {
      const [mine, theirs] = await two(claimed, stage)
      const { sessionId } = mine.session
      return {
        agent: mine.agent,
        body: { sessionId, submission: GOOD_WORK },
        other: { sessionId, submission: { ...GOOD_WORK, summary: 'Another one.' } },
        stranger: { agent: theirs.agent, body: { sessionId: theirs.session.sessionId, submission: GOOD_WORK }, answer: 200 },
        settled: () => decided(mine),
      }
    },
  },

  runVerifier: {
    ...BY_A_PROCESS,
    prepare: async (stage) => {
      const [mine, theirs] = await two(undecided, stage)
      const { sessionId } = mine.session
      return {
        agent: stage.world.verifier,
        body: { sessionId },
        other: { sessionId, metadataURI: 'https://work.example/another' },
        stranger: { agent: stage.secondVerifier, body: { sessionId: theirs.session.sessionId }, answer: 200 },
        settled: () => decided(mine),
      }
    },
  },

  submitDisputeStatement: {
    ...AT_ONCE,
    prepare: async (stage) => {
      const [mine, theirs] = await two(inReview, stage)
      const body = { statement: 'The third source names the term under its older spelling.' }
      return {
        agent: mine.agent,
        params: { id: disputeId(mine.session.sessionId) },
        body,
        other: { statement: 'The task asks for three sources, and the work names three.' },
        stranger: { agent: theirs.agent, params: { id: disputeId(theirs.session.sessionId) }, body, answer: 200 },
      }
    },
  },

  decideDispute: {
    ...BY_A_PROCESS,
    prepare: async (stage) => {
      const [mine, theirs] = await two(inReview, stage)
      const rationale = 'Half of the task was answered well.'
      const body = { verdict: 'split', workerPayout: '70000', rationale }
      return {
        agent: stage.world.admin,
        params: { id: disputeId(mine.session.sessionId) },
        body,
        other: { verdict: 'upheld', rationale },
        stranger: {
          agent: stage.secondAdmin,
          params: { id: disputeId(theirs.session.sessionId) },
          body,
          answer: 200,
        },
        settled: () => leaves(mine.agent, mine.session.sessionId, 'disputed'),
      }
    },
  },

  decideReview: {
    ...BY_A_PROCESS,
    prepare: async (stage) => {
      const [mine, theirs] = await two(inReview, stage)
      const body = { verdict: 'approve', rationale: 'The work was read and is right.' }
      return {
        agent: stage.world.verifier,
        params: { id: mine.session.sessionId },
        body,
        other: { ...body, verdict: 'reject' },
        stranger: { agent: stage.secondVerifier, params: { id: theirs.session.sessionId }, body, answer: 200 },
        settled: () => leaves(mine.agent, mine.session.sessionId, 'disputed'),
      }
    },
  },

  overturnSession: {
    ...BY_A_PROCESS,
    prepare: async (stage) => {
      const [mine, theirs] = await two(rejected, stage)
      const body = { sessionId: mine.session.sessionId, note: 'The terms were read against the wrong page.' }
      return {
        agent: stage.world.admin,
        body,
        other: { ...body, note: 'Another reason for the same thing.' },
        stranger: { agent: stage.secondAdmin, body: { ...body, sessionId: theirs.session.sessionId }, answer: 200 },
        settled: () => leaves(mine.agent, mine.session.sessionId, 'rejected'),
      }
    },
  },

  verifySignature: {
    kind: 'natural',
    because: 'a nonce is good for one sign-in',
    accepted: 'one',
    refusal: 'invalid_nonce',
    prepare: async ({ world }) => {
      const account = extraWallet()
      const { message } = await world.expectCall(200, '/auth/nonce', { body: { wallet: account.address } })
      return { token: undefined, body: { message, signature: await account.signMessage({ message }) } }
    },
  },

  refreshToken: {
    kind: 'natural',
    because: 'a token is exchanged once; duplicates get the new token again for half a minute',
    accepted: 'some',
    refusal: 'token_revoked',
    // Its claims are the same; each signature of ES256 is another.
    differing: ['token'],
    prepare: async ({ world }) => ({ token: (await world.agent()).token(), body: {} }),
  },

  logout: {
    kind: 'natural',
    because: 'a token is revoked once; a request that was authenticated before that gets the same answer',
    accepted: 'some',
    refusal: 'token_revoked',
    prepare: async ({ world }) => ({ token: (await world.agent()).token(), body: {} }),
  },

  revokeDelegates: {
    kind: 'natural',
    because: 'a delegate ends once, and a repeat gets the same answer',
    accepted: 'some',
    refusal: 'token_revoked',
    prepare: async ({ world }) => {
      const { account, token } = await world.agent()
      return { token: token(), body: { grantId: (await grantTo(world, account)).body.capabilityGrantId } }
    },
  },

  revokeAuthSessions: {
    kind: 'natural',
    because: 'a sign-in ends once, and a repeat gets the same answer',
    accepted: 'some',
    refusal: 'token_revoked',
    prepare: async ({ world }) => {
      const ended = await world.agent()
      const token = (await world.agent(ended.account)).token()
      const { items } = await world.expectCall(200, '/auth/sessions', { token: ended.token() })
      return { token, body: { sessionId: items.find(({ current }: { current: boolean }) => current).sessionId } }
    },
  },

  validateSubmission: {
    kind: 'pure',
    because: 'it checks a submission and stores nothing',
    prepare: async ({ world }) => ({ token: undefined, body: { jobId: await createJob(world), submission: GOOD_WORK } }),
  },

  replayVerifier: {
    kind: 'pure',
    because: 'it computes a verdict again and stores nothing',
    prepare: async (stage) => {
      const taken = await claimed(stage)
      await submit(taken)
      await decided(taken)
      return { token: stage.world.verifier.token(), body: { sessionId: taken.session.sessionId } }
    },
  },

  buildAccountDepositTransactions: unsigned({ amount: '1000000' }),
  buildRecallTransactions: unsigned({}, lendingAgent),
  buildPoolTransactions: unsigned({ direction: 'deposit', amount: '1000000' }),
  buildCreditTransactions: unsigned({ direction: 'deposit', amount: '1000000' }),

  observeXcmRequest: {
    ...BY_A_PROCESS,
    prepare: async ({ world, secondAdmin }) => {
      const requestId = await queuedRequest(world)
      const body = { requestId, status: 'cancelled', observedAt: '2026-01-01T00:00:00.000Z' }
      const other = { ...body, status: 'failed', failureCode: `0x${'11'.repeat(32)}` }
      return { agent: world.admin, body, other, stranger: { agent: secondAdmin, body, answer: 200 } }
    },
  },

  finalizeXcmRequest: {
    ...BY_A_PROCESS,
    prepare: async ({ world, secondAdmin }) => {
      const observed = async (): Promise<string> => {
        const requestId = await queuedRequest(world)
        await world.admin.post('/admin/xcm/observe', { requestId, status: 'cancelled' })
        return requestId
      }
      const [requestId, another] = [await observed(), await observed()]
      const body = { requestId }
      return { agent: world.admin, body, other: { requestId: another }, stranger: { agent: secondAdmin, body, answer: 200 } }
    },
  },

  buildAccountWithdrawTransactions: {
    ...BY_A_PROCESS,
    protectsItself: true,
    ...ofTwo(fundedAgent, (agent, another) => {
      const body = { amount: '1', requestGasGrant: true }
      return { agent, body, other: { ...body, amount: '2' }, stranger: { agent: another, body, answer: 200 } }
    }),
  },

  quoteLockedDeposit: { kind: 'exempt', because: 'each call stores terms of its own, which bind no wallet and expire after ten minutes' },

  createLockedDeposit: {
    ...BY_A_PROCESS,
    ...ofTwo(fundedAgent, async (agent, another) => {
      const [body, other, theirs] = [await signedQuote(agent), await signedQuote(agent), await signedQuote(another)]
      return { agent, body, other, stranger: { agent: another, body: theirs, answer: 201 } }
    }),
  },

  exitLockedDeposit: {
    ...BY_A_PROCESS,
    ...ofTwo(fundedAgent, async (agent, another) => {
      const [mine, other, theirs] = [await lock(agent), await lock(agent), await lock(another)]
      const stranger = { agent: another, params: { id: theirs.id }, body: {}, answer: 200 }
      return { agent, params: { id: mine.id }, body: {}, other: {}, otherParams: { id: other.id }, stranger }
    }),
  },

  setAgentConsent: {
    ...AT_ONCE,
    ...ofTwo(withoutMoney, (agent, another) => {
      const body = { publicProfileOptIn: true }
      return { agent, body, other: { publicProfileOptIn: false }, stranger: { agent: another, body, answer: 200 } }
    }),
  },

  quoteIdleAllocation: { kind: 'exempt', because: 'each call stores terms of its own, which bind no wallet and expire after ten minutes' },

  consentToIdleAllocation: {
    ...BY_A_PROCESS,
    ...ofTwo(withoutMoney, async (agent, another) => {
      const [body, other, theirs] = [await idleConsent(agent), await idleConsent(agent), await idleConsent(another)]
      return { agent, body, other, stranger: { agent: another, body: theirs, answer: 201 } }
    }),
  },

  revokeIdleAllocation: {
    ...BY_A_PROCESS,
    ...ofTwo(withoutMoney, async (agent, another) => {
      for (const one of [agent, another]) await one.post('/account/idle-allocation/consent', await idleConsent(one), 201)
      return { agent, body: {}, other: null, stranger: { agent: another, body: {}, answer: 200 } }
    }),
  },

  publishContent: {
    ...BY_A_PROCESS,
    ...ofTwo(withoutMoney, async (agent, another, world) => {
      const stored = (owner: Agent, text: string): Promise<string> =>
        storeContent(world.database.rows, {
          contentType: 'submission',
          payload: { text },
          at: Date.now(),
          owners: [owner.account.address.toLowerCase()],
        })
      const [mine, other, theirs] = [await stored(agent, 'One.'), await stored(agent, 'Another.'), await stored(another, 'One.')]
      const stranger = { agent: another, params: { hash: theirs }, body: {}, answer: 200 }
      return { agent, params: { hash: mine }, body: {}, other: {}, otherParams: { hash: other }, stranger }
    }),
  },

  createShare: {
    ...AT_ONCE,
    prepare: async (stage) => {
      const [mine, theirs] = await two(claimed, stage)
      const body = { surface: 'session', sessionId: mine.session.sessionId }
      const stranger = { agent: theirs.agent, body: { surface: 'session', sessionId: theirs.session.sessionId }, answer: 201 }
      return { agent: mine.agent, body, other: { ...body, ttlSeconds: 60 }, stranger }
    },
  },

  revokeShare: {
    ...AT_ONCE,
    prepare: async (stage) => {
      const [mine, theirs] = await two(claimed, stage)
      const shared = async ({ agent, session: { sessionId } }: Claimed): Promise<string> =>
        (await agent.post('/shares', { surface: 'session', sessionId }, 201)).share.id
      const [id, other, foreign] = [await shared(mine), await shared(mine), await shared(theirs)]
      const stranger = { agent: theirs.agent, params: { id: foreign }, body: {}, answer: 200 }
      return { agent: mine.agent, params: { id }, body: {}, other: {}, otherParams: { id: other }, stranger }
    },
  },

  createWebhook: {
    ...AT_ONCE,
    ...ofTwo(withoutMoney, (agent, another) => {
      const [body, other] = [WEBHOOK_BODY, { ...WEBHOOK_BODY, topics: ['session.claimed'] }]
      return { agent, body, other, stranger: { agent: another, body, answer: 201 } }
    }),
  },

  testWebhook: { ...BY_A_PROCESS, prepare: (stage) => webhookSubject(stage, true) },
  pauseWebhook: { ...AT_ONCE, prepare: (stage) => webhookSubject(stage) },
  resumeWebhook: { ...AT_ONCE, prepare: (stage) => webhookSubject(stage, true) },
  deleteWebhook: { ...AT_ONCE, prepare: (stage) => webhookSubject(stage) },

  issueServiceToken: { ...AT_ONCE, shownOnce: TOKEN_MEMBERS, prepare: async (stage) => grantSubject(stage) },
  rotateServiceToken: { ...AT_ONCE, shownOnce: TOKEN_MEMBERS, prepare: grantChange('/admin/service-tokens', 201) },
  revokeServiceToken: { ...AT_ONCE, prepare: grantChange('/admin/service-tokens', 200) },
  createCapabilityGrant: { ...AT_ONCE, prepare: async (stage) => grantSubject(stage) },
  revokeCapabilityGrant: { ...AT_ONCE, prepare: grantChange('/admin/capability-grants', 200) },

  receiveCodehostEvent: { kind: 'exempt', because: 'the host names each delivery, which is processed once; its own test shows it' },
  sendMcpMessage: { kind: 'exempt', because: 'a tool is its operation, which has its own row' },
  ...{ ...OAUTH_CASES, ...POSTING_CASES, ...LANE_CASES, ...INGESTION_CASES, ...PAID_VERIFICATION_CASES, ...TEMPORAL_CASES },
  issueNonce: { kind: 'exempt', because: 'each call returns a challenge of its own; an unused one expires' },
} satisfies Record<MutationId, Case>

/** Opens the stage on a fleet that knows the two extra wallets. */
export const openStage = async (
  world: FleetWorld,
  extra: { admin: ReturnType<typeof extraWallet>; verifier: ReturnType<typeof extraWallet> },
): Promise<Stage & { close: () => Promise<void> }> => {
  const connection = await Connection.connect({ address: world.temporalAddress })
  return {
    world,
    engine: new Client({ connection }),
    secondAdmin: await world.agent(extra.admin),
    secondVerifier: await world.agent(extra.verifier),
    close: () => connection.close(),
  }
}
