// One conversation over two API processes: neither keeps anything of it between two messages.
import { expect, test } from '@jest/globals'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createJob, GOOD_WORK } from '../../e2e/support/jobs.ts'
import { CLIENT_KINDS, connectTools } from '../../e2e/tools/support/clients.ts'
import { callWell, follow } from '../../e2e/tools/support/follow.ts'
import { openedWorld } from './two-of-each.ts'

test.each(CLIENT_KINDS)('%s goes from sign-in to a badge while two services answer in turn', async (kind) => {
  const jobId = await createJob(openedWorld(), { onboardingWaiverEligible: true })
  const account = privateKeyToAccount(generatePrivateKey())
  const answered = new Map<string, number>()
  const client = await connectTools(
    openedWorld().apis.map(({ base }) => base),
    { kind, onSent: (base) => answered.set(base, (answered.get(base) ?? 0) + 1) },
  )
  try {
    await client.listTools()
    const challenge = await callWell(client, 'fetchAuthNonce', { wallet: account.address })
    const signature = await account.signMessage({ message: challenge.message })
    client.useToken((await follow(client, challenge, 'verifySiwe', { signature })).token)
    const preflight = await callWell(client, 'preflightJob', { jobId })
    // Each of two repeats reaches another service.
    const claims = [await follow(client, preflight, 'claimJob'), await follow(client, preflight, 'claimJob')]
    const { sessionId } = claims[0] ?? {}
    expect(claims.map((session) => session.sessionId)).toEqual([sessionId, sessionId])
    const submission = { sessionId, submission: GOOD_WORK }
    for (let repeat = 0; repeat < 2; repeat += 1) await callWell(client, 'submitWork', submission)
    let result = await callWell(client, 'getVerificationResult', { sessionId, waitSeconds: 25 })
    while (result.outcome === undefined) result = await follow(client, result, 'getVerificationResult')
    expect(result.outcome).toBe('approved')
    await follow(client, result, 'getAgentBadge')
    expect(await client.readResource(`service://sessions/${encodeURIComponent(sessionId)}`)).toMatchObject({ status: 'resolved' })
  } finally {
    await client.close()
  }
  const counts = [...answered.values()]
  expect(counts).toHaveLength(2)
  expect(Math.max(...counts) - Math.min(...counts)).toBeLessThanOrEqual(1)
})
