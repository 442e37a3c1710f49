import type { ContentChange } from '../../../local/codehost/content.ts'
import type { PullChange } from '../../../local/codehost/world.ts'
import type { JobInputBody } from '../../../schemas/catalogue/job-input.ts'
import { eventually } from '../../support/eventually.ts'
import type { Agent, Reply } from './http.ts'
import { claim, createJob, encode, fundedAgent, sessionOf } from './jobs.ts'
import type { World } from './world.ts'

const HOST = 'https://codehost.example'

const script = async ({ info }: World, method: string, path: string, body?: unknown): Promise<void> => {
  const response = await fetch(`${info.codehost}/_script${path}`, { method, ...(body !== undefined && { body: JSON.stringify(body) }) })
  if (!response.ok) throw new Error(`the script of ${path} failed: ${await response.text()}`)
}

/** Opens or changes a pull request of the fake code host, which notifies the service by its hook. */
export const play = (world: World, repo: string, number: number, change: PullChange): Promise<void> =>
  script(world, 'PUT', `/pulls/${repo}/${number}`, change)
export const removePull = (world: World, repo: string, number: number): Promise<void> => script(world, 'DELETE', `/pulls/${repo}/${number}`)
/** Changes files and issues of a repository of the fake code host. */
export const fillRepository = (world: World, repo: string, change: ContentChange): Promise<void> =>
  script(world, 'PUT', `/contents/${repo}`, change)
/** Renames a repository of the fake code host. */
export const renameRepository = (world: World, repo: string, renameTo: string): Promise<void> =>
  script(world, 'POST', `/repositories/${repo}`, { renameTo })
/** The next answers of the code host fail. */
export const failNext = (world: World, failure: { status: number; times: number; path?: string; headers?: Record<string, string> }) =>
  script(world, 'POST', '/failures', failure)

/** A job whose work is a pull request for issue 7 of a repository. */
export const pullRequestJob = (repo: string): Partial<JobInputBody> => ({
  title: `Fix ${repo} issue: the last row is dropped`,
  lane: 'oss-anchored',
  verifierMode: 'codehost_pr',
  verifierTerms: undefined,
  verifierConfig: { requireClaimantBinding: true },
  outputSchemaRef: 'schema://jobs/codehost-pr-evidence-output',
  source: { type: 'codehost_issue', repo, issueNumber: 7, issueUrl: `${HOST}/${repo}/issues/7` },
})

export interface OfferedWork {
  agent: Agent
  jobId: string
  sessionId: string
  /** As the claim returned it. */
  footer: string
  url: string
  submission: Record<string, unknown>
}

/** A claimed job and an open pull request with the footer of its claim, unless `change` says otherwise. */
export const offered = async (world: World, repo: string, number: number, change: PullChange = {}): Promise<OfferedWork> => {
  const agent = await fundedAgent(world)
  const jobId = await createJob(world, pullRequestJob(repo))
  const { sessionId, disclosureFooter: footer } = await claim(agent, jobId)
  await play(world, repo, number, { title: 'Keep the last row', body: `Fixes #7.\n\n${footer}`, ...change })
  const url = `${HOST}/${repo}/pull/${number}`
  return {
    agent,
    jobId,
    sessionId,
    footer,
    url,
    submission: { prUrl: url, summary: 'The last row is kept.', tests: 'npm test: 12 passed' },
  }
}

export const handIn = ({ agent, sessionId, submission }: OfferedWork): Promise<Reply['body']> =>
  agent.post('/jobs/submit', { sessionId, submission })

/** Last recorded state of the pull request of a session. */
export const seenOf = (world: Pick<World, 'database'>, sessionId: string) =>
  world.database.rows.selectFrom('pull_request').selectAll().where('sessionId', '=', sessionId).executeTakeFirstOrThrow()

/** Waits until the record that a test reads is as expected. */
export const until = <T>(read: () => Promise<T>, holds: (value: T) => boolean): Promise<T> => eventually('the record changes', read, holds)

/** Waits until the run has read the pull request after an instant of the service's clock. */
export const looked = (world: Pick<World, 'database'>, sessionId: string, after = 0) =>
  until(
    () => seenOf(world, sessionId),
    ({ readAt }) => readAt !== null && readAt > after,
  )

export const statusOf = async ({ agent, sessionId }: OfferedWork): Promise<string> => (await sessionOf(agent, sessionId)).status
export const resultOf = ({ agent, sessionId }: OfferedWork): Promise<Reply['body']> =>
  agent.get(`/verifier/result?sessionId=${encode(sessionId)}`)
