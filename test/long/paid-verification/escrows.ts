// Jobs that a profile judges: drafted by a poster for one worker, on a stack with a host of artefacts over TLS.
import { createHash } from 'node:crypto'
import { readFileSync, rmSync } from 'node:fs'
import { afterAll, beforeAll } from '@jest/globals'
import type { Hex } from 'viem'
import { startHttpServer } from '../../activities/support/http-server.ts'
import { sendAsked } from '../../e2e/claims/posted-jobs.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { claim, fundedAgent } from '../../e2e/support/jobs.ts'
import type { World } from '../../e2e/support/world.ts'
import { eventually } from '../../support/eventually.ts'
import { requestFor } from '../../support/sandbox/repository.ts'
import { openDirectory } from '../../support/state-directory.ts'
import { createAuthority } from '../support/certificates.ts'

/** Reward of each job in base units: twentieths of it are the fee of the poster, tenths the stake, fiftieths the fee of the claim. */
const REWARD = 4_000_000n

type Changes = Parameters<typeof requestFor>[0]

const sha256Of = (content: Uint8Array): string => createHash('sha256').update(content).digest('hex')

const open = async (directory: string) => {
  const { cert: authority, sign } = createAuthority(directory, 'authority')
  const signed = sign('artefacts', 'IP:127.0.0.1')
  const files = new Map<string, Uint8Array>()
  let misses = 0
  const server = await startHttpServer(
    (request, response) => {
      const file = files.get(request.url ?? '')
      if (file === undefined) misses += 1
      response.writeHead(file === undefined ? 404 : 200).end(file)
    },
    { cert: readFileSync(signed.cert), key: readFileSync(signed.key) },
  )
  const artefact = (content: Uint8Array, isServed = true) => {
    const sha256 = sha256Of(content)
    if (isServed) files.set(`/${sha256}`, content)
    return { sha256, bytes: content.length, locator: { kind: 'https', url: `${server.url}/${sha256}` } }
  }
  const base = requestFor({})
  return {
    env: { LOCAL_CALLER_HOSTS: server.host, NODE_EXTRA_CA_CERTS: authority },
    stop: () => server.stop(),
    /** Requests for what is not there. */
    misses: () => misses,
    inputs: {
      repository: base.declaration.repository,
      commit: base.declaration.commit,
      testCommand: [...base.declaration.testCommand],
      gitBundle: { ...artefact(base.bundle), format: 'git-bundle' },
    },
    /** Work of a worker that changes these files. */
    work: (changes: Changes, wallet: string, isServed = true) => ({
      patch: { ...artefact(requestFor(changes).patch, isServed), format: 'file' },
      baseCommit: base.declaration.commit,
      submittingAgent: { wallet },
    }),
  }
}
type Artefacts = Awaited<ReturnType<typeof open>>

/** Artefacts for the tests of a file. `env` gets, before a stack of this file starts, the settings with which it reaches them. */
export const useArtefacts = (env: Record<string, string>): (() => Artefacts) => {
  const directory = openDirectory('escrows')
  let artefacts: Artefacts
  beforeAll(async () => {
    artefacts = await open(directory)
    Object.assign(env, artefacts.env)
  })
  afterAll(async () => {
    await artefacts?.stop()
    rmSync(directory, { recursive: true })
  })
  return () => artefacts
}

let titles = 0
/** A definition for one worker, which no other call gives. */
export const definitionFor = (worker: Agent, inputs: object) => {
  titles += 1
  return {
    title: `Sum of two numbers ${titles}`,
    description: 'Make the module add its numbers.',
    category: 'coding',
    rewardAmount: Number(REWARD) / 1e6,
    verifierMode: 'verification_profile',
    verifierConfig: { profileRef: 'git-patch-tests-v1@1', inputs },
    designatedClaimants: [worker.account.address],
  }
}

/** Asks for a draft until its contract is frozen or refused. */
export const drafted = (poster: Agent, definition: object): Promise<Reply> =>
  eventually(
    'the contract is frozen',
    () => poster.call('/jobs/draft', { method: 'POST', body: { definition } }),
    ({ body }) => body.code !== 'verification_contract_freezing',
  )

/** Funds a draft with the transactions that the service hands out, and waits until it is listed. */
export const fund = async (world: World, poster: Agent, { draftId, jobId }: Reply['body']): Promise<void> => {
  const { templates } = await poster.post(`/jobs/draft/${draftId}/transactions`, {})
  for (const { to, data } of templates) await world.view.send(poster.account, { to, data })
  const isListed = async () => (await poster.call(`/jobs/definition?jobId=${jobId}`)).status
  await eventually(`${jobId} is listed`, isListed, (status) => status === 200)
}

/** A poster and a worker with money of their own, and the draft of the one for the other. */
export const agreementOf = async (world: World, inputs: object) => {
  const [poster, worker] = [await fundedAgent(world, 20_000_000n), await fundedAgent(world, 5_000_000n)]
  const { body: draft } = await drafted(poster, definitionFor(worker, inputs))
  return { poster, worker, draft, jobId: draft.jobId as Hex }
}
export type Agreement = Awaited<ReturnType<typeof agreementOf>>

/** Claims with the worker's own transaction. */
export const claimed = async (world: World, { worker, jobId }: Agreement): Promise<Reply['body']> => {
  await sendAsked(world, worker, await worker.post('/jobs/claim', { jobId }, 409))
  return claim(worker, jobId)
}

/** Submits with the worker's own transaction. */
export const submitted = async (world: World, { worker }: Agreement, sessionId: string, submission: object): Promise<void> => {
  await sendAsked(world, worker, await worker.post('/jobs/submit', { sessionId, submission }, 409))
  await worker.post('/jobs/submit', { sessionId, submission })
}
