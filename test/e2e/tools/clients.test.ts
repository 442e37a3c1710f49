// The official clients, from the first list of tools to a badge, by the next actions of each answer alone.
import { afterEach, describe, expect, test } from '@jest/globals'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { solve } from '../../../local/catalogue/solutions.ts'
import type { JobDefinition } from '../../../schemas/catalogue/job-definition.ts'
import { claim, createJob, encode, fundedAgent } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'
import { type Body, CLIENT_KINDS, type ClientKind, connectTools, type ToolClient } from './support/clients.ts'
import { callWell, follow, suggestedCall } from './support/follow.ts'

const world = useWorld({ shared: true })

const open: ToolClient[] = []
afterEach(async () => {
  for (const client of open.splice(0)) await client.close()
})

const connect = async (kind: ClientKind, token?: string): Promise<ToolClient> => {
  const client = await connectTools(world().base, { kind, ...(token !== undefined && { token }) })
  open.push(client)
  return client
}

/** Signs the client in with a new key, as the answers of the service say. */
const signIn = async (client: ToolClient) => {
  const account = privateKeyToAccount(generatePrivateKey())
  const challenge = await follow(client, await callWell(client, 'getPlatformCapabilities'), 'fetchAuthNonce', { wallet: account.address })
  const signature = await account.signMessage({ message: challenge.message })
  const signedIn = await follow(client, challenge, 'verifySiwe', { signature })
  client.useToken(signedIn.token)
  return { account, signedIn }
}

/** Waits, as the answers say, until the chain write of a claim or submission is recorded. */
const recorded = async (client: ToolClient, answer: Body): Promise<Body> =>
  answer.status === 'pending' ? recorded(client, await follow(client, answer, 'resumeSession')) : answer

describe.each(CLIENT_KINDS)('%s', (kind) => {
  test('finds the tools of a worker, the templates of resources and the prompts without a token', async () => {
    const client = await connect(kind)
    const names = (await client.listTools()).map(({ name }) => name)
    expect(names).toEqual(expect.arrayContaining(['fetchAuthNonce', 'verifySiwe', 'recommendJobs', 'claimJob', 'submitWork']))
    expect(names).not.toContain('buildCreditTransactions')
    expect(await client.listResourceTemplates()).toEqual(['service://jobs/{jobId}', 'service://schemas/{name}', 'service://sessions/{id}'])
    expect(await client.listPrompts()).toEqual(['earnFirstBadge', 'explainRefusal'])
  })

  test('earns a badge by the next action of each answer', async () => {
    const jobId = await createJob(world(), { onboardingWaiverEligible: true })
    const client = await connect(kind)
    await client.listTools()
    const { account, signedIn } = await signIn(client)
    const recommended = await follow(client, signedIn, 'recommendJobs')
    const suggested = await follow(client, recommended, 'preflightJob')
    expect(suggested.jobId).toBe(suggestedCall(recommended, 'preflightJob').arguments.jobId)
    // Other suites claim the jobs that they listed: this one takes its own.
    const preflight = await callWell(client, 'preflightJob', { jobId })
    const definition = await follow(client, preflight, 'getJobDefinition')
    const claimed = await recorded(client, await follow(client, preflight, 'claimJob'))
    expect(claimed).toMatchObject({ sessionId: `${jobId}:${account.address}`, status: 'claimed' })
    const submission = solve(definition as unknown as JobDefinition)
    const submitted = await recorded(client, await follow(client, claimed, 'submitWork', { submission }))
    // A fast verifier can be done before the submission is answered.
    const isDecided = submitted.status === 'resolved'
    const { sessionId } = claimed
    let result = isDecided
      ? await callWell(client, 'getVerificationResult', { sessionId })
      : await follow(client, submitted, 'getVerificationResult')
    while (result.outcome === undefined) result = await follow(client, result, 'getVerificationResult')
    expect(result).toMatchObject({ sessionId, outcome: 'approved' })
    const badge = await follow(client, result, 'getAgentBadge')
    expect(badge).toEqual(await world().expectCall(200, `/badges/${encode(sessionId)}`))
    const { links } = await client.callTool('resumeSession', { sessionId })
    expect(await client.readResource(links[0] ?? '')).toMatchObject({ sessionId, status: 'resolved' })
  })

  test('reads jobs and schemas without a token, and a session with the token of its worker alone', async () => {
    const jobId = await createJob(world(), { onboardingWaiverEligible: true })
    const client = await connect(kind)
    // Its readiness moves with the verdicts of other suites.
    const { verification: _moving, ...definition } = await world().expectCall(200, `/jobs/definition?jobId=${jobId}`)
    expect(await client.readResource(`service://jobs/${jobId}`)).toMatchObject(definition)
    const { schemas } = await callWell(client, 'listJobSchemas')
    const name = schemas[0].path.split('/').at(-1).replace('.json', '')
    expect(await client.readResource(`service://schemas/${name}`)).toEqual(await world().expectCall(200, schemas[0].path))
    const agent = await fundedAgent(world())
    const { sessionId } = await claim(agent, jobId)
    const uri = `service://sessions/${encode(sessionId)}`
    await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32600, data: { code: 'missing_token', status: 401 } })
    client.useToken((await world().agent()).token())
    await expect(client.readResource(uri)).rejects.toMatchObject({ code: -32600, data: { code: 'session_not_owned', status: 403 } })
    client.useToken(agent.token())
    expect(await client.readResource(uri)).toMatchObject({ sessionId, status: 'claimed' })
    const unknown = [
      'service://jobs/no-such-job',
      'service://nothing/here',
      'service://jobs/a/b',
      'service://jobs/%zz',
      'https://elsewhere.example/',
    ]
    for (const one of unknown) await expect(client.readResource(one)).rejects.toMatchObject({ code: -32602, data: { uri: one } })
  })

  test('reads the problem document of a refused call, also when it knows the output schema', async () => {
    const client = await connect(kind)
    await client.listTools()
    const { isError, body, texts } = await client.callTool('claimJob', { jobId: 'no-such-job' })
    expect(isError).toBe(true)
    expect(body).toMatchObject({ code: 'missing_token', status: 401, nextActions: [{ tool: 'fetchAuthNonce' }] })
    expect(JSON.parse(texts[0] ?? '')).toEqual(body)
    await expect(client.callTool('noSuchTool')).rejects.toMatchObject({ code: -32602 })
  })

  test('reads both prompts, and no others', async () => {
    const client = await connect(kind)
    const names = (await client.listTools()).map(({ name }) => name)
    const flow = await client.getPrompt('earnFirstBadge')
    for (const tool of ['fetchAuthNonce', 'verifySiwe', 'claimJob', 'submitWork', 'getAgentBadge']) {
      expect(flow).toContain(tool)
      expect(names).toContain(tool)
    }
    expect(await client.getPrompt('explainRefusal', { code: 'insufficient_liquidity' })).toContain('buildAccountDepositTransactions')
    await expect(client.getPrompt('explainRefusal', { code: 'no_such_code' })).rejects.toMatchObject({ code: -32602 })
    await expect(client.getPrompt('noSuchPrompt')).rejects.toMatchObject({ code: -32602 })
  })
})
