import { repoKey } from '../../domain/pull-requests/address.ts'
import { expectedRepositoryId } from '../../domain/pull-requests/expected.ts'
import { type MaintainedWork, maintainedWork, POLICY_MAX_AGE_SECONDS } from '../../domain/pull-requests/policy/standing.ts'
import { decidePolicy } from '../../domain/pull-requests/policy/verdict.ts'
import type { JobRecord } from '../../schemas/catalogue/record.ts'
import type { LookupFailure } from '../../schemas/codehost/record.ts'
import { ServiceError } from '../../schemas/errors.ts'
import type { RepositoryPolicy, SourceIssue } from '../../schemas/pull-requests/policy.ts'
import type { Settings } from '../../schemas/settings.ts'
import { type CodehostApi, createCodehostApi, createCodehostMemory } from '../codehost/client.ts'
import { isAbsent, repositoryPath } from '../codehost/paths.ts'
import { issueOf, type RepositoryFacts, repositoryOf } from '../codehost/repository-shapes.ts'
import type { RecordDeps } from '../database/database.ts'
import type { GuardedFetch } from '../outbound/guarded-fetch.ts'
import { createPolicyFiles, createPolicyTexts } from './policy-files.ts'
import { findIssues, findPolicies, issueName, pauseJobs, storeIssue, storePolicy } from './policy-records.ts'

/** The policy of a repository, or why it could not be read. */
export type PolicyReading = { ok: true; policy: RepositoryPolicy } | { ok: false; failure: LookupFailure }
type IssueReading = { ok: true; issue: SourceIssue } | { ok: false; failure: LookupFailure }

/** What the readers of a process share: answers of the host, its wish to wait, and texts of files. No decision rests on them alone. */
export const createPolicyMemory = () => ({ codehost: createCodehostMemory(), texts: createPolicyTexts() })
type PolicyMemory = ReturnType<typeof createPolicyMemory>

export interface PolicyReaderDeps extends RecordDeps {
  settings: Pick<
    Settings,
    'CODEHOST_API_URL' | 'CODEHOST_WEB_HOST' | 'CODEHOST_TOKEN' | 'CODEHOST_TIMEOUT_SECONDS' | 'MAINTAINER_REPO_DENYLIST'
  >
  fetch: GuardedFetch
  /** Epoch ms by the system clock. */
  wallClock?: () => number
  /** Shared by the readers of a process; a reader without one has its own. */
  memory?: PolicyMemory
}

/** A claim that found a policy unreadable may try again after this time, where the host names none. */
const RETRY_SECONDS = 60
/** No request of a reading begins after this time, because a caller waits. */
const MAX_TOTAL_MS = 15_000

const fail = (reason: string, isTransient: boolean): { ok: false; failure: LookupFailure } => ({
  ok: false,
  failure: { reason, isTransient, retryAfterSeconds: null },
})
const BAD_ANSWER = fail('codehost_bad_answer', true)

const unread = ({ repo }: MaintainedWork, { reason, retryAfterSeconds }: LookupFailure): ServiceError =>
  new ServiceError('maintainer_policy_unavailable', {
    reason,
    retryAfterSeconds: retryAfterSeconds ?? RETRY_SECONDS,
    details: { repo },
  })

/** Requests until a reading has taken too long for a caller who waits. */
const withinTime = (api: CodehostApi): CodehostApi => {
  const began = performance.now()
  return { get: async (path) => (performance.now() - began > MAX_TOTAL_MS ? fail('codehost_timeout', true) : api.get(path)) }
}

