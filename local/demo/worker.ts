import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import type { getJobDefinition, listJobs } from '../../schemas/catalogue/operations.ts'
import type { claimJob } from '../../schemas/claims/operations.ts'
import type { preflightJob } from '../../schemas/eligibility/operations.ts'
import type { getBadge } from '../../schemas/reputation/operations.ts'
import type { getVerificationResult } from '../../schemas/verification/operations.ts'
import { solve } from '../catalogue/solutions.ts'
import { type AnswerOf, createClient, Refusal } from './client.ts'

export type Session = AnswerOf<typeof claimJob>
export type Badge = AnswerOf<typeof getBadge>
export type Verdict = AnswerOf<typeof getVerificationResult>
export type Preflight = AnswerOf<typeof preflightJob>
export type Row = Extract<AnswerOf<typeof listJobs>['jobs'][number], { reward: unknown }>

/** Whether another wallet has claimed the job. */
export const isTaken = (error: unknown): boolean =>
  error instanceof Refusal && ['job_already_claimed', 'claim_in_progress', 'job_session_completed'].includes(error.problem.code)

export type Worker = ReturnType<typeof createWorker>

const query = (members: Record<string, string>): string => new URLSearchParams(members).toString()

/** An agent with a new key: each step of a job as one call. */
export const createWorker = (base: string) => {
  const account = privateKeyToAccount(generatePrivateKey())
  const client = createClient(base, account)
  const { call } = client
  return {
    ...client,
    /** Rows of the catalogue that this wallet could claim now, newest first. */
    claimableJobs: async (): Promise<Row[]> => {
      const filters = { format: 'compact', state: 'claimable', tier: 'starter', wallet: account.address, limit: '100' }
      const { jobs } = await call<{ jobs: Row[] }>(`/jobs?${query(filters)}`)
      return jobs.filter(({ claimable, currentWalletCanClaim }) => claimable && currentWalletCanClaim !== false)
    },
    preflight: (jobId: string): Promise<Preflight> => call(`/jobs/preflight?${query({ jobId })}`),
    claim: (jobId: string): Promise<Session> => call('/jobs/claim', { jobId }),
    /** Reads the pinned definition and submits work that satisfies it. */
    submit: async ({ jobId, sessionId }: Session): Promise<Session> => {
      const definition = await call<AnswerOf<typeof getJobDefinition>>(`/jobs/definition?${query({ jobId })}`)
      return call<Session>('/jobs/submit', { sessionId, submission: solve(definition as unknown as Parameters<typeof solve>[0]) })
    },
    /** Waits until the session has left `submitted`, then reads the verdict. */
    verdict: async (sessionId: string): Promise<{ session: Session; verdict: Verdict }> => {
      for (;;) {
        const session = await call<Session>(`/session?${query({ sessionId, waitSeconds: '25' })}`)
        if (session.status !== 'submitted') return { session, verdict: await call<Verdict>(`/verifier/result?${query({ sessionId })}`) }
      }
    },
    badge: (sessionId: string): Promise<Badge> => call(`/badges/${encodeURIComponent(sessionId)}`),
  }
}
