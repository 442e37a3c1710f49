import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { type FleetWorld, openFleet } from '../support/fleet-world.ts'

const NONCES = 30
let world: FleetWorld
beforeAll(async () => {
  world = await openFleet({ apis: 2, workers: 2, env: { RATE_LIMITS: `{"auth_nonce":{"limit":${NONCES},"windowSeconds":3600}}` } })
}, 180_000)
afterAll(() => world?.close(), 60_000)

describe('two API processes on one database', () => {
  test('a token of one is good at the other', async () => {
    const agent = await world.door(0).agent()
    const reply = await world.door(1).call('/me', { token: agent.token() })
    expect([reply.status, reply.body.wallet]).toEqual([200, agent.account.address.toLowerCase()])
  })
})
