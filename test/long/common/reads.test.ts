import { expect, test } from '@jest/globals'
import type { OperationSpec } from '../../../schemas/operations/operation.ts'
import { operationList } from '../../../schemas/operations/registry.ts'
import { openStream } from '../../api/support/event-stream.ts'
import { claim, createJob, encode, fundedAgent, GOOD_WORK } from '../../e2e/support/jobs.ts'
import { fingerprint, useWorld } from '../../e2e/support/world.ts'

const world = useWorld()

const NOISE = ['%', '%zz', '%00', '../..', '0x', '-1', '🙂', 'x'.repeat(3_000)]

/** Path and query of a read, out of what the suite knows; the registry names what has to be filled in. */
const addressOf = (path: string, facts: { jobId: string; sessionId: string }): string => {
  const filled = path.replace(':id', facts.jobId).replace(':sessionId', encode(facts.sessionId)).replace(':name', 'coding-output')
  const query = { jobId: facts.jobId, sessionId: facts.sessionId, asset: 'USDC' }
  return `${filled}?${new URLSearchParams(query)}`
}

const reads = operationList.filter((operation) => operation.method === 'GET')

/** Status of the answer to a read; of a stream only the beginning is read. */
const visit = async ({ streams }: OperationSpec, address: string, token: string | undefined): Promise<number> => {
  if (!streams) return (await world().call(address, { token })).status
  const stream = await openStream(`${world().base}${address}`, token === undefined ? {} : { token })
  await stream.cut()
  return stream.response.status
}

test('no read writes: records and chain are the same after every GET operation', async () => {
  const agent = await fundedAgent(world())
  const jobId = await createJob(world())
  const session = await claim(agent, jobId)
  await agent.post('/jobs/submit', { sessionId: session.sessionId, submission: GOOD_WORK })
  await agent.get(`/session?sessionId=${encode(session.sessionId)}&waitSeconds=20`)
  const open = await claim(agent, await createJob(world()))
  await world().admin.get('/admin/jobs')

  const before = await fingerprint(world())
  for (const read of reads) {
    for (const token of [agent.token(), world().admin.token(), undefined])
      await visit(read, addressOf(read.path, { jobId: open.jobId, sessionId: open.sessionId }), token)
    await visit(read, addressOf(read.path, { jobId, sessionId: session.sessionId }), agent.token())
  }
  expect(await fingerprint(world())).toEqual(before)
})

test('noise in any parameter of a read is refused or ignored, never a failure of the service', async () => {
  const agent = await fundedAgent(world())
  const failures: string[] = []
  for (const read of reads) {
    const { path, query } = read
    const names = Object.keys(query?.shape ?? {})
    const addresses = NOISE.flatMap((noise) => [
      path.replace(/:[a-zA-Z]+/, noise),
      ...names.map((name) => `${path.replace(/:[a-zA-Z]+/, 'x')}?${name}=${noise}`),
    ])
    for (const address of addresses) {
      const status = await visit(read, address, agent.token())
      if (status >= 500) failures.push(`${status} ${address.slice(0, 120)}`)
    }
  }
  expect(failures).toEqual([])
})
