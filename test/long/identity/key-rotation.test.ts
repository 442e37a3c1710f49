// The keys of tokens and of records are rotated by the command of operators while agents work at two APIs.
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { decodeProtectedHeader } from 'jose'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { CallInit, Reply } from '../../e2e/support/http.ts'
import { claim, createJob, encode, fundedAgent, leaves, solved } from '../../e2e/support/jobs.ts'
import { PLAYS_ALL } from '../../support/cases/sample.ts'
import { type FleetWorld, openFleet } from '../../support/fleet/world.ts'
import { verifyDetached } from '../../support/signed-documents.ts'

const AGENTS = PLAYS_ALL ? 20 : 8
const ROTATIONS = PLAYS_ALL ? 5 : 3
const SCRIPT = fileURLToPath(new URL('../../../workers/keys.ts', import.meta.url))

let world: FleetWorld
beforeAll(async () => {
  world = await openFleet({ apis: 2, workers: 1 })
})
afterAll(() => world?.close())

const rotate = async (purpose: 'jwt' | 'receipt'): Promise<string> => {
  const { databaseUrl, files } = world
  const env = {
    PATH: process.env.PATH,
    DATABASE_URL: databaseUrl,
    CHAIN_FILE: files.chainFile,
    CLOCK_OFFSET_FILE: files.clockOffset,
    JWT_KEY_FILE: files.jwtKey,
    RECEIPT_KEY_FILE: files.receiptKey,
  }
  return (await promisify(execFile)(process.execPath, [SCRIPT, 'rotate', purpose], { env })).stdout
}

/** What agents did, and every answer that was not a 200. */
const createTraffic = () => {
  const refused: string[] = []
  const tokens: string[] = []
  let calls = 0
  const send = async (place: number, path: string, init: CallInit = {}): Promise<Reply['body']> => {
    const { status, text, body } = await world.apiAt(place).call(path, init)
    calls += 1
    if (status !== 200) refused.push(`${path} answered ${status}: ${text.slice(0, 300)}`)
    return body
  }
  /** Signs in at one API, and uses and refreshes its token at both in turn. */
  const round = async (place: number): Promise<void> => {
    const account = privateKeyToAccount(generatePrivateKey())
    const { message } = await send(place, '/auth/nonce', { body: { wallet: account.address } })
    const signature = await account.signMessage({ message })
    let { token } = await send(place, '/auth/verify', { body: { message, signature } })
    for (const turn of [1, 2, 3]) {
      tokens.push(token)
      await send(place + turn, '/auth/session', { token })
      ;({ token } = await send(place + turn, '/auth/refresh', { token, method: 'POST' }))
      await send(place + turn + 1, '/sessions', { token })
    }
  }
  return { refused, tokens, calls: () => calls, round }
}

/** One piece of work from claim to badge. */
const earnBadge = async (jobId: string): Promise<Reply['body'][]> => {
  const agent = await fundedAgent(world)
  const { sessionId } = await claim(agent, jobId)
  await agent.post('/jobs/submit', { sessionId, submission: await solved(agent, jobId) })
  await leaves(agent, sessionId, 'submitted')
  const { workReceiptId } = await leaves(agent, sessionId, 'resolving')
  return [await world.expectCall(200, `/badges/${encode(sessionId)}`), await world.expectCall(200, `/receipts/${encode(workReceiptId)}`)]
}

test('agents at work notice no rotation of either key, and every record of before, during and after it verifies offline', async () => {
  const jobs = await Promise.all(Array.from({ length: ROTATIONS + 2 }, () => createJob(world)))
  const early = await earnBadge(jobs[0] ?? '')
  const keySetBefore = await world.expectCall(200, '/.well-known/jwks.json')
  for (const record of early) await verifyDetached(record, keySetBefore)

  const traffic = createTraffic()
  let isRotating = true
  const agents = Array.from({ length: AGENTS }, async (_, place) => {
    while (isRotating) await traffic.round(place)
  })
  const records = [...early]
  const outputs: string[] = []
  try {
    for (let done = 0; done < ROTATIONS; done += 1) {
      const earned = earnBadge(jobs[done + 1] ?? '')
      outputs.push(...(await Promise.all([rotate('jwt'), rotate('receipt')])))
      records.push(...(await earned))
    }
  } finally {
    isRotating = false
    await Promise.all(agents)
  }
  records.push(...(await earnBadge(jobs.at(-1) ?? '')))

  expect(traffic.refused).toEqual([])
  expect(new Set(traffic.tokens.map((token) => decodeProtectedHeader(token).kid))).toEqual(
    new Set(Array.from({ length: ROTATIONS + 1 }, (_, place) => `jwt-${place + 1}`)),
  )
  const { keys } = await world.expectCall(200, '/.well-known/jwks.json')
  for (const prefix of ['jwt', 'badge'])
    expect(keys.filter(({ kid }: { kid: string }) => kid.startsWith(prefix))).toHaveLength(ROTATIONS + 1)
  for (const record of records) await verifyDetached(record, { keys })
  expect(records).toHaveLength(2 * (ROTATIONS + 2))
  expect(records.at(-1)?.signature.kid).toBe(`badge-${ROTATIONS + 1}`)
  for (const output of outputs) expect(output).not.toContain('PRIVATE')
})
