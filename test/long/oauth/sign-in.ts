// What a host of a tool client keeps, and what it does with a client until its work is paid.
import { randomUUID } from 'node:crypto'
import { expect } from '@jest/globals'
import type { OAuthClientProvider } from '@modelcontextprotocol/client'
import { solve } from '../../../local/catalogue/solutions.ts'
import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { encode } from '../../e2e/support/jobs.ts'
import type { World } from '../../e2e/support/world.ts'
import type { Body, Connection, SigningClient } from '../../e2e/tools/support/clients.ts'
import { callWell, follow } from '../../e2e/tools/support/follow.ts'
import { eventually } from '../../support/eventually.ts'

type Kept<Method extends 'clientInformation' | 'tokens' | 'discoveryState'> = Awaited<ReturnType<NonNullable<OAuthClientProvider[Method]>>>

interface Host {
  provider: OAuthClientProvider
  /** Addresses to which the client sent its person. */
  asked: URL[]
  /** The last of them. */
  address(): URL
}

/** A host of a client without memory of any service; one with a document names its address. */
export const createHost = (redirect: string, document?: string): Host => {
  const asked: URL[] = []
  const kept: { client?: Kept<'clientInformation'>; tokens?: Kept<'tokens'>; discovery?: Kept<'discoveryState'>; verifier: string } = {
    verifier: '',
  }
  const state = randomUUID()
  const provider: OAuthClientProvider = {
    redirectUrl: redirect,
    ...(document !== undefined && { clientMetadataUrl: document }),
    clientMetadata: { client_name: 'Test agent', redirect_uris: [redirect] },
    state: () => state,
    clientInformation: () => kept.client,
    saveClientInformation: (client) => {
      kept.client = client
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens) => {
      kept.tokens = tokens
    },
    discoveryState: () => kept.discovery,
    saveDiscoveryState: (discovery) => {
      kept.discovery = discovery
    },
    codeVerifier: () => kept.verifier,
    saveCodeVerifier: (verifier) => {
      kept.verifier = verifier
    },
    redirectToAuthorization: (address) => {
      asked.push(address)
    },
    invalidateCredentials: (scope) => {
      if (scope === 'tokens' || scope === 'all') delete kept.tokens
      if (scope === 'client' || scope === 'all') delete kept.client
    },
  }
  const address = (): URL => {
    const last = asked.at(-1)
    if (last === undefined) throw new Error('the client asked for no sign-in')
    return last
  }
  return { provider, asked, address }
}

/** Makes a call that needs a sign-in, and answers the address that the client asks its person to open. */
export const askForSignIn = async (client: SigningClient, { asked, address }: Host): Promise<URL> => {
  const before = asked.length
  await expect(client.callTool('listSessions')).rejects.toThrow()
  expect(asked).toHaveLength(before + 1)
  return address()
}

/** Gives the client what the browser brought back, after the check that a host makes. */
export const finishSignIn = async (client: SigningClient, { address }: Host, back: URL): Promise<void> => {
  expect(back.searchParams.get('state')).toBe(address().searchParams.get('state'))
  await client.finishSignIn(back.searchParams)
}

const recorded = async (client: Connection, answer: Body): Promise<Body> =>
  answer.status === 'pending' ? recorded(client, await follow(client, answer, 'resumeSession')) : answer

/** Claims the job, submits work that is approved, and answers the badge. */
export const earnBadge = async (client: Connection, world: Pick<World, 'expectCall'>, jobId: string): Promise<Body> => {
  expect((await client.listTools()).map(({ name }) => name)).toContain('claimJob')
  const claimed = await recorded(client, await callWell(client, 'claimJob', { jobId }))
  const { sessionId } = claimed
  const definition = await client.readResource(`service://jobs/${jobId}`)
  await recorded(client, await callWell(client, 'submitWork', { sessionId, submission: solve(definition as unknown as JobDefinition) }))
  let result = await callWell(client, 'getVerificationResult', { sessionId })
  while (result.outcome === undefined) result = await follow(client, result, 'getVerificationResult')
  expect(result).toMatchObject({ sessionId, outcome: 'approved' })
  // The verdict is known a moment before its payment.
  const { body: badge } = await eventually(
    'the badge',
    () => client.callTool('getAgentBadge', { sessionId }),
    ({ isError }) => !isError,
  )
  expect(badge).toEqual(await world.expectCall(200, `/badges/${encode(sessionId)}`))
  return claimed
}

/** The owner takes back the only live delegate. Answers it as it was. */
export const revokeOnly = async (agent: Agent): Promise<Reply['body']> => {
  const { items } = await agent.get('/auth/delegates')
  const live = items.filter(({ status }: { status: string }) => status === 'active')
  expect(live).toHaveLength(1)
  await agent.post('/auth/delegates/revoke', { grantId: live[0].grantId })
  return live[0]
}