/** Reads what maintainers say of contributions by agents, and stores it. Failures are answers. */
export const createPolicyReader = (deps: PolicyReaderDeps) => {
  const { database, clock, settings, fetch, wallClock = Date.now, memory = createPolicyMemory() } = deps
  const { CODEHOST_TOKEN: token, CODEHOST_API_URL: baseUrl, CODEHOST_WEB_HOST: webHost } = settings
  const timeoutMs = Math.ceil(settings.CODEHOST_TIMEOUT_SECONDS * 1_000)
  const api = token === undefined ? null : createCodehostApi({ fetch, baseUrl, token, timeoutMs, now: wallClock, memory: memory.codehost })
  const readFiles = createPolicyFiles(memory.texts)
  const reading = new Map<string, Promise<unknown>>()

  /** Concurrent callers share one reading. */
  const share = <T>(key: string, read: () => Promise<T>): Promise<T> => {
    const running = reading.get(key) as Promise<T> | undefined
    if (running !== undefined) return running
    const started = read().finally(() => reading.delete(key))
    reading.set(key, started)
    return started
  }

  /** Stores a policy; a repository that says no to agents, or takes no change any more, has no listed job afterwards. */
  const store = (repo: string, policy: RepositoryPolicy): Promise<unknown> =>
    database.transaction(async (rows) => {
      await storePolicy(rows, repo, policy)
      const reason = policy.reason ?? (policy.isClosed ? 'source_repository_closed' : null)
      if (reason !== null) await pauseJobs(rows, { repo: repoKey(repo), issueNumber: null, reason, now: clock.now() })
    })

  const requestRepository = async (
    bounded: CodehostApi,
    repo: string,
  ): Promise<RepositoryFacts | { ok: false; failure: LookupFailure }> => {
    const answer = await bounded.get(repositoryPath(repo))
    return answer.ok ? (repositoryOf(answer.value) ?? BAD_ANSWER) : answer
  }

  const requestPolicy = async (repo: string, known: RepositoryFacts | null): Promise<PolicyReading> => {
    if (api === null) return fail('codehost_token_not_configured', false)
    const bounded = withinTime(api)
    const facts = known ?? (await requestRepository(bounded, repo))
    if ('ok' in facts) return facts
    const { id: repoId, fullName, isClosed } = facts
    const files = await readFiles(bounded, fullName)
    if (!files.ok) return files
    // A renamed repository is on the list of the operator under either name.
    const { MAINTAINER_REPO_DENYLIST: denied } = settings
    const byName = decidePolicy(repo, [], denied)
    const decided = byName.verdict === 'denies' ? byName : decidePolicy(fullName, files.texts, denied)
    const scannedPaths = files.texts.map(({ path }) => path)
    return { ok: true, policy: { repo: fullName, repoId, ...decided, isClosed, scannedPaths, readAt: wallClock() } }
  }

  const requestIssue = async ({ repo }: MaintainedWork, repoName: string, number: number): Promise<IssueReading> => {
    if (api === null) return fail('codehost_token_not_configured', false)
    const missing: SourceIssue = { number, state: 'missing', verdict: 'allows', reason: null, quote: null }
    const answer = await api.get(`${repositoryPath(repoName)}/issues/${number}`)
    if (!answer.ok) return isAbsent(answer.failure) ? { ok: true, issue: missing } : answer
    const issue = issueOf(answer.value)
    if (issue === null) return BAD_ANSWER
    // The host leads from a transferred issue to its new repository.
    if (repoKey(issue.repo) !== repoKey(repoName)) return { ok: true, issue: missing }
    const texts = [
      { path: 'issue', text: issue.title },
      { path: 'issue', text: issue.body },
    ]
    const { verdict, reason, quote } = decidePolicy(repo, texts, [])
    return { ok: true, issue: { number, state: issue.state, verdict, reason, quote } }
  }

  /**
   * Policy of `owner/name`: as stored where that was read within `maxAge` seconds, else as its files say now, which is stored. `known` is the
   * repository where the caller has just read it.
   */
  const readPolicy = (repo: string, maxAge = POLICY_MAX_AGE_SECONDS, known: RepositoryFacts | null = null): Promise<PolicyReading> =>
    share(`${repoKey(repo)} ${maxAge}`, async () => {
      const stored = (await findPolicies(database.rows, [repoKey(repo)])).get(repoKey(repo))
      if (stored !== undefined && stored.ageSeconds < maxAge) return { ok: true, policy: stored.value }
      const read = await requestPolicy(repo, known)
      if (read.ok) await store(repo, read.policy)
      return read
    })

  /** Why an issue was not read: a reading of the last `maxAge` seconds suffices, else it is read and stored now. */
  const readIssue = (work: MaintainedWork, policy: RepositoryPolicy, number: number, maxAge: number): Promise<LookupFailure | null> =>
    share(`${issueName(work.key, number)} ${maxAge}`, async () => {
      const stored = (await findIssues(database.rows, [{ repo: work.key, number }])).get(issueName(work.key, number))
      if (stored !== undefined && stored.ageSeconds < maxAge) return null
      const read = await requestIssue(work, policy.repo, number)
      if (!read.ok) return read.failure
      const { state, reason } = read.issue
      await database.transaction(async (rows) => {
        await storeIssue(rows, work.key, read.issue)
        const why = reason ?? (state === 'open' ? null : 'source_issue_closed')
        if (why !== null) await pauseJobs(rows, { repo: work.key, issueNumber: number, reason: why, now: clock.now() })
      })
      return null
    })

  /** Pauses the jobs of a repository that is no more, but for those of `presentId`, and returns the refusal. */
  const closeJobs = async ({ repo, key }: MaintainedWork, state: 'missing' | 'replaced', presentId?: number): Promise<ServiceError> => {
    const reason = 'source_repository_closed'
    const which = { repo: key, issueNumber: null, ...(presentId !== undefined && { presentId }) }
    await database.transaction((rows) => pauseJobs(rows, { ...which, reason, now: clock.now() }))
    return new ServiceError(reason, { details: { repo, state } })
  }

  return {
    readPolicy,

    /**
     * Reads repository and issue of a job again unless that was done within `maxAge` seconds, so that its claim is decided on them. Does nothing for
     * a job whose maintainers are not asked. Throws 409 `maintainer_policy_unavailable` with a time to retry, and `source_repository_closed` for a
     * repository that is gone, or that another one has replaced under its name.
     */
    refreshJob: async (job: Pick<JobRecord, 'definition' | 'postingRoute'>, maxAge: number): Promise<void> => {
      const work = maintainedWork(job)
      if (work === null) return
      if (work.host !== null && work.host !== webHost) throw unread(work, fail('codehost_host_not_configured', false).failure)
      const read = await readPolicy(work.repo, maxAge)
      if (!read.ok) {
        if (!isAbsent(read.failure)) throw unread(work, read.failure)
        throw await closeJobs(work, 'missing')
      }
      const repoId = expectedRepositoryId(job.definition.source)
      if (repoId !== null && repoId !== read.policy.repoId) throw await closeJobs(work, 'replaced', read.policy.repoId)
      const failure = work.issueNumber === null ? null : await readIssue(work, read.policy, work.issueNumber, maxAge)
      if (failure !== null) throw unread(work, failure)
    },
  }
}
export type PolicyReader = ReturnType<typeof createPolicyReader>
