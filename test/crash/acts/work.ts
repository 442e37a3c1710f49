import { randomBytes } from 'node:crypto'
import { chainJobId, disputeId, sessionId } from '../../../domain/common/ids.ts'
import { LOCAL_WEB_HOST } from '../../../local/codehost/start.ts'
import type { Agent, Reply } from '../../e2e/support/http.ts'
import { BAD_WORK, createJob, fundedAgent, GOOD_WORK } from '../../e2e/support/jobs.ts'
import { pullRequestJob } from '../../e2e/support/pull-requests.ts'
import type { CrashWorld } from '../crash-world.ts'
import type { Placeholder } from '../points/point.ts'
import type { PartialAnswers } from './act.ts'
import { ACTS } from './acts.ts'
import { createPatientAgent, type PatientAgent } from './agent.ts'
import type { Kind } from './journeys.ts'

/** One job and the agent that is going to do it. */
export interface Task {
  kind: Kind
  jobId: string
  agent: PatientAgent
  /** The same without its patience. */
  owner: Agent
  /** The API that the agent calls first, and whether it calls the next one after a broken connection. */
  where: { apiIndex: number; isRoaming: boolean }
  keys: Record<'claim' | 'other' | 'submit' | 'verdict', string>
  /** Where its pull request is, if it has one. */
  repo: string
  /** What is handed in. */
  work: Record<string, unknown>
}

/** Final answers of a task. */
export interface Answers {
  claimed: Reply
  /** Absent where nothing is handed in. */
  submitted?: Reply
  decided: Reply['body']
}

const pullRequestWork = (repo: string) => ({
  prUrl: `https://${LOCAL_WEB_HOST}/${repo}/pull/1`,
  summary: 'The last row is kept.',
  tests: 'npm test: 12 passed',
})

const key = (operation: string): string => `${operation}-${randomBytes(6).toString('hex')}`

const JUDGED_BY_PEOPLE: ReadonlySet<Kind> = new Set([
  'approved',
  'reminded',
  'refused',
  'unreviewed',
  'unsigned',
  'superseded',
  'unanswered',
])
const REJECTED: ReadonlySet<Kind> = new Set(['split', 'upheld', 'lapsed', 'overturned', 'undecided', 'forsaken'])

/** Evidence that the verifier cannot fetch, so the verification never ends. */
const UNREAD = { kind: 'wikipedia_revision_wikitext', language: 'en', revisionId: '1', normalization: 'whitespace' } as const
const WITHOUT_ANSWER: ReadonlySet<Kind> = new Set(['elsewhere', 'denied', 'overdue'])

const IN_A_REPOSITORY: ReadonlySet<Kind> = new Set(['merged', 'belated'])

const jobOf = (kind: Kind, repo: string): Parameters<typeof createJob>[1] => {
  if (kind === 'waived') return { onboardingWaiverEligible: true }
  if (IN_A_REPOSITORY.has(kind)) return pullRequestJob(repo)
  if (WITHOUT_ANSWER.has(kind)) return { verifierConfig: { anchorEvidence: UNREAD } }
  return JUDGED_BY_PEOPLE.has(kind) ? { verifierMode: 'human_fallback', verifierTerms: undefined } : {}
}

export const prepareTask = async (world: CrashWorld, kind: Kind, where = { apiIndex: 0, isRoaming: false }): Promise<Task> => {
  const repo = `acme/${key('crash')}`
  const jobId = await createJob(world, jobOf(kind, repo))
  const agent: Agent = kind === 'waived' ? await world.agent() : await fundedAgent(world)
  const keys = { claim: key('claim'), other: key('submit'), submit: key('submit'), verdict: key('verdict') }
  const work = IN_A_REPOSITORY.has(kind) ? pullRequestWork(repo) : REJECTED.has(kind) ? BAD_WORK : GOOD_WORK
  return { kind, jobId, agent: createPatientAgent(world, agent, where), owner: agent, where, keys, repo, work }
}

/** A task on its way, act after act. */
export interface Play {
  /** Plays every act before this one that was not played yet. */
  upTo(act: number): Promise<void>
  /** Plays what is left. */
  onward(): Promise<Answers>
}

export const playTask = (world: CrashWorld, task: Task): Play => {
  const acts = ACTS[task.kind]
  let answers: PartialAnswers = {}
  let next = 0
  const upTo = async (act: number): Promise<void> => {
    for (; next < act; next += 1) answers = { ...answers, ...(await acts[next]?.(world, task, answers)) }
  }
  return {
    upTo,
    onward: async () => {
      await upTo(acts.length)
      const { claimed, submitted, decided } = answers
      if (claimed === undefined || decided === undefined) throw new Error(`${task.jobId} was not played to its end`)
      return { claimed, decided, ...(submitted && { submitted }) }
    },
  }
}

/** Plays a task from its claim to its end, however often something has to be sent. */
export const doTask = (world: CrashWorld, task: Task): Promise<Answers> => playTask(world, task).onward()

/** What a trap's texts stand for in this task; its session has the id that every first attempt of this wallet at this job has. */
export const meaningOf = ({ jobId, keys, agent }: Task): Record<Placeholder, string> => ({
  '{job}': jobId,
  '{chainJob}': chainJobId(jobId).slice(2),
  '{dispute}': disputeId(sessionId(jobId, agent.account.address.toLowerCase(), 1)),
  '{claimKey}': keys.claim,
  '{submitKey}': keys.submit,
})
