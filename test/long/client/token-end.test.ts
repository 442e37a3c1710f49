import { expect, test } from '@jest/globals'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { createClient } from '../../../client/src/index.ts'
import { moveTime } from '../../../local/time/move.ts'
import { createJob } from '../../e2e/support/jobs.ts'
import { until } from '../../e2e/support/pull-requests.ts'
import { useWorld } from '../../e2e/support/world.ts'

const world = useWorld()
const DAY_AND_HOUR_SECONDS = 25 * 3_600

test('the client continues a call and a watch when its token ends in the middle', async () => {
  const paths: string[] = []
  const client = createClient({
    baseUrl: world().base,
    account: privateKeyToAccount(generatePrivateKey()),
    fetch: (input, init) => {
      paths.push(new URL(String(input)).pathname)
      return fetch(input, init)
    },
  })
  const count = (path: string): number => paths.filter((one) => one === path).length
  const jobId = await createJob(world(), { onboardingWaiverEligible: true, claimTtlSeconds: 3_600 })
  const { sessionId } = await client.claimJob({ jobId })
  const first = client.session?.token
  const seen: string[] = []
  const watch = (async () => {
    for await (const { status } of client.watch(sessionId)) seen.push(status)
  })()
  await until(
    async () => count('/events'),
    (opened) => opened > 0,
  )
  await moveTime(world().info, { plusSeconds: DAY_AND_HOUR_SECONDS })
  expect((await client.listSessions()).sessions).toHaveLength(1)
  await watch
  expect(seen).toEqual(['claimed', 'expired'])
  expect(client.session?.token).not.toBe(first)
  expect([count('/auth/verify'), count('/auth/refresh')]).toEqual([2, 0])
})
