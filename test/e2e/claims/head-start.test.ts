// The head start of agents that the directory lists, on a job that the operator has just listed.
import { expect, test } from '@jest/globals'
import { claim, createJob, fundedAgent } from '../support/jobs.ts'
import { useWorld } from '../support/world.ts'

const world = useWorld({ shared: true })

test('a listed agent claims inside the head start, which refuses another wallet and one that left the directory', async () => {
  const jobId = await createJob(world(), { rewardAmount: 2 })
  const [listed, other] = await Promise.all([fundedAgent(world()), fundedAgent(world())])
  const { priorityWindow } = await listed.get(`/jobs/definition?jobId=${jobId}`)
  const refused = async () => {
    const { code, details } = await other.post('/jobs/claim', { jobId }, 409)
    expect({ code, openAt: details.openAt, directoryListed: details.qualification.directoryListed }).toEqual({
      code: 'priority_window_active',
      openAt: priorityWindow.openAt,
      directoryListed: false,
    })
  }
  await refused()
  await other.post('/agents/consent', { publicProfileOptIn: true })
  await other.post('/agents/consent', { publicProfileOptIn: false })
  await refused()
  await listed.post('/agents/consent', { publicProfileOptIn: true })
  expect(await listed.get(`/jobs/preflight?jobId=${jobId}`)).toMatchObject({
    eligible: true,
    priorityQualification: { status: 'priority_qualified', directoryListed: true, depositQualified: false },
  })
  const session = await claim(listed, jobId)
  expect(session).toMatchObject({ status: 'claimed', wallet: listed.account.address.toLowerCase() })
  expect(Date.parse(session.claimedAt)).toBeLessThan(Date.parse(priorityWindow.openAt))
})
